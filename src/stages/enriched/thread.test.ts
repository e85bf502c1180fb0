import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aPost } from '../../../test/builders/discourse.ts'
import {
  aStory,
  aTick,
  contentOf,
  counts,
  cueStance,
  fold,
  live,
  seen,
  type EnrichedIn,
} from '../../../test/builders/enriched.ts'
import { holds } from '../../../test/builders/sizes.ts'
import { aChange } from '../../../test/builders/transitioned.ts'
import type { StanceInput } from '../../language/stance/stance.ts'
import { emptyState } from './discourse.ts'

const free = (id: string, over: Parameters<typeof aPost>[0] = {}) =>
  aPost({ post_id: id, cluster_id: null, text: `Remark ${id}.`, ...over })

describe('a reply', () => {
  it('belongs to the story of what it answers, whichever came first', async () => {
    const thread = [
      free('1', { article_url: 'https://example.com/a' }),
      free('2', { reply_to: '1' }),
      free('3', { reply_to: '2' }),
    ]

    const down = await live([aStory('a', 'a'), ...thread])
    const up = await live([...thread.toReversed(), aStory('a', 'a')])

    expect(counts(down.emitted).at(-1)).toEqual(['sto_a', 'reddit', 3])
    expect(counts(up.emitted).at(-1)).toEqual(['sto_a', 'reddit', 3])
  })

  it('goes with it to another story, also where its producer named the one that was left, unless it links to an article of its own', async () => {
    const { emitted } = await live([
      ...[aStory('a', 'a'), aStory('b', 'b'), aStory('x', 'x', { cluster_id: 'sto_a' })],
      free('1', { article_url: 'https://example.com/x' }),
      free('2', { reply_to: '1' }),
      free('3', { reply_to: '1', cluster_id: 'sto_a' }),
      free('4', { reply_to: '1', article_url: 'https://example.com/b' }),
      aChange('split', ['a', 'n'], ['x']),
    ])

    expect(seen(emitted)).toMatchObject([
      { cluster_id: 'sto_b', comment_count_analyzed: 1 },
      { cluster_id: 'sto_n', comment_count_analyzed: 3 },
    ])
  })

  it('shows the address of its thread’s first post, the thread with the newest post first', async () => {
    const at = (minute: number) => ({ cluster_id: 'sto_a', created_at: aPost().created_at + minute * 60_000 })
    const { last } = await live([
      aStory('a', 'a'),
      aPost({ post_id: '1', text: 'One.', ...at(0) }),
      aPost({ post_id: '2', text: 'Two.', ...at(1) }),
      aPost({ post_id: '3', text: 'Three.', reply_to: '1', ...at(2) }),
    ])

    expect(last?.thread_urls).toEqual(['https://reddit.example/1', 'https://reddit.example/2'])
  })

  it('stays in its story when what it answers is deleted, of which nothing is kept but its place', async () => {
    const { last, state } = await live([
      aStory('a', 'a'),
      free('1', { article_url: 'https://example.com/a', text: 'Ask Tom Reed.' }),
      free('2', { reply_to: '1' }),
      free('1', { deleted: true, event_id: 'evt_gone' }),
    ])

    expect(last).toMatchObject({ comment_count_analyzed: 1, novel_entities: [] })
    expect(state.namespaces.get('shared')?.posts.get('shared:post:reddit:1')).toMatchObject({
      ...{ deleted: true, text: '', words: [], url: null, author_hash: '', entities: [], text_hash: '' },
    })
  })

  it('is held against what it answers and what its thread began with, else against the headline', async () => {
    const calls: StanceInput[] = []
    const stance = { name: 'test', stanceOf: (one: StanceInput) => (calls.push(one), cueStance.stanceOf(one)) }

    await live(
      [
        aStory('a', 'a'),
        aPost({ cluster_id: 'sto_a', text: 'First.' }),
        aPost({ post_id: '2', text: 'Second.', cluster_id: 'sto_a', reply_to: '1' }),
        aPost({ post_id: '3', text: 'Third.', cluster_id: 'sto_a', reply_to: '2' }),
      ],
      { stance },
    )

    expect(calls.map(({ post, parent, claim }) => [post.text, parent?.text, claim?.text])).toEqual([
      ['First.', undefined, 'a'],
      ['Second.', 'First.', 'First.'],
      ['Third.', 'Second.', 'First.'],
    ])
  })
})

describe('threads', () => {
  const ledger: readonly EnrichedIn[] = [
    aStory('a', 'bridge'),
    aStory('b', 'tunnel'),
    aStory('x', 'bridge', { cluster_id: 'sto_a' }),
    aChange('split', ['a', 'n'], ['x']),
    aChange('merged', ['b', 'a'], ['b']),
  ]
  const posts: readonly EnrichedIn[] = [
    free('1', { article_url: 'https://example.com/x', text: 'Great.' }),
    free('2', { reply_to: '1', text: 'A lie.' }),
    free('3', { reply_to: '2', text: 'True indeed.' }),
    free('4', { reply_to: '5', text: 'Ada Quill again. #bridge' }),
    free('5', { reply_to: '6', text: 'Who? #tunnel' }),
    free('6', { reply_to: '4', text: 'Round and round.' }),
    free('7', { reply_to: '3', cluster_id: 'sto_b', text: 'Elsewhere.' }),
    free('8', { reply_to: '7', text: 'Fake.' }),
    free('9', { reply_to: 'unknown', text: 'Ada Quill dug it. #tunnel' }),
    free('10', { reply_to: '10', text: 'Ada Quill to herself. #tunnel' }),
  ]

  it('give the same records however posts and articles interleave, circles too', async () => {
    const records = seen((await live([...ledger, ...posts, aTick()])).emitted)
    expect(records.length).toBeGreaterThan(1)

    await holds(
      fc.asyncProperty(
        fc.shuffledSubarray([...posts], { minLength: posts.length }),
        fc.array(fc.boolean(), { minLength: 15, maxLength: 15 }),
        async (shuffled, turns) => {
          const [left, right] = [[...ledger], [...shuffled]]
          const mixed = turns.flatMap((article): EnrichedIn[] => (article ? left : right).splice(0, 1))
          const { emitted, state, changelog } = await live([...mixed, ...left, ...right, aTick()])

          const themeless = (some: readonly object[]) => some.map((record) => ({ ...record, dominant_themes: [] }))
          expect(themeless(seen(emitted))).toEqual(themeless(records))
          const newest = [...new Map(changelog.map((entry) => [entry.key, entry])).values()]
          expect(contentOf(newest.reverse().reduce(fold, emptyState()))).toEqual(contentOf(state))
        },
      ),
      { most: 60, least: 10, cpuSeconds: 0.5 },
    )
  })

  it('of hundreds of replies, each to the one before, follow their first post', async () => {
    const chain = Array.from({ length: 200 }, (_, i) => free(`c${i}`, { reply_to: i === 0 ? null : `c${i - 1}` }))
    const { state } = await live(
      [...chain.toReversed(), free('c0', { cluster_id: 'sto_a', event_id: 'evt_found' }), aStory('a', 'a')],
      {
        budget: 1_000,
      },
    )

    expect(state.namespaces.get('shared')?.stories.get('sto_a')?.posts.get('reddit')?.size).toBe(200)
  })
})
