import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

const places = z.array(z.number())
/** Pairs of entities: `ones[i]` and `others[i]`, in either order. */
const pairParameters = { places, ones: z.array(z.string()), others: z.array(z.string()) }

/** CTE: the sentences of a window's analyses that name both of a pair. */
const SENTENCES = `
    sentences AS (
      SELECT
        least(source_id, target_id) AS one, greatest(source_id, target_id) AS other, source_id, article_id,
        content_hash, direct, sentence, type, sentiment_score, occurred_at
      FROM sentence_relations FINAL
      PREWHERE (source_id, target_id) IN
        arrayConcat(
          arrayZip({ones: Array(String)}, {others: Array(String)}),
          arrayZip({others: Array(String)}, {ones: Array(String)})
        )
      WHERE namespace = {namespace: String} AND _offset IN {places: Array(UInt64)}
    )`

const KINDS = `
      one, other, type, uniqExact(article_id) AS articles, count() AS sentence_count, countIf(source_id = one) AS from_one,
      round(avg(sentiment_score), 6) AS sentiment`

const kind = z.object({
  /** The smaller id of the two. */
  one: z.string(),
  other: z.string(),
  type: z.enum(['co_mention', 'collaborative', 'adversarial', 'causal']),
  articles: z.number(),
  /** Sentences, and those of them in which `one` acts. */
  sentence_count: z.number(),
  from_one: z.number(),
  /** -1 to +1: mean over the sentences. */
  sentiment: z.number(),
})

/** Per pair and asserted type of relation: in how many articles, and with what sentiment; the most frequent first. */
export const typesOfPairs = query({
  name: 'graph.types_of_pairs',
  sql: `
    WITH ${SENTENCES}
    SELECT ${KINDS}
    FROM sentences
    GROUP BY one, other, type
    ORDER BY one, other, articles DESC, sentence_count DESC, type`,
  params: z.object(pairParameters),
  row: kind,
})

/** The same of every two of some entities; sentences that only name both are left out. */
export const typesAmong = query({
  name: 'graph.types_among',
  sql: `
    WITH sentences AS (
      SELECT
        least(source_id, target_id) AS one, greatest(source_id, target_id) AS other, source_id, article_id, type,
        sentiment_score
      FROM sentence_relations FINAL
      PREWHERE source_id IN {ids: Array(String)} AND target_id IN {ids: Array(String)}
      WHERE namespace = {namespace: String} AND type != 'co_mention' AND _offset IN {places: Array(UInt64)}
    )
    SELECT ${KINDS}
    FROM sentences
    GROUP BY one, other, type
    ORDER BY one, other, articles DESC, sentence_count DESC, type`,
  params: z.object({ places, ids: z.array(z.string()) }),
  row: kind,
})

/** Sentences a pair that are looked at, as many as re-prints of one text may be among the newest. */
const LOOKED_AT = 8

/**
 * Per pair the newest sentences that assert its relation of the type `types[i]`, each once however many re-prints have it;
 * `ones[i]` is the smaller id.
 */
export const quotesOfPairs = query({
  name: 'graph.quotes_of_pairs',
  sql: `
    WITH ${SENTENCES},
    wanted AS (
      SELECT * FROM sentences
      WHERE (one, other, type) IN
        arrayZip({ones: Array(String)}, {others: Array(String)}, {types: Array(String)})
      ORDER BY occurred_at DESC, article_id, sentence
      LIMIT ${LOOKED_AT} BY one, other
    ),
    quotes AS (
      SELECT article_id, content_hash, direct, sentence, any(quote) AS quote
      FROM relation_sentences
      PREWHERE article_id IN (SELECT article_id FROM wanted)
      WHERE namespace = {namespace: String}
      GROUP BY article_id, content_hash, direct, sentence
    ),
    quoted AS (
      SELECT one, other, article_id, occurred_at, sentence, quote
      FROM wanted INNER JOIN quotes USING (article_id, content_hash, direct, sentence)
      ORDER BY occurred_at DESC, article_id, sentence
      LIMIT 1 BY one, other, quote
    )
    SELECT one, other, article_id, quote
    FROM quoted
    ORDER BY occurred_at DESC, article_id, sentence
    LIMIT {limit: UInt8} BY one, other`,
  params: z.object({ ...pairParameters, types: z.array(z.string()), limit: z.int() }),
  row: z.object({ one: z.string(), other: z.string(), article_id: z.string(), quote: z.string() }),
})

/** Pairs (`one` is the smaller id) with one of some entities, of which a sentence asserts a type; empty: any but `co_mention`. */
export const relationsOfPairs = query({
  name: 'graph.pair_relations',
  sql: `
    SELECT DISTINCT least(source_id, target_id) AS one, greatest(source_id, target_id) AS other
    FROM sentence_relations
    WHERE namespace = {namespace: String} AND type != 'co_mention' AND ({type: String} = '' OR type = {type: String})
      AND (source_id IN {ids: Array(String)} OR target_id IN {ids: Array(String)}) AND _offset IN {places: Array(UInt64)}`,
  params: z.object({ places, ids: z.array(z.string()), type: z.string() }),
  row: z.object({ one: z.string(), other: z.string() }),
})

/** One row: articles by the places in the log of their analyses, and how each feels, -1 to +1; in parallel, some twice. */
export const textsAt = query({
  name: 'graph.texts_at',
  sql: `
    SELECT groupArray(_offset) AS at, groupArray(article_id) AS article_ids, groupArray(sentiment_score) AS feelings
    FROM analyzed_articles
    PREWHERE _offset IN {places: Array(UInt64)}
    WHERE namespace = {namespace: String}`,
  params: z.object({ places }),
  row: z.object({ at: z.array(z.number()), article_ids: z.array(z.string()), feelings: z.array(z.number()) }),
})

/** One row: articles with the text each is a re-print of; one that was never clustered is not there. */
export const reprintsAt = query({
  name: 'graph.reprints_at',
  sql: `
    WITH texts AS (
      SELECT article_id FROM analyzed_articles
      PREWHERE _offset IN {places: Array(UInt64)}
      WHERE namespace = {namespace: String}
    ),
    newest AS (
      SELECT article_id, argMax(syndication_group, _offset) AS origin
      FROM origins FINAL
      PREWHERE article_id IN (SELECT article_id FROM texts)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    )
    SELECT groupArray(article_id) AS article_ids, groupArray(origin) AS origins FROM newest`,
  params: z.object({ places, as_of: moment }),
  row: z.object({ article_ids: z.array(z.string()), origins: z.array(z.string()) }),
})

/** Some entities as articles of a window speak of them; one that none names has no row. */
export const entitiesShown = query({
  name: 'graph.entities_shown',
  sql: `
    WITH named AS (
      SELECT DISTINCT entity_id, _offset, mention_count AS mentioned, sentiment_score AS feeling
      FROM entity_articles
      PREWHERE entity_id IN {ids: Array(String)} AND _offset IN {places: Array(UInt64)}
      WHERE namespace = {namespace: String}
    )
    SELECT entity_id AS id, sum(mentioned) AS mentions, round(avg(feeling), 6) AS sentiment_avg
    FROM named
    GROUP BY entity_id`,
  params: z.object({ places, ids: z.array(z.string()) }),
  row: z.object({
    id: z.string(),
    mentions: z.number(),
    /** -1 to +1: mean over articles of how each speaks of it. */
    sentiment_avg: z.number(),
  }),
})
