import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { FACTS } from './facts.ts'

const ofSome = { ids: z.array(z.string()), from: moment, as_of: moment }

/**
 * At most one row: of some entities the most mentioned as of a moment, with what is known of it. The newest article
 * that knows a thing is believed; a time is null where articles mean different days. Surfaces the most frequent first.
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
  params: z.object({ ...ofSome, feels: z.number(), max_aliases: z.int() }),
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
    wikidata_id: z.string().nullable(),
    country: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    within: z.array(z.string()),
    time_start: z.string().nullable(),
    time_end: z.string().nullable(),
    money_amount: z.number().nullable(),
    money_currency: z.string().nullable(),
  }),
})

/**
 * Who else the articles of some entities name, those in most of the articles first. Dates and sums are left out.
 * Strength is the number of articles in common over that of the strongest pair: it has 1.
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
    /** Articles that name both. */
    co_mentions: z.number(),
    strength: z.number(),
  }),
})

/** The newest articles that name one of some entities, newest first. */
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
