import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { A_NOON } from '../../../test/builders/api.ts'
import { aFoundPost } from '../../../test/builders/connectors.ts'
import { codec } from '../../../test/builders/plain-log.ts'
import { discoursePosts, PLATFORMS } from '../../events/discourse.ts'
import { postFlaw, type PostFields } from '../../domain/intake/posts.ts'
import { deletionOf, isOwn, ownPost, tidied } from './own-post.ts'

/** Half pairs too, which JSON can say. */
const text = fc.string({ unit: 'binary' }).map((given) => `${given}\ud83d`)
const textOrNull = fc.option(text)
const anything = fc.record<PostFields>({
  platform: fc.constantFrom(...PLATFORMS),
  post_id: text,
  url: fc.option(fc.oneof(fc.webUrl(), text)),
  author: textOrNull,
  text,
  created_at: fc.oneof(fc.integer({ min: 0, max: A_NOON }), fc.constant(Number.NaN)),
  reply_to: textOrNull,
  cluster_id: fc.constantFrom(null, 'sto_bridge'),
  article_url: fc.option(fc.oneof(fc.webUrl(), text)),
  score: fc.option(fc.double()),
  deleted: fc.constant(false),
})

describe('the event of a post', () => {
  it('is known as ours when the log gives it back, whatever the post says', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (given) => {
        const event = ownPost('shared', tidied(given))
        fc.pre(postFlaw(event) === null)
        const decoded = await codec.decode(discoursePosts, await codec.encode(discoursePosts, event))
        expect(decoded.kind === 'event' && isOwn(decoded.event)).toBe(true)
      }),
    )
  })

  it('is another one when the post says something else, and the same whatever its score', () => {
    const id = (over: Partial<PostFields>, namespace = 'shared') => ownPost(namespace, aFoundPost(over)).event_id

    expect(id({ score: 7 })).toBe(id({ score: 8 }))
    const others = [
      id({ text: 'Other.' }),
      id({ reply_to: 't3_0' }),
      id({ cluster_id: 'sto_a' }),
      id({}, 'acme'),
      id({ deleted: true }),
    ]
    expect(new Set([id({}), ...others]).size).toBe(6)
  })

  it('says of a deletion no more than which post it was', () => {
    const { post_id, created_at, ...rest } = deletionOf(aFoundPost({ cluster_id: 'sto_bridge' }))

    expect([post_id, created_at]).toEqual(['t3_1', A_NOON - 3_600_000])
    expect(rest).toEqual({
      ...{ platform: 'reddit', deleted: true, text: '', url: null, author: null, reply_to: null, score: null },
      ...{ cluster_id: null, article_url: null },
    })
  })
})
