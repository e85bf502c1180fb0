import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aPost, aStoryArticle } from '../../../test/builders/discourse.ts'
import { aStory, contentOf, counts, fold, live, seen, type EnrichedIn } from '../../../test/builders/enriched.ts'
import { holds } from '../../../test/builders/sizes.ts'
import { aChange } from '../../../test/builders/transitioned.ts'
import { emptyState } from './discourse.ts'

const url = (id: string) => `https://example.com/${id}`
const claims = (id: string, story: string) => aPost({ post_id: id, cluster_id: `sto_${story}`, text: `Number ${id}.` })
const links = (id: string, article: string) =>
  aPost({ post_id: id, cluster_id: null, article_url: url(article), text: `Number ${id}.` })

describe('a story that went into another one', () => {
  const two = [aStory('a', 'a'), aStory('b', 'b')]
  const merge = aChange('merged', ['b', 'a'], ['b'])

  it('leaves it all its posts, and an empty record where it was', async () => {
    const { emitted } = await live([...two, claims('1', 'a'), claims('2', 'b'), links('3', 'b'), merge])

    expect(counts(emitted).slice(-2)).toEqual([
      ['sto_a', 'reddit', 3],
      ['sto_b', 'reddit', 0],
    ])
    expect(emitted.at(-2)).toMatchObject({ story_title: 'a', editorial_entities: ['Ada Quill'] })
  })

  it('is still known by its name, from merge to merge', async () => {
    const again = aChange('merged', ['a', 'c'], ['a', 'b'])
    const { emitted } = await live([...two, aStory('c', 'c'), merge, claims('1', 'b'), again, claims('2', 'b')])

    expect(counts(emitted)).toEqual([
      ['sto_a', 'reddit', 1],
      ['sto_a', 'reddit', 0],
      ['sto_c', 'reddit', 1],
      ['sto_c', 'reddit', 2],
    ])
  })

  it('has its name again when articles come back to it', async () => {
    const undone = aChange('corrected', ['a', 'b'], ['b'])
    const { emitted } = await live([...two, claims('1', 'b'), merge, undone, claims('2', 'b')])

    expect(counts(emitted).slice(-3)).toEqual([
      ['sto_a', 'reddit', 0],
      ['sto_b', 'reddit', 1],
      ['sto_b', 'reddit', 2],
    ])
  })

  it('or lost its last article in another way is known by its name, too', async () => {
    const { emitted } = await live([...two, claims('1', 'b'), aChange('moved', ['b', 'a'], ['b']), claims('2', 'b')])

    expect(counts(emitted)).toEqual([
      ['sto_b', 'reddit', 1],
      ['sto_a', 'reddit', 1],
      ['sto_b', 'reddit', 0],
      ['sto_a', 'reddit', 2],
    ])
  })

  it('had posts of its own before, and the other has them from then on', async () => {
    const later = { ...merge, occurred_at: aPost().created_at + 1_000 }
    const { emitted } = await live([...two, claims('1', 'b'), later])

    expect(emitted.map((one) => [one.cluster_id, one.comment_count_analyzed, one.occurred_at])).toEqual([
      ['sto_b', 1, aPost().created_at],
      ['sto_a', 1, later.occurred_at],
      ['sto_b', 0, later.occurred_at],
    ])
  })

  it('is forgotten with the one it went into', async () => {
    const { state, changelog } = await live([...two, merge, aStory('c', 'c'), aStory('d', 'd')], { budget: 2 })

    expect(state.namespaces.get('shared')?.aliases.size).toBe(0)
    expect(changelog.slice(-3).map(({ key, value }) => [key, value === null])).toEqual([
      ['shared:member:art_b', true],
      ['shared:alias:sto_b', true],
      ['shared:member:art_d', false],
    ])
  })
})

describe('an article that changes its story', () => {
  const story = [
    aStory('a', 'a'),
    aStory('x', 'x', { cluster_id: 'sto_a', occurred_at: aStoryArticle().occurred_at + 1 }),
  ]

  it('takes along the posts that link to it', async () => {
    const { emitted } = await live([
      ...story,
      aPost({ post_id: '1', cluster_id: 'sto_a', text: 'Of the story. #a' }),
      links('2', 'x'),
      aChange('split', ['a', 'n'], ['x', 'unknown']),
    ])

    expect(counts(emitted).slice(-2)).toEqual([
      ['sto_a', 'reddit', 1],
      ['sto_n', 'reddit', 1],
    ])
    expect(emitted.at(-1)).toMatchObject({ story_title: 'x' })
  })

  it('takes along those whose producer names the story and who mean what opens out of it; a merge brings them back', async () => {
    const claiming = [
      aPost({ post_id: '1', cluster_id: 'sto_a', text: 'What stays. #a' }),
      aPost({ post_id: '2', cluster_id: 'sto_a', text: 'What goes. #x' }),
      aPost({ post_id: '3', cluster_id: 'sto_a', text: 'So it is.', reply_to: '2' }),
      aPost({ post_id: '4', cluster_id: 'sto_a', text: 'And here. #a', article_url: url('x') }),
    ]
    const split = [...story, aChange('split', ['a', 'n'], ['x']), ...claiming]
    const counted = async (events: readonly EnrichedIn[]) => counts(seen((await live(events)).emitted))

    expect(await counted(split)).toEqual([
      ['sto_a', 'reddit', 1],
      ['sto_n', 'reddit', 3],
    ])
    expect(await counted([...split, aChange('merged', ['n', 'a'], ['x'])])).toEqual([['sto_a', 'reddit', 4]])
    expect(await counted([...split, aChange('merged', ['a', 'b'], ['a']), aStory('b', 'b')])).toEqual([
      ['sto_b', 'reddit', 1],
      ['sto_n', 'reddit', 3],
    ])
  })

  it('by a curator’s word too, unless that was refused', async () => {
    const word = { correction_id: 'cor', action: 'move', reason: null, key_id: 'k', refused: null }
    const done = aChange('corrected', ['a', 'n'], ['x'], word)
    const refused = aChange('corrected', ['a', 'n'], ['x'], { ...word, refused: 'not_there' })

    expect(counts((await live([...story, links('2', 'x'), done])).emitted).slice(-1)).toEqual([['sto_n', 'reddit', 1]])
    expect((await live([...story, links('2', 'x'), refused])).outcomes.at(-1)).toMatchObject({
      kind: 'skip',
      reason: 'nothing_moved',
    })
  })

  it('at a curator’s word holds at all times, at a rebuild’s from its own', async () => {
    const word = { correction_id: 'cor', action: 'merge', reason: null, key_id: 'k', refused: null }
    const later = { occurred_at: aPost().created_at + 86_400_000 }
    const posts = [aStory('a', 'a'), aStory('b', 'b'), claims('1', 'a'), claims('2', 'b')]
    /** The posts of the records valid right after they were written. */
    const then = async (change: EnrichedIn) => {
      const { emitted } = await live([...posts, change])
      const held = emitted.filter(
        ({ cluster_id, ...e }) => cluster_id === 'sto_a' && e.occurred_at <= aPost().created_at,
      )
      return held.at(-1)?.comment_count_analyzed
    }

    expect(await then({ ...aChange('corrected', ['b', 'a'], ['b'], word), ...later })).toBe(2)
    expect(await then({ ...aChange('merged', ['b', 'a'], ['b']), ...later })).toBe(1)
  })

  it('of a story nobody spoke of is told to nobody, and a day that was rebuilt is no news', async () => {
    const { outcomes } = await live([...story, aChange('split', ['a', 'n'], ['x']), aChange('rebuilt', ['a', 'n'], [])])

    expect(outcomes.slice(-2)).toMatchObject([{ reason: 'no_posts' }, { reason: 'nothing_moved' }])
  })
})

describe('posts and changes of stories', () => {
  const named = (id: string, topic: string, text: string) =>
    aPost({ post_id: id, cluster_id: null, text: `Ada Quill ${text}. #${topic}` })
  const ledger: readonly EnrichedIn[] = [
    aStory('a', 'bridge'),
    aStory('b', 'tunnel'),
    aStory('c', 'ferry'),
    aStory('d', 'tunnel', { cluster_id: 'sto_b' }),
    aChange('merged', ['b', 'a'], ['b', 'd']),
    aChange('split', ['a', 'e'], ['d', 'a']),
    aStory('f', 'ferry', { cluster_id: 'sto_c' }),
    aChange('moved', ['c', 'e'], ['f']),
    aChange('merged', ['e', 'c'], ['d', 'f', 'a']),
  ]
  const posts: readonly EnrichedIn[] = [
    named('1', 'bridge', 'closed it'),
    named('2', 'tunnel', 'dug it'),
    named('3', 'ferry', 'sailed it'),
    claims('4', 'b'),
    claims('5', 'e'),
    links('6', 'd'),
    links('7', 'f'),
    links('8', 'a'),
    claims('9', 'c'),
  ]

  it('give the same records however they interleave', async () => {
    const records = seen((await live([...ledger, ...posts])).emitted)
    expect(records.length).toBeGreaterThan(1)

    await holds(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 18, maxLength: 18 }), async (turns) => {
        const [left, right] = [[...ledger], [...posts]]
        const mixed = turns.flatMap((article): EnrichedIn[] => (article ? left : right).splice(0, 1))

        expect(seen((await live([...mixed, ...left, ...right])).emitted)).toEqual(records)
      }),
      { most: 100, least: 10, cpuSeconds: 0.5 },
    )
  })

  it('are the same memory after a restart, from a changelog in any order', async () => {
    const { state, changelog } = await live([...posts, ...ledger])
    const newest = [...new Map(changelog.map((entry) => [entry.key, entry])).values()]

    expect(contentOf(newest.reverse().reduce(fold, emptyState()))).toEqual(contentOf(state))
  })

  it('leave nothing behind when all is forgotten', async () => {
    const { state, changelog } = await live([...posts, ...ledger])

    const emptied = [...new Set(changelog.map(({ key }) => key))]
      .map((key) => ({ key, value: null }))
      .reduce(fold, state)

    expect(emptied).toEqual(emptyState())
  })
})
