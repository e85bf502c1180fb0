import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { COUNTED } from './entity-window.ts'

const inWindow = { from: moment, as_of: moment }

/** Named entities by the number of articles of a window that name them, those of most articles first. */
export const entitiesByArticles = query({
  name: 'graph.entities_by_articles',
  sql: `
    WITH ${COUNTED}
    SELECT entity_id, uniqExact(_offset) AS articles
    FROM entity_articles
    PREWHERE type NOT IN ('DATE', 'MONEY') AND _offset IN (SELECT place FROM counted)
    WHERE namespace = {namespace: String}
    GROUP BY entity_id
    ORDER BY articles DESC, entity_id
    LIMIT {limit: UInt32}`,
  params: z.object({ ...inWindow, limit: z.int() }),
  row: z.object({ entity_id: z.string(), articles: z.number() }),
})

/** One row: of some entities, how many articles of a window name the two that most name both of; 0: no two of them. */
export const mostTogether = query({
  name: 'graph.most_together',
  sql: `
    WITH ${COUNTED},
    named AS (
      SELECT arraySort(groupUniqArray(entity_id)) AS ids
      FROM entity_articles
      PREWHERE entity_id IN {ids: Array(String)} AND _offset IN (SELECT place FROM counted)
      WHERE namespace = {namespace: String}
      GROUP BY _offset
      HAVING length(ids) > 1
    ),
    pairs AS (
      SELECT
        arrayJoin(
          arrayFlatten(arrayMap((one, i) -> arrayMap(other -> (one, other), arraySlice(ids, i + 1)), ids, arrayEnumerate(ids)))
        ) AS pair,
        count() AS articles
      FROM named
      GROUP BY pair
    )
    SELECT max(articles) AS articles FROM pairs`,
  params: z.object({ ...inWindow, ids: z.array(z.string()) }),
  row: z.object({ articles: z.number() }),
})

/**
 * Entities that articles of a window name together with one of `ids`, each with that one of `ids` over which its way is
 * widest: the number of articles that name both, or what `widths` says of the one, whichever is less. At least `least`
 * articles name both; the widest first. `type` narrows to pairs of which some sentence tells that type, `co_mention` to
 * those of which none tells any; empty: all. Whom fewer than `least` articles name is left out before pairs are made.
 */
export const entitiesBeside = query({
  name: 'graph.entities_beside',
  sql: `
    WITH ${COUNTED},
    reached AS (
      SELECT _offset FROM entity_articles
      PREWHERE entity_id IN {ids: Array(String)} AND _offset IN (SELECT place FROM counted)
      WHERE namespace = {namespace: String}
    ),
    often AS (
      SELECT entity_id FROM entity_articles
      PREWHERE type NOT IN ('DATE', 'MONEY') AND _offset IN (SELECT _offset FROM reached)
      WHERE namespace = {namespace: String}
      GROUP BY entity_id
      HAVING uniqExact(_offset) >= {least: UInt64}
    ),
    named AS (
      SELECT
        groupUniqArray(entity_id) AS others,
        groupUniqArrayIf(entity_id, entity_id IN {ids: Array(String)}) AS ones
      FROM entity_articles
      PREWHERE _offset IN (SELECT _offset FROM reached) AND entity_id IN (SELECT entity_id FROM often)
      WHERE namespace = {namespace: String}
      GROUP BY _offset
    ),
    told AS (
      SELECT DISTINCT least(source_id, target_id) AS one_id, greatest(source_id, target_id) AS other_id
      FROM sentence_relations
      WHERE namespace = {namespace: String} AND {type: String} != '' AND type != 'co_mention'
        AND ({type: String} = 'co_mention' OR type = {type: String})
        AND (source_id IN {ids: Array(String)} OR target_id IN {ids: Array(String)})
        AND _offset IN (SELECT place FROM counted)
    ),
    pairs AS (
      SELECT arrayJoin(ones) AS via, arrayJoin(others) AS id, count() AS articles
      FROM named
      WHERE via != id AND id NOT IN {seen: Array(String)}
      GROUP BY via, id
      HAVING articles >= {least: UInt64}
    )
    SELECT id, via, articles, least(articles, transform(via, {ids: Array(String)}, {widths: Array(UInt64)}, 0)) AS width
    FROM pairs
    WHERE {type: String} = ''
      OR ((least(via, id), greatest(via, id)) IN (SELECT one_id, other_id FROM told)) = ({type: String} != 'co_mention')
    ORDER BY width DESC, articles DESC, id, via
    LIMIT 1 BY id
    LIMIT {limit: UInt32}`,
  params: z.object({
    ...inWindow,
    ids: z.array(z.string()),
    /** In parallel. */
    widths: z.array(z.number()),
    /** Entities that are not asked about. */
    seen: z.array(z.string()),
    least: z.int(),
    type: z.string(),
    limit: z.int(),
  }),
  row: z.object({ id: z.string(), via: z.string(), articles: z.number(), width: z.number() }),
})

/** Every two of some entities that at least so many articles of a window name together, the most first. */
export const pairsAmong = query({
  name: 'graph.pairs_among',
  sql: `
    WITH ${COUNTED},
    named AS (
      SELECT arraySort(groupUniqArray(entity_id)) AS ids
      FROM entity_articles
      PREWHERE entity_id IN {ids: Array(String)} AND _offset IN (SELECT place FROM counted)
      WHERE namespace = {namespace: String}
      GROUP BY _offset
      HAVING length(ids) > 1
    )
    SELECT
      arrayJoin(
        arrayFlatten(arrayMap((one, i) -> arrayMap(other -> (one, other), arraySlice(ids, i + 1)), ids, arrayEnumerate(ids)))
      ) AS pair,
      pair.1 AS one, pair.2 AS other, count() AS articles
    FROM named
    GROUP BY pair
    HAVING articles >= {least: UInt64}
    ORDER BY articles DESC, one, other`,
  params: z.object({ ...inWindow, ids: z.array(z.string()), least: z.int() }),
  row: z.object({ one: z.string(), other: z.string(), articles: z.number() }),
})
