import { HOUR_MS } from '../../domain/days.ts'
import { FEELS } from '../../language/sentiment/sentiment.ts'
import type { Store } from '../../ports/store.ts'
import { idsOf, knownOf, type EntityQuery, type FoundEntities } from './find.ts'
import { entityBuckets } from './queries.ts'
import type { RowOf } from '../query.ts'

const RESOLUTIONS = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '1d': 24 * HOUR_MS } as const

export type SeriesResolution = keyof typeof RESOLUTIONS

/** The window is (`as_of` - `window_ms`, `as_of`]. */
export interface EntitySeriesQuery extends EntityQuery {
  readonly window_ms: number
  readonly resolution: SeriesResolution
  readonly max_article_ids: number
}

/** Articles by how they speak of an entity. */
export interface Distribution {
  readonly positive: number
  readonly neutral: number
  readonly negative: number
}

/** A day, or some hours, of UTC event time. */
export interface SeriesBucket {
  /** `2018-12-31` of a day, else the moment it begins: `2018-12-31T06:00:00.000Z`. */
  readonly date: string
  readonly mention_count: number
  readonly article_count: number
  /** -1 to +1: mean over the articles; 0 where there is none. */
  readonly avg_sentiment: number
  readonly distribution: Distribution
  readonly article_ids: string[]
}

export interface Series {
  readonly buckets: SeriesBucket[]
  readonly mention_count: number
  readonly article_count: number
  /** Mean over all articles; 0 where there is none. */
  readonly avg_sentiment: number
}

/**
 * How often an entity was named in a window, and how articles speak of it: every bucket of the window, those without a
 * mention as zero. The first and the last bucket are those in which the window begins and ends. Null: unknown.
 */
export async function entitySeries(
  store: Store,
  params: EntitySeriesQuery,
): Promise<(Series & { readonly found: FoundEntities }) | null> {
  const ids = await idsOf(store, params)
  if (ids.length === 0) return null

  const from = params.as_of - params.window_ms
  const [found, series] = await Promise.all([
    knownOf(store, params, ids),
    bucketsOf(store, { ...params, ids, from, first: from + 1, last: params.as_of }),
  ])
  return found === null ? null : { ...series, found }
}

export interface EntityBucketsQuery extends Pick<
  EntitySeriesQuery,
  'namespace' | 'as_of' | 'resolution' | 'max_article_ids'
> {
  readonly ids: readonly string[]
  /** Milliseconds since 1970, exclusive. */
  readonly from: number
  /** Moments in the first and the last bucket to be shown. */
  readonly first: number
  readonly last: number
}

export async function bucketsOf(store: Store, params: EntityBucketsQuery): Promise<Series> {
  const { namespace, as_of, from, resolution, first, last } = params
  const bucket_ms = RESOLUTIONS[resolution]
  const rows = await entityBuckets(store)({
    ...{ namespace, as_of, from, bucket_ms, feels: FEELS },
    ids: [...params.ids],
    max_articles: params.max_article_ids,
  })
  const byStart = new Map(rows.map((row) => [row.starts_at, row]))
  const buckets = starts(first, last, bucket_ms).map((at) => bucketOf(dateOf(at, resolution), byStart.get(at)))
  return { buckets, ...totalsOf(rows) }
}

type SeriesRow = RowOf<typeof entityBuckets>

function bucketOf(date: string, row: SeriesRow | undefined): SeriesBucket {
  if (row === undefined) {
    const distribution = { positive: 0, neutral: 0, negative: 0 }
    return { date, mention_count: 0, article_count: 0, avg_sentiment: 0, distribution, article_ids: [] }
  }
  const { mention_count, article_count, article_ids } = row
  return {
    ...{ date, mention_count, article_count, article_ids },
    avg_sentiment: mean(row.sentiment_sum, article_count),
    distribution: distributionOf(row),
  }
}

export const distributionOf = ({
  article_count,
  positive,
  negative,
}: Pick<SeriesRow, 'article_count' | 'positive' | 'negative'>): Distribution => ({
  positive,
  neutral: article_count - positive - negative,
  negative,
})

function totalsOf(rows: readonly SeriesRow[]): Omit<Series, 'buckets'> {
  const sum = (of: (row: SeriesRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const article_count = sum((row) => row.article_count)
  return {
    mention_count: sum((row) => row.mention_count),
    article_count,
    avg_sentiment: mean(
      sum((row) => row.sentiment_sum),
      article_count,
    ),
  }
}

const DECIMALS = 1e6

/** To 6 decimals, which no sum of floats blurs. */
const mean = (sum: number, count: number): number => (count === 0 ? 0 : Math.round((sum / count) * DECIMALS) / DECIMALS)

/** Where the buckets from that of one moment to that of another begin. */
function starts(first: number, last: number, bucket_ms: number): number[] {
  const begin = Math.floor(first / bucket_ms) * bucket_ms
  const count = Math.floor(last / bucket_ms) - begin / bucket_ms + 1
  return Array.from({ length: count }, (_, i) => begin + i * bucket_ms)
}

const dateOf = (at: number, resolution: SeriesResolution): string => {
  const moment = new Date(at).toISOString()
  return resolution === '1d' ? moment.slice(0, 10) : moment
}
