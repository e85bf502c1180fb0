import { describe, expect, it } from 'vitest'
import { answersIn } from './thread.ts'

const uri = (id: string) => `at://did:plc:wren/app.bsky.feed.post/${id}`
const node = (id: string, replies: readonly object[], replyCount = replies.length) => ({
  $type: 'app.bsky.feed.defs#threadViewPost',
  post: {
    ...{ uri: uri(id), author: { did: 'did:plc:wren' }, record: { text: id }, indexedAt: '2026-11-20T12:00:00Z' },
    replyCount,
  },
  replies,
})
const notFound = (id: string) => ({ $type: 'app.bsky.feed.defs#notFoundPost', uri: uri(id), notFound: true })
const blocked = (id: string) => ({ $type: 'app.bsky.feed.defs#blockedPost', uri: uri(id), blocked: true })

describe('a thread', () => {
  it('is complete where each post came with all its answers', () => {
    const thread = node('root', [node('a', [node('b', [])]), notFound('c')])

    expect(answersIn(thread, 500)).toMatchObject({ gone: [uri('c')], complete: ['root', 'a', 'b'].map(uri) })
  })

  it.each([
    ['an answer stands deeper than was asked for', node('root', [node('a', [], 1)])],
    ['the first post has more answers than came', node('root', [node('a', [])], 2)],
    ['what stands below a blocked post is not given', node('root', [node('a', []), blocked('b')])],
    ['a node is of a kind nobody knows', node('root', [node('a', []), { $type: 'app.bsky.feed.defs#new' }])],
    [
      'it has more answers than are read',
      node(
        'root',
        ['a', 'b', 'c', 'd'].map((id) => node(id, [])),
      ),
    ],
    [
      'more stands below those that are read',
      node(
        'root',
        ['a', 'b', 'c'].map((id) => node(id, [node(`${id}2`, [])])),
      ),
    ],
    ['the first post is none', {}],
  ])('is not complete where %s', (_, thread) => {
    expect(answersIn(thread, 3).complete).toEqual([])
  })
})
