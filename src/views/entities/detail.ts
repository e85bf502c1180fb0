import { FEELS } from '../../language/sentiment/sentiment.ts'
import type { Store } from '../../ports/store.ts'
import { ALWAYS } from '../instant.ts'
import { idsOf, type EntityQuery } from './find.ts'
import { entityArticles, entityPortrait, relatedEntities } from './portrait.ts'
import { bucketsOf, distributionOf, type SeriesBucket, type Distribution } from './series.ts'

type EntityRows<Query extends (store: Store) => (params: never) => Promise<readonly unknown[]>> = Awaited<
  ReturnType<ReturnType<Query>>
>[number]
type Portrait = EntityRows<typeof entityPortrait>

export interface EntityDetail extends Pick<
  Portrait,
  'name' | 'type' | 'wikidata_id' | 'aliases' | 'mention_count' | 'article_count' | 'first_seen' | 'last_seen'
> {
  readonly id: string
  readonly sentiment: { readonly avg: number; readonly distribution: Distribution }
  /** Days from the first to the last mention, at most `TIMELINE_DAYS`, those without a mention as zero. */
  readonly sentiment_timeline: Omit<SeriesBucket, 'mention_count' | 'article_ids'>[]
  readonly related_entities: EntityRows<typeof relatedEntities>[]
  /** The newest first, at most `MAX_ARTICLES`. */
  readonly articles: EntityRows<typeof entityArticles>[]
  /** Of a place the gazetteer knows. */
  readonly locations: Location[]
  /** Of a date all articles agree on. */
  readonly time: { readonly start: string; readonly end: string } | null
  readonly money: { readonly amount: number; readonly currency: string } | null
}

export interface Location {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  readonly coordinates: { readonly latitude: number; readonly longitude: number } | null
  /** The nearest first. */
  readonly within: string[]
}

export const MAX_ALIASES = 20
export const MAX_RELATED = 20
export const MAX_ARTICLES = 100
export const TIMELINE_DAYS = 366
const DAY_MS = 86_400_000

/** An entity whole, over everything published up to a moment; of several of one name the most mentioned. Null: unknown. */
export async function entityDetail(store: Store, params: EntityQuery): Promise<EntityDetail | null> {
  const { namespace, as_of, type } = params
  const ids = await idsOf(store, params)
  if (ids.length === 0) return null
  const always = { namespace, from: ALWAYS, as_of }
  const [portrait] = await entityPortrait(store)({ ...always, ids, feels: FEELS, max_aliases: MAX_ALIASES })
  if (portrait === undefined || (type !== null && portrait.type !== type)) return null

  const one = { ...always, ids: [portrait.entity_id] }
  const [sentiment_timeline, related, articles] = await Promise.all([
    sentimentByDay(store, { ...one, portrait }),
    relatedEntities(store)({ ...one, limit: MAX_RELATED }),
    entityArticles(store)({ ...one, limit: MAX_ARTICLES }),
  ])
  return { ...shown(portrait), sentiment_timeline, related_entities: [...related], articles: [...articles] }
}

interface ByDay {
  readonly namespace: string
  readonly as_of: number
  readonly ids: readonly string[]
  readonly portrait: Portrait
}

async function sentimentByDay(store: Store, { portrait, ...of }: ByDay): Promise<EntityDetail['sentiment_timeline']> {
  const last = Date.parse(portrait.last_seen)
  const oldest = (Math.floor(last / DAY_MS) - TIMELINE_DAYS + 1) * DAY_MS
  const first = Math.max(Date.parse(portrait.first_seen), oldest)
  const from = first - 1
  const { buckets } = await bucketsOf(store, { ...of, from, first, last, resolution: '1d', max_article_ids: 0 })
  return buckets.map(({ date, avg_sentiment, article_count, distribution }) => ({
    ...{ date, avg_sentiment, article_count, distribution },
  }))
}

function shown(row: Portrait): Omit<EntityDetail, 'sentiment_timeline' | 'related_entities' | 'articles'> {
  const { name, type, wikidata_id, aliases, mention_count, article_count, first_seen, last_seen } = row
  return {
    id: row.entity_id,
    ...{ name, type, wikidata_id, aliases, mention_count, article_count, first_seen, last_seen },
    sentiment: { avg: row.avg_sentiment, distribution: distributionOf(row) },
    locations: locationsOf(row),
    time: row.time_start === null || row.time_end === null ? null : { start: row.time_start, end: row.time_end },
    money:
      row.money_amount === null || row.money_currency === null
        ? null
        : { amount: row.money_amount, currency: row.money_currency },
  }
}

function locationsOf({ country, latitude, longitude, within }: Portrait): Location[] {
  const coordinates = latitude === null || longitude === null ? null : { latitude, longitude }
  return country === null && coordinates === null && within.length === 0 ? [] : [{ country, coordinates, within }]
}
