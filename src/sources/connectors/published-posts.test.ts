import { expect, it } from 'vitest'
import { missingFrom } from './published-posts.ts'

const post = (post_id: string, reply_to: string | null) => ({ post_id, reply_to })
const ids = (posts: readonly { readonly post_id: string }[]) => posts.map(({ post_id }) => post_id).sort()

it('finds what a thread shows no more, whole branches in whatever order they are known', () => {
  const known = [post('leaf', 'branch'), post('branch', 'a'), post('a', 'thread'), post('thread', null)]

  expect(ids(missingFrom(known, new Set(['thread', 'a'])))).toEqual(['branch', 'leaf'])
})

it('says nothing of other threads, nor of what stands below a post nobody knows', () => {
  const known = [post('other', null), post('b', 'other'), post('c', 'unknown'), post('thread', null)]

  expect(missingFrom(known, new Set(['thread']))).toEqual([])
})
