import { z } from 'zod'
import { query } from '../query.ts'

/** Words up to a place in the log (exclusive) on where articles belong, and where each does by the last of them. */
const BELONGING = `
    placed AS (
      SELECT article_id, cluster_id, _offset FROM placements FINAL
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64}
    ),
    words AS (SELECT article_id, argMax(cluster_id, _offset) AS cluster_id FROM placed GROUP BY article_id)`

/** A question about the whole of a namespace is no reader's: it may take longer than they may. */
const MAX_SECONDS = 60

/** How many stories ever had an article, and in which partition of the ledger they are; no row: none. */
export const storyCount = query({
  name: 'graph.story_count',
  sql: `
    SELECT uniqExact(cluster_id) AS stories, any(_partition) AS lies_in, max(_offset) AS newest
    FROM placements
    WHERE namespace = {namespace: String}
    HAVING stories > 0`,
  params: z.object({}),
  row: z.object({ stories: z.number(), lies_in: z.number(), newest: z.number() }),
  maxSeconds: MAX_SECONDS,
})

/**
 * A story that has articles, one row each: when they came, and the entities of each. `ids`, `types` and `mentions`
 * have a text an article with its entities in one order, separated by blanks: one value is read faster than many.
 */
export const storyArticles = query({
  name: 'graph.story_articles',
  sql: `
    WITH ${BELONGING},
    opened AS (SELECT cluster_id, min(_offset) AS opened FROM placed GROUP BY cluster_id),
    facts AS (
      SELECT article_id, occurred_at, entity_ids, entity_types, entity_mentions, title, _offset FROM members FINAL
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    ),
    articles AS (
      SELECT
        words.cluster_id AS cluster_id, toUnixTimestamp64Milli(facts.occurred_at) AS at, facts._offset AS came,
        arrayStringConcat(facts.entity_ids, ' ') AS of_ids, arrayStringConcat(facts.entity_types, ' ') AS of_types,
        arrayStringConcat(facts.entity_mentions, ' ') AS of_mentions, ifNull(facts.title, '') AS of_title
      FROM words INNER JOIN facts ON words.article_id = facts.article_id
      WHERE cityHash64(words.cluster_id) % {parts: UInt32} = {part: UInt32}
    ),
    stories AS (
      SELECT
        cluster_id, min(at) AS first_at, max(at) AS last_at, groupArray(of_ids) AS ids, groupArray(of_types) AS types,
        groupArray(of_mentions) AS mentions, groupArray(of_title) AS titles, max(came) AS newest
      FROM articles
      GROUP BY cluster_id
    )
    SELECT cluster_id, first_at, last_at, ids, types, mentions, titles, newest, opened.opened AS opened
    FROM stories INNER JOIN opened ON stories.cluster_id = opened.cluster_id`,
  params: z.object({ position: z.number(), parts: z.int(), part: z.int() }),
  row: z.object({
    cluster_id: z.string(),
    /** Milliseconds since 1970. */
    first_at: z.number(),
    last_at: z.number(),
    ids: z.array(z.string()),
    types: z.array(z.string()),
    mentions: z.array(z.string()),
    /** Empty: the article has none. */
    titles: z.array(z.string()),
    /** Where in the ledger its newest article came. */
    newest: z.number(),
    /** Offset of the first word that put an article there. */
    opened: z.number(),
  }),
  maxSeconds: MAX_SECONDS,
})

/**
 * A story that articles left, or to which a split brought some: the story that the last such split took them from, or an
 * empty text; where those that left it last went if that was a merge, or an empty text; and from when on that holds: 0 of a
 * curator's word, which holds at every moment.
 */
export const storyPasts = query({
  name: 'graph.story_pasts',
  sql: `
    WITH changes AS (
      SELECT
        cluster_id, ifNull(from_cluster_id, '') AS from_id, action, ifNull(correction_action, '') AS by_hand,
        if(action = 'corrected', 0, toUnixTimestamp64Milli(occurred_at)) AS at, _offset
      FROM story_changes FINAL
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64} AND action != 'rebuilt'
        AND from_cluster_id IS NOT NULL AND from_cluster_id != cluster_id AND refused IS NULL AND notEmpty(article_ids)
    ),
    sides AS (
      SELECT
        if(leaves, from_id, cluster_id) AS story, leaves, if(leaves, cluster_id, from_id) AS other, at, _offset,
        leaves AND (action = 'merged' OR by_hand = 'merge') AS is_merge,
        NOT leaves AND (action = 'split' OR by_hand = 'split') AS is_split
      FROM changes ARRAY JOIN [true, false] AS leaves
      WHERE cityHash64(story) % {parts: UInt32} = {part: UInt32}
    ),
    ways AS (
      SELECT
        story, argMaxIf(other, _offset, is_split) AS split_from, argMaxIf(at, _offset, is_split) AS split_at,
        argMaxIf(if(is_merge, other, ''), _offset, leaves) AS merged_into, argMaxIf(at, _offset, leaves) AS merged_at
      FROM sides
      GROUP BY story
      HAVING split_from != '' OR merged_into != ''
    ),
    opened AS (
      SELECT cluster_id, min(_offset) AS opened FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT story FROM ways)
      GROUP BY cluster_id
    )
    SELECT story AS cluster_id, split_from, split_at, merged_into, merged_at, opened.opened AS opened
    FROM ways INNER JOIN opened ON ways.story = opened.cluster_id`,
  params: z.object({ position: z.number(), parts: z.int(), part: z.int() }),
  row: z.object({
    cluster_id: z.string(),
    split_from: z.string(),
    split_at: z.number(),
    merged_into: z.string(),
    merged_at: z.number(),
    opened: z.number(),
  }),
  maxSeconds: MAX_SECONDS,
})

/**
 * Sum of the lead vectors of some stories, named by the offsets of the words that opened them, in steps of 1/127, as `quantised` has them: little-endian int32[384], base64; and
 * one more number, since a text made of numbers ends where nothing but zeros follows.
 */
export const storyCentres = query({
  name: 'graph.story_centres',
  sql: `
    WITH wanted AS (
      SELECT cluster_id FROM placements
      WHERE namespace = {namespace: String} AND _offset IN {opened: Array(UInt64)}
    ),
    concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN (SELECT cluster_id FROM wanted)
    ),
    words AS (
      SELECT article_id, argMax(cluster_id, _offset) AS cluster_id FROM placements FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64}
      GROUP BY article_id
      HAVING cluster_id IN (SELECT cluster_id FROM wanted)
    ),
    facts AS (
      SELECT article_id, vector FROM members FINAL
      PREWHERE article_id IN (SELECT article_id FROM concerned)
      WHERE namespace = {namespace: String} AND _offset < {position: UInt64}
      ORDER BY _offset DESC
      LIMIT 1 BY article_id
    )
    SELECT
      words.cluster_id AS cluster_id,
      sumForEach(arrayMap(component -> toInt64(floor(127 * toFloat64(component) + 0.5)), facts.vector)) AS centre,
      base64Encode(reinterpret(arrayMap(sum -> toInt32(sum), arrayPushBack(centre, -1)), 'String')) AS packed
    FROM words INNER JOIN facts ON words.article_id = facts.article_id
    WHERE length(facts.vector) = 384
    GROUP BY words.cluster_id`,
  params: z.object({ position: z.number(), opened: z.array(z.number()) }),
  row: z.object({ cluster_id: z.string(), packed: z.string() }),
  maxSeconds: MAX_SECONDS,
})
