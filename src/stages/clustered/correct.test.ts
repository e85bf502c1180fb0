import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import type { ArticleClustered } from '../../events/ledger.ts'
import { clusterId } from '../../events/ids.ts'
import type { CorrectionRequested } from '../../events/settings.ts'
import {
  aClusterer,
  aCorrection,
  aFlush,
  inOrder,
  live,
  madeUpReport,
  storiesOf,
} from '../../../test/builders/clustered.ts'

const strike = (outlet: number, day = 0) => madeUpReport({ event: 0, outlet, day })
const flood = (outlet: number, day = 0) => madeUpReport({ event: 1, outlet, day })
const own = (article: ArticleAnalyzed) => clusterId('shared', article.article_id)
const ids = (...articles: readonly ArticleAnalyzed[]) => articles.map(({ article_id }) => article_id)

/** Three reports of a strike and two of a flood, then corrections, then more news and two rebuilds. */
function corrected(
  corrections: readonly Partial<CorrectionRequested>[],
  later: readonly ArticleAnalyzed[] = [],
  before: readonly ArticleAnalyzed[] = [],
) {
  const first = [strike(0), strike(1), strike(2), flood(3), flood(4), ...before]
  const { events } = live(aClusterer(), [
    ...inOrder(first),
    aFlush(0),
    ...corrections.map((request, i) => aCorrection({ correction_id: `cor_${i}`, ...request }, i)),
    ...inOrder([...later, strike(20, 1), flood(21, 1)], first.length),
    aFlush(1),
  ])
  const stories = storiesOf(events)
  const storyOf = (article: ArticleAnalyzed) => stories.get(article.article_id)
  return { events, storyOf, done: events.filter(({ action }) => action === 'corrected') }
}

/** The first generated news, in a fixed search order, for which a rebuild merges two stories and does nothing else. */
function newsThatMerges() {
  for (let seed = 1; seed < 500; seed++) {
    const [about = []] = fc.sample(alikeNews, { seed, numRuns: 1 })
    const news = about.map(madeUpReport)
    const { events } = live(aClusterer(), [...inOrder(news), aFlush(0)])
    const changes = events.filter(({ change }) => change?.from_cluster_id != null)
    if (changes.length === 1 && changes[0]?.action === 'merged') return { news, merged: changes[0] }
  }
  throw new Error('no made-up news merges')
}

const alikeNews = fc.array(fc.record({ event: fc.constantFrom(0, 4, 8), outlet: fc.nat(40), day: fc.nat(2) }), {
  minLength: 3,
  maxLength: 7,
})

const STRIKE = own(strike(0))
const FLOOD = own(flood(3))
const request = ({ change }: ArticleClustered) => change?.correction

describe('a correction', () => {
  it('moves an article, and later rebuilds leave it there', () => {
    const [one] = ids(strike(1))
    const { storyOf, done } = corrected([
      { action: 'move', cluster_id: STRIKE, other_cluster_id: FLOOD, article_ids: [one ?? ''], reason: 'It floods' },
    ])

    expect(done).toMatchObject([
      {
        cluster_id: FLOOD,
        decision: { rule: 'curator', chosen: { cluster_id: FLOOD } },
        change: {
          from_cluster_id: STRIKE,
          article_ids: [one],
          correction: { correction_id: 'cor_0', action: 'move', refused: null, reason: 'It floods', key_id: 'key_a' },
        },
      },
    ])
    expect(storyOf(strike(1))).toBe(FLOOD)
    expect([strike(0), strike(2), strike(20, 1)].map(storyOf)).toEqual([STRIKE, STRIKE, STRIKE])
  })

  it('merges two stories for good', () => {
    const { storyOf, done } = corrected([{ action: 'merge', cluster_id: FLOOD, other_cluster_id: STRIKE }])

    expect(done[0]?.change?.article_ids).toEqual(ids(strike(0), strike(1), strike(2)))
    expect([strike(0), flood(3)].map(storyOf)).toEqual([FLOOD, FLOOD])
  })

  it('splits articles off, as a story of their own, for good', () => {
    const { storyOf, done } = corrected([
      { action: 'split', cluster_id: STRIKE, article_ids: ids(strike(1), strike(2)) },
    ])

    expect(done[0]?.cluster_id).toBe(own(strike(1)))
    expect([strike(1), strike(2)].map(storyOf)).toEqual([own(strike(1)), own(strike(1))])
    expect(storyOf(strike(0))).toBe(STRIKE)
  })

  it('keeps two stories apart that a rebuild would merge', () => {
    const { news, merged } = newsThatMerges()
    const wish = { cluster_id: merged.cluster_id, other_cluster_id: merged.change?.from_cluster_id ?? null }
    const word = aCorrection({ action: 'keep_apart', ...wish })
    const { events } = live(aClusterer(), [...inOrder(news), word, aFlush(0)])

    expect(events.filter(({ action }) => action === 'merged')).toEqual([])
    expect(new Set(storiesOf(events).values())).toContain(wish.other_cluster_id)
  })

  it('is not undone by undoing an older one', () => {
    const [one = ''] = ids(strike(1))
    const third = madeUpReport({ event: 3, outlet: 9, day: 0 })
    const moved = (from: string, to: string) =>
      ({ action: 'move', cluster_id: from, other_cluster_id: to, article_ids: [one] }) as const
    const { storyOf, done } = corrected(
      [moved(STRIKE, FLOOD), moved(FLOOD, own(third)), { action: 'undo', correction_id: 'cor_0', cluster_id: FLOOD }],
      [],
      [third],
    )

    expect(done.at(-1)?.change).toMatchObject({ article_ids: [], correction: { action: 'undo', refused: null } })
    expect(storyOf(strike(1))).toBe(storyOf(third))
  })

  it.each([
    ['move', { cluster_id: STRIKE, other_cluster_id: FLOOD, article_ids: ids(strike(1)) }],
    ['merge', { cluster_id: FLOOD, other_cluster_id: STRIKE }],
    ['split', { cluster_id: STRIKE, article_ids: ids(strike(1)) }],
  ] as const)('is undone: %s', (action, wish) => {
    const { storyOf, done } = corrected([
      { action, ...wish },
      { action: 'undo', correction_id: 'cor_0', cluster_id: wish.cluster_id },
    ])

    expect(done.at(-1)).toMatchObject({ cluster_id: STRIKE, change: { correction: { action: 'undo', refused: null } } })
    expect([strike(0), strike(1), strike(2), strike(20, 1)].map(storyOf)).toEqual(Array(4).fill(STRIKE))
    expect(storyOf(flood(3))).toBe(FLOOD)
  })

  it('is undone alike after a restart, which brings the articles into memory in another order', () => {
    const stage = aClusterer()
    const reports = [strike(0), strike(1), strike(2), flood(3), flood(4)]
    const merge = aCorrection({ correction_id: 'cor_0', action: 'merge', cluster_id: FLOOD, other_cluster_id: STRIKE })
    const before = live(stage, [...inOrder(reports), aFlush(0), merge])
    const undo = aCorrection({ correction_id: 'cor_0', action: 'undo', cluster_id: FLOOD }, 1)
    const undone = (state: typeof before.state) =>
      live(stage, [undo], { ...before, state }).events.map(({ change }) => change?.article_ids)
    const newest = [...new Map(before.entries.map((entry) => [entry.key, entry])).values()]
    const restarted = newest.toReversed().reduce((state, one) => stage.memory.evolve(state, one), stage.memory.empty())

    const articles = [ids(strike(0), strike(1), strike(2))]
    expect([undone(before.state), undone(restarted)]).toEqual([articles, articles])
  })

  it('lets the newest word hold', () => {
    const { storyOf } = corrected([
      { action: 'merge', cluster_id: FLOOD, other_cluster_id: STRIKE },
      { action: 'split', cluster_id: FLOOD, article_ids: ids(flood(3), flood(4)) },
    ])

    expect(storyOf(strike(0))).toBe(FLOOD)
    expect(storyOf(flood(3))).not.toBe(FLOOD)
    expect(storyOf(flood(4))).toBe(storyOf(flood(3)))
  })

  it.each([
    ['article_moved', { action: 'move', cluster_id: FLOOD, other_cluster_id: STRIKE, article_ids: ids(strike(1)) }],
    ['same_story', { action: 'merge', cluster_id: FLOOD, other_cluster_id: FLOOD }],
    ['same_story', { action: 'keep_apart', cluster_id: FLOOD, other_cluster_id: null }],
    ['story_gone', { action: 'keep_apart', cluster_id: FLOOD, other_cluster_id: 'sto_unknown' }],
    ['nothing_left', { action: 'split', cluster_id: FLOOD, article_ids: ids(flood(3), flood(4)) }],
    ['nothing_left', { action: 'merge', cluster_id: FLOOD, other_cluster_id: 'sto_unknown' }],
    ['unknown_correction', { action: 'undo', correction_id: 'cor_unknown', cluster_id: FLOOD }],
  ] as const)('that cannot be done is refused in the ledger: %s', (refused, wish) => {
    const { done, storyOf } = corrected([wish])

    expect(done).toHaveLength(1)
    expect(done.map(request)).toMatchObject([{ refused }])
    expect(done[0]?.change?.article_ids).toEqual([])
    expect([strike(0), strike(1), flood(3)].map(storyOf)).toEqual([STRIKE, STRIKE, FLOOD])
  })

  it('reaches stories that memory has lost, by what its asker saw', () => {
    const { done } = corrected([
      { action: 'merge', cluster_id: FLOOD, other_cluster_id: 'sto_old', article_ids: ['art_old'] },
      {
        action: 'undo',
        correction_id: 'cor_0',
        cluster_id: FLOOD,
        other_cluster_id: 'sto_old',
        article_ids: ['art_old'],
      },
    ])

    expect(done.map(({ cluster_id, change }) => [change?.from_cluster_id, cluster_id, change?.article_ids])).toEqual([
      ['sto_old', FLOOD, ['art_old']],
      [FLOOD, 'sto_old', ['art_old']],
    ])
  })
})
