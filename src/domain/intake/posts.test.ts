import { expect, it } from 'vitest'
import { postIntake } from './posts.ts'

const aPost = (over: object = {}): Record<string, unknown> => ({
  platform: 'reddit',
  post_id: 't1_x',
  text: 'They said the same last year.',
  created_at: '2013-06-14T08:00:00Z',
  ...over,
})

it('takes a post, with what may be missing as null', () => {
  expect(postIntake(aPost({ score: 3, unknown: true, cluster_id: '' }))).toEqual({
    kind: 'post',
    fields: {
      platform: 'reddit',
      post_id: 't1_x',
      text: 'They said the same last year.',
      created_at: Date.UTC(2013, 5, 14, 8),
      url: null,
      article_url: null,
      author: null,
      reply_to: null,
      cluster_id: null,
      score: 3,
      deleted: false,
    },
  })
})

it('takes a deletion that says no more than which post', () => {
  expect(postIntake({ platform: 'reddit', post_id: 't1_x', deleted: true })).toMatchObject({
    kind: 'post',
    fields: { deleted: true, text: '', created_at: 0 },
  })
})

it.each(['true', 1, {}])('never takes a post for whole that somebody meant to delete (%j)', (deleted) => {
  expect(postIntake(aPost({ deleted }))).toEqual({ kind: 'refused', reason: 'field_invalid', field: 'deleted' })
})

it.each([
  [{ platform: 'usenet' }, 'platform_invalid'],
  [{ platform: undefined }, 'platform_invalid'],
  [{ post_id: '' }, 'field_invalid'],
  [{ post_id: 7 }, 'field_invalid'],
  [{ created_at: 'today' }, 'created_at_invalid'],
  [{ created_at: undefined }, 'created_at_invalid'],
  [{ text: ' ' }, 'text_missing'],
  [{ text: 'x'.repeat(40_001) }, 'text_too_long'],
  [{ url: `https://e.example/${'x'.repeat(2_048)}` }, 'url_invalid'],
  [{ author: 'x'.repeat(257) }, 'field_invalid'],
  [{ cluster_id: 'x'.repeat(257) }, 'field_invalid'],
  [{ article_url: 'javascript:alert(1)' }, 'url_invalid'],
  [{ score: 1.5 }, 'field_invalid'],
  [{ score: '3' }, 'field_invalid'],
])('refuses %j as %s', (over, reason) => {
  expect(postIntake(aPost(over))).toMatchObject({ kind: 'refused', reason })
})
