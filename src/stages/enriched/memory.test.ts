import { describe, expect, it } from 'vitest'
import { aPost, aStoryArticle } from '../../../test/builders/discourse.ts'
import { aStory, counts, fold, live } from '../../../test/builders/enriched.ts'
import { discoursePosts } from '../../events/discourse.ts'
import { emptyState } from './discourse.ts'

describe('memory', () => {
  it('leaves nothing behind when all is forgotten', async () => {
    const { state, changelog } = await live([aStoryArticle(), aPost({ text: 'Ada Quill.' })])

    const emptied = [...new Set(changelog.map(({ key }) => key))]
      .map((key) => ({ key, value: null }))
      .reduce(fold, state)

    expect(emptied).toEqual(emptyState())
  })

  it('leaves no empty set, term or story behind when a post and an article go', async () => {
    const { state } = await live([
      aStory('a', 'a'),
      aStory('b', 'b'),
      aPost({ cluster_id: 'sto_a' }),
      aPost({ post_id: '2' }),
    ])

    const left = [`shared:member:art_a`, `shared:post:reddit:1`, `shared:post:reddit:2`]
      .map((key) => ({ key, value: null }))
      .reduce(fold, state)
      .namespaces.get('shared')

    expect([...(left?.stories.keys() ?? [])]).toEqual(['sto_b'])
    expect([left?.terms.size, left?.postsByClaim.size, left?.byEntity.get('ent_mayor')]).toEqual([
      0,
      0,
      new Set(['sto_b']),
    ])
  })

  it('has one budget over all namespaces: the largest gives, and an update takes no room', async () => {
    const quiet = aPost({ namespace: 'quiet', event_id: 'evt_quiet' })
    const busy = (n: number) => aPost({ post_id: String(n), text: `Number ${n}.` })
    const again = { ...quiet, score: 9, event_id: 'evt_quiet_2' }

    const { state, changelog } = await live([quiet, busy(1), busy(2), busy(3), again, busy(4)], { budget: 3 })

    expect(state.posts).toBe(3)
    expect(changelog.flatMap(({ key, value }) => (value === null ? key : []))).toEqual([
      'shared:post:reddit:1',
      'shared:post:reddit:2',
    ])
  })

  it('forgets the posts of a story with its last article', async () => {
    const { state, emitted } = await live(
      [aStory('a', 'a'), aPost({ cluster_id: 'sto_a' }), aStory('b', 'b'), aStory('c', 'c')],
      { budget: 2 },
    )

    expect([state.members, state.posts]).toEqual([2, 0])
    expect(counts(emitted)).toEqual([['sto_a', 'reddit', 1]])
  })

  it('keeps namespaces apart, and posts keyed with theirs', async () => {
    const { emitted } = await live([aStoryArticle(), aPost({ namespace: 'other' })])

    expect(emitted).toEqual([])
    expect(discoursePosts.key(aPost({ namespace: 'other' }))).toBe('other')
  })
})
