import { RESOLUTIONS, type Resolution } from '../../domain/days.ts'
import { rounded } from '../../domain/rounding.ts'
import { MIN_POLARITY } from '../../language/sentiment/sentiment.ts'
import type { Store } from '../../ports/store.ts'
import { entityBuckets, idsOf, knownOf, type EntityQuery } from './queries.ts'
import type { AsOf, RowOf } from '../query.ts'

/** The window is (`as_of` - `window_ms`, `as_of`]. */
export interface EntitySeriesQuery extends EntityQuery {
  readonly window_ms: number
  readonly resolution: Resolution
  readonly max_article_ids: number
}

/**
 * Mentions of an entity in a window and their sentiment, in all buckets of the window; buckets without a mention are
 * zero. The first and the last bucket contain the start and the end of the window. `null` if the entity is unknown.
 */
export async function entitySeries(store: Store, params: EntitySeriesQuery) {
  const ids = await idsOf(store, params)
  if (ids.length === 0) return null

  const from = params.as_of - params.window_ms
  const [found, series] = await Promise.all([
    knownOf(store, params, ids),
    bucketsOf(store, { ...params, ids, from, first: from + 1, last: params.as_of }),
  ])
  return found === null ? null : { ...series, found }
}

interface EntityBucketsQuery extends Pick<EntitySeriesQuery, keyof AsOf | 'resolution' | 'max_article_ids'> {
  readonly ids: readonly string[]
  /** Milliseconds since 1970, exclusive. */
  readonly from: number
  /** Times within the first and the last bucket to return. */
  readonly first: number
  readonly last: number
}

export async function bucketsOf(store: Store, params: EntityBucketsQuery) {
  const { namespace, as_of, from, resolution, first, last, max_article_ids: max_articles } = params
  const bucket_ms = RESOLUTIONS[resolution]
  const ids = [...params.ids]
  const rows = await entityBuckets(store)({ namespace, as_of, ids, from, bucket_ms, feels: MIN_POLARITY, max_articles })
  const byStart = new Map(rows.map((row) => [row.starts_at, row]))
  const buckets = starts(first, last, bucket_ms).map((at) => bucketOf(dateOf(at, resolution), byStart.get(at)))
  return { buckets, ...totalsOf(rows) }
}

type SeriesRow = RowOf<typeof entityBuckets>

const NOTHING = { mention_count: 0, article_count: 0, article_ids: [], sentiment_sum: 0, positive: 0, negative: 0 }

/**
 * A bucket of UTC event time: `date` is the day, `2018-12-31`, or the start of the hours, `2018-12-31T06:00:00.000Z`.
 */
function bucketOf(date: string, row: Omit<SeriesRow, 'starts_at'> = NOTHING) {
  const { mention_count, article_count, article_ids } = row
  const avg_sentiment = mean(row.sentiment_sum, article_count)
  return { date, mention_count, article_count, article_ids, avg_sentiment, distribution: distributionOf(row) }
}

/** Number of articles by their sentiment towards an entity. */
export const distributionOf = ({
  article_count,
  positive,
  negative,
}: Pick<SeriesRow, 'article_count' | 'positive' | 'negative'>) => ({
  positive,
  neutral: article_count - positive - negative,
  negative,
})

/** Totals over all articles of a window. */
function totalsOf(rows: readonly SeriesRow[]) {
  const sum = (of: (row: SeriesRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const article_count = sum((row) => row.article_count)
  const sentiment_sum = sum((row) => row.sentiment_sum)
  return {
    mention_count: sum((row) => row.mention_count),
    article_count,
    avg_sentiment: mean(sentiment_sum, article_count),
  }
}

/** 0 if the count is 0. */
const mean = (sum: number, count: number): number => (count === 0 ? 0 : rounded(sum / count))

/** The start of each bucket from the one that contains `first` to the one that contains `last`. */
function starts(first: number, last: number, bucket_ms: number): number[] {
  const begin = Math.floor(first / bucket_ms) * bucket_ms
  const count = Math.floor(last / bucket_ms) - begin / bucket_ms + 1
  return Array.from({ length: count }, (_, i) => begin + i * bucket_ms)
}

const dateOf = (at: number, resolution: Resolution): string => {
  const moment = new Date(at).toISOString()
  return resolution === '1d' ? moment.slice(0, 10) : moment
}
