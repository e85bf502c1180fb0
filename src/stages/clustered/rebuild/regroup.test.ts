import { describe, expect, it } from 'vitest'
import { A_DAY } from '../../../../test/builders/articles.ts'
import { aClusterer, aFlush, aReport, inOrder, live } from '../../../../test/builders/clustered.ts'
import { subjectId } from '../../../events/ids.ts'
import { FeatureBlocks } from '../feature-blocks.ts'
import { fromRecord } from '../records.ts'
import type { RememberedMember } from '../changelog.ts'
import { listings, subjectIds, subjectOfStory } from './regroup.ts'

const { entries } = live(aClusterer(), inOrder([aReport({})]))
const [anEntry] = entries
if (anEntry?.value == null) throw new Error('no article was kept')
const blank = fromRecord(anEntry.value, new FeatureBlocks())

/** Articles `a1`, `a2` ... of these stories, listed on these pages. */
const articles = (name: string, stories: readonly string[], pages: readonly (string | null)[] = []) =>
  stories.map((clusterId, i): RememberedMember => ({
    ...blank,
    ...{ articleId: `${name}${i}`, clusterId, subjectId: pages[i] ?? null },
    features: { ...blank.features, time: A_DAY + i },
  }))

const before = {
  namespace: 'shared',
  storyOf: ({ clusterId }: RememberedMember) => clusterId,
  subjectOf: (member: RememberedMember) => member.subjectId,
}
const limits = { min_articles: 5, min_stories: 3, spare: ({ articleId }: RememberedMember) => `spare ${articleId}` }
const named = (...groups: readonly (readonly RememberedMember[])[]) => subjectIds(groups, before, limits)

describe('subjectIds', () => {
  it('opens a page for enough articles of enough stories, named after the first of them', () => {
    expect(named(articles('a', ['1', '1', '2', '2', '3']))).toEqual([subjectId('shared', 'a0')])
    expect(named(articles('a', ['1', '1', '2', '3']))).toEqual([null])
    expect(named(articles('a', ['1', '1', '1', '2', '2', '2']))).toEqual([null])
  })

  it('keeps the page that lists most of the articles', () => {
    expect(named(articles('a', ['1', '2', '3', '4', '5'], ['x', 'y', 'y']))).toEqual(['y'])
    expect(named(articles('a', ['1', '2', '3', '4', '5'], ['y', 'x']))).toEqual(['x'])
  })

  it('gives a page to the larger of two groups; the other is named after an article that no page has listed', () => {
    const small = articles('a', ['1', '2', '3', '4', '5'], ['x', 'x', 'x', 'x'])
    const large = articles('b', ['6', '7', '8', '9', '10', '11'], ['x'])

    expect(named(small, large)).toEqual([subjectId('shared', 'a4'), 'x'])
    expect(named(articles('a', ['1', '2', '3', '4', '5'], ['x', 'x', 'x', 'x', 'x']), large)).toEqual(['spare a0', 'x'])
  })

  it('goes on with a page as its coverage runs out, where most of a small group is on it', () => {
    expect(named(articles('a', ['1', '2', '2'], ['x', 'x']))).toEqual(['x'])
    expect(named(articles('a', ['1', '2'], ['x']))).toEqual([null])
  })
})

describe('listings', () => {
  it('name the articles that come to a page or change it, and leave all others where they are', () => {
    const group = articles('a', ['1', '2', '3'], ['x', 'y', null])
    const other = articles('b', ['4'], ['y'])

    const found = listings([group, other], ['x', null], before)

    expect(found.map(({ subject_id, article_ids }) => ({ subject_id, article_ids }))).toEqual([
      { subject_id: 'x', article_ids: ['a1', 'a2'] },
    ])
  })
})

it('a story is on the page that lists most of its articles', () => {
  expect(subjectOfStory(articles('a', ['1', '1', '1'], ['x', 'y', 'y']))).toBe('y')
  expect(subjectOfStory(articles('a', ['1']))).toBeNull()
})

describe('a rebuild', () => {
  /** Five events of one strike: they share its names, but each has its own words. */
  const news = [
    'employers offered dockers a raise of four percent plus a bonus, a negotiator revealed after midnight',
    'a judge granted an injunction against pickets blocking lorries, citing obstruction statutes',
    'supermarkets ran out of bananas and coffee as containers piled up on ships waiting at anchor',
    'the transport minister flew in by helicopter and toured the silent cranes with photographers',
    'students marched with drums through the old town, raising money for families in hardship',
  ].flatMap((event, i) =>
    [0, 1].map((outlet) =>
      aReport({
        title: `Tamsin harbour: ${event.split(' ').slice(0, 6).join(' ')}`,
        text: `Tamsin, Harbour Union: ${event}. ${event.split(' ').reverse().slice(outlet).join(' ')}. Outlet ${outlet}.`,
        url: `https://outlet-${outlet}.example.com/${i}`,
        article_id: `art_${i}_${outlet}`,
        content_hash: `hash_${i}_${outlet}`,
        occurred_at: A_DAY + i * 60_000,
        dated: true,
      }),
    ),
  )
  const lax = { threshold: -5.9, min_articles: 5, min_stories: 2 }

  it('lists articles on a subject page in an event that moves none of them', () => {
    const { events } = live(aClusterer(1_000, 1_000, lax), [...inOrder(news), aFlush(0)])

    const listed = events.flatMap(({ action, change }) =>
      (change?.subjects ?? []).map((subject) => ({ action, subject })),
    )
    expect(listed.length).toBeGreaterThan(0)
    expect(new Set(listed.map(({ action }) => action))).toEqual(new Set(['rebuilt']))
    expect(
      events.filter(({ change }) => (change?.subjects ?? []).length > 0).flatMap(({ change }) => change?.article_ids),
    ).toEqual([])
  })

  it('keeps the page on the next day, and lists an article at once that joins a story on it', () => {
    const again = aReport({
      ...news[0],
      article_id: 'art_again',
      content_hash: 'again',
      url: 'https://outlet-9.example.com/0',
    })
    const { events } = live(aClusterer(1_000, 1_000, lax), [
      ...inOrder(news),
      aFlush(0),
      ...inOrder([again], 50),
      aFlush(1),
    ])

    const pages = new Set(events.flatMap(({ change }) => (change?.subjects ?? []).map(({ subject_id }) => subject_id)))
    expect(pages.size).toBe(1)
    expect(events.find(({ article_id }) => article_id === 'art_again')?.subject_id).toBe([...pages][0])
  })
})
