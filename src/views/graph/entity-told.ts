import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { COUNTED } from './entity-window.ts'

/** Pairs of entities: `ones[i]` and `others[i]`, in either order. */
const pairsAsked = { from: moment, as_of: moment, ones: z.array(z.string()), others: z.array(z.string()) }

/** CTEs: the pairs asked about and the sentences of the window's analyses that name both. */
const SENTENCES = `
    asked AS (
      SELECT
        arrayJoin(
          arrayConcat(
            arrayZip({ones: Array(String)}, {others: Array(String)}),
            arrayZip({others: Array(String)}, {ones: Array(String)})
          )
        ) AS pair
    ),
    sentences AS (
      SELECT
        least(source_id, target_id) AS one, greatest(source_id, target_id) AS other, source_id, article_id,
        content_hash, direct, sentence, type, sentiment_score, occurred_at
      FROM sentence_relations FINAL
      PREWHERE (source_id, target_id) IN (SELECT pair.1, pair.2 FROM asked)
      WHERE namespace = {namespace: String} AND _offset IN (SELECT place FROM counted)
    )`

/** Per pair (`one` is the smaller id) and type of relation that sentences tell: in how many articles, and how they feel. */
export const typesOfPairs = query({
  name: 'graph.types_of_pairs',
  sql: `
    WITH ${COUNTED},
    ${SENTENCES}
    SELECT
      one, other, type, uniqExact(article_id) AS articles, count() AS told, countIf(source_id = one) AS from_one,
      round(avg(sentiment_score), 6) AS sentiment
    FROM sentences
    GROUP BY one, other, type
    ORDER BY one, other, articles DESC, told DESC, type`,
  params: z.object(pairsAsked),
  row: z.object({
    one: z.string(),
    other: z.string(),
    type: z.enum(['co_mention', 'collaborative', 'adversarial', 'causal']),
    articles: z.number(),
    /** Sentences, and those of them in which `one` acts. */
    told: z.number(),
    from_one: z.number(),
    /** -1 to +1: mean over the sentences. */
    sentiment: z.number(),
  }),
})

/** Sentences a pair that are looked at, as many as re-prints of one text may be among the newest. */
const LOOKED_AT = 24

/**
 * Per pair the newest sentences that tell its relation of the type `types[i]`, each once however many re-prints have it;
 * `ones[i]` is the smaller id.
 */
export const quotesOfPairs = query({
  name: 'graph.quotes_of_pairs',
  sql: `
    WITH ${COUNTED},
    ${SENTENCES},
    wanted AS (
      SELECT * FROM sentences
      WHERE (one, other, type) IN
        (SELECT arrayJoin(arrayZip({ones: Array(String)}, {others: Array(String)}, {types: Array(String)})))
      ORDER BY occurred_at DESC, article_id, sentence
      LIMIT ${LOOKED_AT} BY one, other
    ),
    quotes AS (
      SELECT article_id, content_hash, direct, sentence, any(quote) AS quote
      FROM relation_sentences
      PREWHERE article_id IN (SELECT article_id FROM wanted)
      WHERE namespace = {namespace: String}
        AND (article_id, content_hash, direct, sentence) IN (SELECT article_id, content_hash, direct, sentence FROM wanted)
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
  params: z.object({ ...pairsAsked, types: z.array(z.string()), limit: z.int() }),
  row: z.object({ one: z.string(), other: z.string(), article_id: z.string(), quote: z.string() }),
})

/**
 * Of pairs (`others[i]` once each) how many accounts the articles are that name both, re-prints of one text being one, and
 * how these articles feel.
 */
export const accountsOfPairs = query({
  name: 'graph.accounts_of_pairs',
  sql: `
    WITH ${COUNTED},
    named AS (
      SELECT DISTINCT
        entity_id AS other, transform(entity_id, {others: Array(String)}, {ones: Array(String)}, '') AS one,
        _offset AS at
      FROM entity_articles
      PREWHERE entity_id IN {others: Array(String)} AND _offset IN (SELECT place FROM counted)
      WHERE namespace = {namespace: String}
    ),
    beside AS (
      SELECT entity_id, _offset FROM entity_articles
      PREWHERE entity_id IN {ones: Array(String)} AND _offset IN (SELECT place FROM counted)
      WHERE namespace = {namespace: String}
    ),
    together AS (
      SELECT one, other, at FROM named WHERE (one, at) IN (SELECT entity_id, _offset FROM beside)
    ),
    reprints AS (
      SELECT article_id AS id, argMax(syndication_group, _offset) AS text_id
      FROM origins FINAL
      PREWHERE article_id IN (SELECT article_id FROM counted WHERE place IN (SELECT at FROM together))
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    texts AS (
      SELECT place, analysis.4 AS feeling, if(text_id = '', article_id, text_id) AS origin
      FROM counted LEFT JOIN reprints ON reprints.id = counted.article_id
    )
    SELECT one, other, uniqExact(origin) AS origins, round(avg(feeling), 6) AS sentiment
    FROM together INNER JOIN texts ON together.at = texts.place
    GROUP BY one, other`,
  params: z.object(pairsAsked),
  row: z.object({ one: z.string(), other: z.string(), origins: z.number(), sentiment: z.number() }),
})

/** Some entities as articles of a window show them; one that none names has no row. */
export const entitiesShown = query({
  name: 'graph.entities_shown',
  sql: `
    WITH ${COUNTED}
    SELECT
      entity_id AS id, any(name) AS called, any(type) AS kind, sum(mentions) AS mentions,
      round(avg(feeling), 6) AS sentiment_avg
    FROM
    (
      SELECT DISTINCT entity_id, _offset, name, type, mention_count AS mentions, sentiment_score AS feeling
      FROM entity_articles
      PREWHERE entity_id IN {ids: Array(String)} AND _offset IN (SELECT place FROM counted)
      WHERE namespace = {namespace: String}
    )
    GROUP BY entity_id`,
  params: z.object({ from: moment, as_of: moment, ids: z.array(z.string()) }),
  row: z.object({
    id: z.string(),
    called: z.string(),
    kind: z.string(),
    mentions: z.number(),
    /** -1 to +1: mean over articles of how each speaks of it. */
    sentiment_avg: z.number(),
  }),
})
