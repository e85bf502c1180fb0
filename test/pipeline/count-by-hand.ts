import { expect } from 'vitest'
import type { ArticleAnalyzed, Entity } from '../../src/events/articles.ts'
import type { Resolution } from '../../src/domain/days.ts'

const HOUR_MS = 3_600_000
const BUCKET_MS: Record<Resolution, number> = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '1d': 24 * HOUR_MS }

/** The analyses that count: the first of repeats, then the newest of an article, the pipeline's own before a direct one. */
export function counting(log: readonly ArticleAnalyzed[], namespace: string, as_of: number): ArticleAnalyzed[] {
  const firsts = new Map<string, ArticleAnalyzed>()
  for (const event of log) {
    const key = JSON.stringify([event.article_id, event.content_hash, event.direct])
    if (event.namespace === namespace && !firsts.has(key)) firsts.set(key, event)
  }
  const newest = new Map<string, ArticleAnalyzed>()
  for (const event of firsts.values()) {
    const before = newest.get(event.article_id)
    const givesWay = before?.direct === false && event.direct
    if (event.occurred_at <= as_of && !givesWay) newest.set(event.article_id, event)
  }
  return [...newest.values()]
}

export interface CountedMention {
  readonly article_id: string
  readonly at: number
  readonly entity: Entity
}

export const namedIn = (analyses: readonly ArticleAnalyzed[]): CountedMention[] =>
  analyses.flatMap(({ article_id, occurred_at, entities }) =>
    entities.map((entity) => ({ article_id, at: occurred_at, entity })),
  )

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)
const sixDecimals = (value: number): number => Math.round(value * 1e6) / 1e6

/** Totals of mentions: counts, and the sentiment of each article. */
export function figures(named: readonly CountedMention[]) {
  const scores = [...groupBy(named, ({ article_id }) => article_id).values()].map((of) =>
    sixDecimals(mean(of.flatMap(({ entity }) => entity.mentions.map(({ sentiment_score }) => sentiment_score)))),
  )
  const positive = scores.filter((score) => score >= 0.15).length
  const negative = scores.filter((score) => score <= -0.15).length
  return {
    mention_count: sum(named.map(({ entity }) => entity.mentions.length)),
    article_count: scores.length,
    avg_sentiment: expect.closeTo(mean(scores), 5) as number,
    distribution: { positive, neutral: scores.length - positive - negative, negative },
  }
}

export const newestFirst = (named: readonly CountedMention[]): string[] => [
  ...new Set(
    [...named]
      .sort((a, b) => b.at - a.at || (a.article_id < b.article_id ? 1 : -1))
      .map(({ article_id }) => article_id),
  ),
]

export const bucketOf = (at: number, resolution: Resolution): string => {
  const starts = new Date(Math.floor(at / BUCKET_MS[resolution]) * BUCKET_MS[resolution]).toISOString()
  return resolution === '1d' ? starts.slice(0, 10) : starts
}

/** Every bucket that overlaps the window, found by iteration. */
export function bucketsBetween(from: number, as_of: number, resolution: Resolution): string[] {
  const steps = Array.from({ length: Math.ceil((as_of - from) / HOUR_MS) }, (_, i) => from + 1 + i * HOUR_MS)
  return [...new Set([...steps, as_of].map((at) => bucketOf(at, resolution)))]
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
