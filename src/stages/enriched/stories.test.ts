import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_VECTOR, type Vector } from '../../events/vector.ts'
import { aPost, aStoryArticle } from '../../../test/builders/discourse.ts'
import { holds } from '../../../test/builders/sizes.ts'
import {
  aStory,
  across,
  contentOf,
  counts,
  fold,
  FOREIGN,
  live,
  seen,
  testReader,
  type EnrichedIn,
} from '../../../test/builders/enriched.ts'
import { emptyState } from './discourse.ts'
import { enrichedMemory } from './changelog.ts'

describe('a post that breaks a rule', () => {
  it.each([
    ['namespace_invalid', { namespace: 'shared:post' }],
    ['namespace_invalid', { namespace: '' }],
    ['field_invalid', { post_id: ' ' }],
    ['field_invalid', { post_id: 'x'.repeat(257) }],
    ['field_invalid', { author: 'x'.repeat(257) }],
    ['created_at_invalid', { created_at: Number.MAX_SAFE_INTEGER }],
    ['url_invalid', { url: `https://example.com/${'x'.repeat(2048)}` }],
    ['url_invalid', { article_url: 'javascript:alert(1)' }],
    ['text_missing', { text: ' \n' }],
    ['text_too_long', { text: 'x'.repeat(40_001) }],
    ['namespace_invalid', { namespace: 'shared:post', deleted: true }],
  ])('is the producer’s fault, and no model reads it: %s %#', async (reason, over) => {
    const calls: string[] = []
    const read = async (texts: readonly string[]) => {
      calls.push(...texts)
      return testReader(texts)
    }

    const { outcomes, changelog, state } = await live([aPost(over)], { read })

    expect(outcomes).toMatchObject([{ kind: 'reject', reason, fault: 'producer' }])
    expect([calls, changelog, state]).toEqual([[], [], emptyState()])
  })

  it('on a platform we do not know is refused too', async () => {
    const foreign: unknown = { ...aPost(), platform: 'usenet' }
    const decoded = (event: unknown): event is EnrichedIn => typeof event === 'object' && event !== null

    const { outcomes } = await live(decoded(foreign) ? [foreign] : [])

    expect(outcomes).toMatchObject([{ kind: 'reject', reason: 'platform_invalid', fault: 'producer' }])
  })
})

describe('a story', () => {
  it('that loses its last post gets one empty record more, which holds from that post’s time on', async () => {
    const { emitted, state } = await live([aStoryArticle(), aPost(), aPost({ deleted: true, event_id: 'evt_gone' })])

    expect(counts(emitted)).toEqual([
      ['sto_bridge', 'reddit', 1],
      ['sto_bridge', 'reddit', 0],
    ])
    expect(emitted.at(-1)).toMatchObject({
      occurred_at: aPost().created_at,
      sentiment_label: 'neutral',
      public_entities: [],
    })
    expect(state.posts).toBe(0)
  })

  it('and the one a post leaves are both told when its producer names another', async () => {
    const { emitted } = await live([
      aStory('a', 'a'),
      aStory('b', 'b'),
      aPost({ cluster_id: 'sto_a' }),
      aPost({ cluster_id: 'sto_b', event_id: 'evt_2' }),
    ])

    expect(counts(emitted)).toEqual([
      ['sto_a', 'reddit', 1],
      ['sto_a', 'reddit', 0],
      ['sto_b', 'reddit', 1],
    ])
  })

  it('is told of a post that no longer has one', async () => {
    const { emitted } = await live([aStoryArticle(), aPost(), aPost({ cluster_id: 'sto_none', event_id: 'evt_2' })])

    expect(counts(emitted).at(-1)).toEqual(['sto_bridge', 'reddit', 0])
  })

  it('that only a producer claims has no record until an article of it arrives', async () => {
    const { emitted, outcomes } = await live([
      aPost({ article_url: 'https://example.com/b', cluster_id: 'sto_a' }),
      aStory('b', 'b'),
      aStory('a', 'a'),
    ])

    expect(outcomes.map(({ kind }) => kind)).toEqual(['skip', 'skip', 'emit'])
    expect(counts(emitted)).toEqual([['sto_a', 'reddit', 1]])
  })

  it('hears nothing new when the same observation comes again, and a text that comes back is another record', async () => {
    const { outcomes, emitted } = await live([
      aStoryArticle(),
      aPost(),
      aPost(),
      aPost({ text: 'Edited.', event_id: 'evt_2' }),
      aPost(),
    ])

    expect(outcomes[2]).toMatchObject({ kind: 'skip', reason: 'already_seen' })
    expect(new Set(emitted.map(({ event_id }) => event_id)).size).toBe(3)
  })
})

describe('posts in other languages', () => {
  /** A story whose leads are about the bridge. */
  const titled = (id: string, titles: Vector) =>
    aStory(id, '', { member: { ...aStoryArticle().member, title: id, cross_title_vector: titles } })
  const foreign = aPost({ cluster_id: null, post_id: '1', text: `${FOREIGN}Ada Quill. #ferry` })

  it('join the story whose titles are like them across languages', async () => {
    const { emitted } = await live([titled('a', across('tunnel')), titled('b', across('ferry')), foreign])

    expect(counts(emitted)).toEqual([['sto_b', 'reddit', 1]])
  })

  it('wait for such a story, and join none whose titles have no vectors for that', async () => {
    const { emitted } = await live([titled('a', NO_VECTOR), foreign, titled('b', across('ferry'))])

    expect(counts(emitted)).toEqual([['sto_b', 'reddit', 1]])
  })

  it('are compared by other vectors than posts in English', async () => {
    const english = (subject: string) =>
      aPost({ cluster_id: null, post_id: subject, text: `Ada Quill and the ${subject}. #${subject}` })
    const { emitted } = await live([titled('a', across('ferry')), english('ferry'), english('bridge')])

    expect(counts(emitted)).toEqual([['sto_a', 'reddit', 1]])
  })
})

describe('posts and articles', () => {
  const subject = { entities: aStoryArticle().member.entities }
  const articles = [
    aStory('b', 'tunnel'),
    aStory('c', 'bridge', { article_id: 'art_c2', occurred_at: Date.UTC(2016, 4, 20) }),
    aStory('b', 'bridge', { article_id: 'art_b2', member: { ...aStoryArticle().member, ...subject, url: null } }),
    aStory('d', 'ferry'),
    aStory('a', 'bridge'), // more similar to the posts that b got meanwhile
  ]
  const free = { cluster_id: null, event_id: '' }
  const observed = [
    aPost({ ...free, post_id: '1', text: 'Ada Quill closed the harbour, awful. #bridge' }),
    aPost({ ...free, post_id: '2', text: 'Ada Quill and a tunnel nobody wants. #tunnel' }),
    aPost({ ...free, post_id: '3', text: 'Nothing to do with it. #bridge' }),
    aPost({
      ...free,
      post_id: '4',
      text: 'Great harbour link.',
      article_url: 'https://www.example.com/a?utm_source=x',
    }),
    aPost({ ...free, post_id: '5', text: 'Ada Quill, the harbour again. #bridge', created_at: Date.UTC(2016, 4, 19) }),
    aPost({ post_id: '6', cluster_id: 'sto_d', text: 'The ferry to the harbour is fine.' }),
    aPost({ post_id: '7', cluster_id: 'sto_nowhere', text: 'The harbour, Ada Quill. #bridge' }),
    aPost({
      ...free,
      post_id: '8',
      text: 'Ada Quill closed the harbour!',
      platform: 'bluesky',
      article_url: 'https://b.b/',
    }),
    aPost({ ...free, post_id: '9', text: 'Ada Quill digs the tunnel, a harbour tunnel. #tunnel' }),
  ]

  it('give the same records whichever came first, and however they interleave', async () => {
    const { emitted } = await live([...articles, ...observed])
    const records = seen(emitted)
    expect(records.length).toBeGreaterThan(3)

    expect(seen((await live([...observed, ...articles])).emitted)).toEqual(records)
    await holds(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }), async (turns) => {
        const [left, right] = [[...articles], [...observed]]
        const mixed = turns.flatMap((article): EnrichedIn[] => (article ? left : right).splice(0, 1))

        expect(seen((await live([...mixed, ...left, ...right])).emitted)).toEqual(records)
      }),
      { most: 60, least: 10, cpuSeconds: 0.5 },
    )
  })

  it('weigh themes against what had been said with the newest post, whenever the article comes', async () => {
    const own = ['Harbour, harbour repairs.', 'Repairs of the harbour!'].map((text, i) =>
      aPost({ post_id: `own${i}`, text, cluster_id: 'sto_a' }),
    )
    const later = ['harbour', 'harbour', 'harbour'].map((text, i) => aPost({ post_id: `later${i}`, text }))

    const [before, after] = [
      await live([aStory('a', 'a'), ...own, ...later]),
      await live([...own, ...later, aStory('a', 'a')]),
    ]

    expect(before.last?.dominant_themes).toEqual(['harbour', 'repairs'])
    expect(after.last?.dominant_themes).toEqual(['harbour', 'repairs'])
  })

  it('are found again after a restart, from a changelog in any order', async () => {
    const { state, changelog } = await live([...observed, ...articles])
    const compacted = [...new Map(changelog.map((entry) => [entry.key, entry])).values()]

    expect(contentOf(compacted.reverse().reduce(fold, emptyState()))).toEqual(contentOf(state))
    expect(compacted.filter(({ key, value }) => value !== null && enrichedMemory.key(value) !== key)).toEqual([])
  })

  it('follow an article to another story', async () => {
    const moved = aStory('a', 'bridge', { cluster_id: 'sto_z', event_id: 'evt_moved' })

    const { emitted } = await live([
      aStory('a', 'bridge'),
      aPost({ cluster_id: null, article_url: moved.member.url }),
      moved,
    ])

    expect(counts(emitted).slice(-2)).toEqual([
      ['sto_a', 'reddit', 0],
      ['sto_z', 'reddit', 1],
    ])
  })
})
