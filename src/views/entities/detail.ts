import { DAY_MS } from '../../domain/days.ts'
import { z } from 'zod'
import { MIN_POLARITY } from '../../language/sentiment/sentiment.ts'
import type { Store } from '../../ports/store.ts'
import { ALWAYS, moment } from '../instant.ts'
import { query, type AsOf, type RowOf } from '../query.ts'
import { FACTS, idsOf, type EntityQuery } from './queries.ts'
import { bucketsOf, distributionOf } from './series.ts'

/** Attributes of an entity besides its name. */
export const KNOWLEDGE = {
  wikidata_id: z.string().nullable(),
  country: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  within: z.array(z.string()),
  time_start: z.string().nullable(),
  time_end: z.string().nullable(),
  money_amount: z.number().nullable(),
  money_currency: z.string().nullable(),
}

const ofSome = { ids: z.array(z.string()), from: moment, as_of: moment }

/**
 * At most one row: the most mentioned of some entities as of a point in time, with its attributes. The newest article
 * with an attribute determines it; the time is null if articles disagree on it. `aliases` are ordered by frequency.
 */
export const entityPortrait = query({
  name: 'entities.portrait',
  sql: `
    WITH ${FACTS}
    SELECT
      entity_id, any(facts.name) AS name, any(facts.type) AS type,
      sum(facts.mention_count) AS mention_count, count() AS article_count,
      min(occurred_at) AS first_seen, max(occurred_at) AS last_seen,
      round(avg(facts.sentiment_score), 6) AS avg_sentiment,
      countIf(facts.sentiment_score >= {feels: Float64}) AS positive,
      countIf(facts.sentiment_score <= -{feels: Float64}) AS negative,
      sumMap(surfaces, surface_counts) AS written,
      arrayMap(
        surface -> surface.1,
        arraySlice(arraySort(surface -> (-surface.2, surface.1), arrayZip(written.1, written.2)), 1, {max_aliases: UInt32})
      ) AS aliases,
      sumMap(arrayMap(surface -> concat(facts.language, ' ', surface), surfaces), surface_counts) AS by_language,
      arrayMap(
        surface -> surface.1,
        arraySlice(arraySort(surface -> (-surface.2, surface.1), arrayZip(by_language.1, by_language.2)), 1, {max_written: UInt32})
      ) AS written_in,
      argMax(facts.wikidata_id, _offset) AS wikidata_id,
      argMaxIf(
        (facts.country, facts.latitude, facts.longitude, facts.within), _offset,
        NOT (facts.country IS NULL AND facts.latitude IS NULL AND empty(facts.within))
      ) AS place,
      place.1 AS country, place.2 AS latitude, place.3 AS longitude, place.4 AS within,
      groupUniqArrayIf(2)((facts.time_start, facts.time_end), facts.time_start IS NOT NULL) AS times,
      if(length(times) = 1, times[1].1, NULL) AS time_start, if(length(times) = 1, times[1].2, NULL) AS time_end,
      argMaxIf((facts.money_amount, facts.money_currency), _offset, facts.money_amount IS NOT NULL) AS money,
      money.1 AS money_amount, money.2 AS money_currency
    FROM facts
    GROUP BY entity_id
    ORDER BY mention_count DESC, entity_id
    LIMIT 1`,
  params: z.object({ ...ofSome, feels: z.number(), max_aliases: z.int(), max_written: z.int() }),
  row: z.object({
    entity_id: z.string(),
    name: z.string(),
    type: z.string(),
    mention_count: z.number(),
    article_count: z.number(),
    first_seen: z.string(),
    last_seen: z.string(),
    avg_sentiment: z.number(),
    positive: z.number(),
    negative: z.number(),
    aliases: z.array(z.string()),
    /** Language and spelling, separated by a space, the most frequent first. */
    written_in: z.array(z.string()),
    ...KNOWLEDGE,
  }),
})

/**
 * The other entities in the articles of some entities, ordered by common articles, without dates and amounts of money.
 * `strength` is the number of common articles relative to the strongest pair, which has 1.
 */
export const relatedEntities = query({
  name: 'entities.related',
  sql: `
    WITH ${FACTS},
    others AS (
      SELECT entity_id AS other_id, name AS other_name, type AS other_type, _offset AS place
      FROM entity_articles
      WHERE namespace = {namespace: String} AND _offset IN (SELECT _offset FROM facts)
        AND type NOT IN ('DATE', 'MONEY') AND entity_id NOT IN {ids: Array(String)}
    )
    SELECT
      other_id AS id, any(other_name) AS name, any(other_type) AS type,
      uniqExact(place) AS co_mentions, round(co_mentions / max(co_mentions) OVER (), 6) AS strength
    FROM others
    GROUP BY id
    ORDER BY co_mentions DESC, id
    LIMIT {limit: UInt32}`,
  params: z.object({ ...ofSome, limit: z.int() }),
  row: z.object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    /** Articles that mention both. */
    co_mentions: z.number(),
    strength: z.number(),
  }),
})

/** The newest articles that mention one of some entities, newest first. */
export const entityArticles = query({
  name: 'entities.articles',
  sql: `
    WITH ${FACTS},
    newest AS (
      SELECT DISTINCT article_id, occurred_at FROM facts
      ORDER BY occurred_at DESC, article_id DESC
      LIMIT {limit: UInt32}
    ),
    shown AS (
      SELECT article_id, title, source, published_date, occurred_at FROM analyzed_articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM newest)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      ORDER BY direct, _offset DESC
      LIMIT 1 BY article_id
    )
    SELECT article_id, title, source, published_date
    FROM shown
    ORDER BY occurred_at DESC, article_id DESC`,
  params: z.object({ ...ofSome, limit: z.int() }),
  row: z.object({
    article_id: z.string(),
    title: z.string().nullable(),
    source: z.string().nullable(),
    published_date: z.string().nullable(),
  }),
})

type Portrait = RowOf<typeof entityPortrait>

export const MAX_ALIASES = 20
/** Spellings that are examined for the names in each language. */
const MAX_WRITTEN = 400
export const MAX_RELATED = 20
export const MAX_ARTICLES = 100
export const TIMELINE_DAYS = 366

/**
 * All details of an entity over everything published up to a point in time; of several entities with one name, the most
 * mentioned. `null` if it is unknown.
 */
export async function entityDetail(store: Store, params: EntityQuery) {
  const { namespace, as_of, type } = params
  const ids = await idsOf(store, params)
  if (ids.length === 0) return null
  const always = { namespace, from: ALWAYS, as_of }
  const most = { max_aliases: MAX_ALIASES, max_written: MAX_WRITTEN }
  const [portrait] = await entityPortrait(store)({ ...always, ids, feels: MIN_POLARITY, ...most })
  if (portrait === undefined || (type !== null && portrait.type !== type)) return null

  const one = { ...always, ids: [portrait.entity_id] }
  const [sentiment_timeline, related, articles] = await Promise.all([
    sentimentByDay(store, one, portrait),
    relatedEntities(store)({ ...one, limit: MAX_RELATED }),
    entityArticles(store)({ ...one, limit: MAX_ARTICLES }),
  ])
  return { ...shown(portrait), sentiment_timeline, related_entities: [...related], articles: [...articles] }
}

/** Days from the first to the last mention, at most `TIMELINE_DAYS`; days without a mention are zero. */
async function sentimentByDay(store: Store, of: AsOf & { readonly ids: readonly string[] }, portrait: Portrait) {
  const last = Date.parse(portrait.last_seen)
  const oldest = (Math.floor(last / DAY_MS) - TIMELINE_DAYS + 1) * DAY_MS
  const first = Math.max(Date.parse(portrait.first_seen), oldest)
  const window = { from: first - 1, first, last }
  const { buckets } = await bucketsOf(store, { ...of, ...window, resolution: '1d', max_article_ids: 0 })
  return buckets.map(({ date, avg_sentiment, article_count, distribution }) => {
    return { date, avg_sentiment, article_count, distribution }
  })
}

const shown = (row: Portrait) => ({
  id: row.entity_id,
  name: row.name,
  type: row.type,
  wikidata_id: row.wikidata_id,
  aliases: row.aliases,
  names: namesByLanguage(row.written_in),
  mention_count: row.mention_count,
  article_count: row.article_count,
  first_seen: row.first_seen,
  last_seen: row.last_seen,
  sentiment: { avg: row.avg_sentiment, distribution: distributionOf(row) },
  locations: locationsOf(row),
  ...periodAndSum(row),
})

/** The most frequent spelling in each language, except where the language is unknown. */
function namesByLanguage(written: Portrait['written_in']): Readonly<Record<string, string>> {
  const names = new Map<string, string>()
  for (const each of written) {
    const [language, name] = [each.slice(0, each.indexOf(' ')), each.slice(each.indexOf(' ') + 1)]
    if (language !== 'und' && !names.has(language)) names.set(language, name)
  }
  return Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Location of a place in the gazetteer: its country (ISO 3166-1 alpha-2), and the places that contain it, smallest
 * first.
 */
function locationsOf({ country, latitude, longitude, within }: Portrait) {
  const coordinates = latitude === null || longitude === null ? null : { latitude, longitude }
  return country === null && coordinates === null && within.length === 0 ? [] : [{ country, coordinates, within }]
}

/** The period of a date on which all articles agree, and the amount of a sum of money; `null` for any other entity. */
export const periodAndSum = ({
  time_start: start,
  time_end: end,
  money_amount: amount,
  money_currency: currency,
}: Pick<Portrait, 'time_start' | 'time_end' | 'money_amount' | 'money_currency'>) => ({
  time: start === null || end === null ? null : { start, end },
  money: amount === null || currency === null ? null : { amount, currency },
})
