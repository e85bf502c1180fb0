import { z } from 'zod'
import { GRAPH } from '../../domain/graph/rules.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'
import { trendingEntities } from '../trends/entity-trends.ts'

/** Pairs of stories related as of a point in time, of any type and direction, and threads with enough stories. */
const storyFigures = query({
  name: 'graph.story_figures',
  sql: `
    WITH links AS (
      SELECT source, target, argMax((action, confidence), (caused_offset, _offset)) AS entry
      FROM relationships FINAL
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY source, target, type
      HAVING entry.1 != 'removed' AND entry.2 >= {confidence: Float64}
    ),
    places AS (
      SELECT cluster_id, argMax((action, thread_id), (caused_offset, _offset)) AS entry
      FROM thread_places FINAL
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY cluster_id
      HAVING entry.1 != 'removed'
    ),
    threads AS (SELECT entry.2 AS thread FROM places GROUP BY thread HAVING count() >= {least: UInt32})
    SELECT
      (SELECT uniqExact(least(source, target), greatest(source, target)) FROM links) AS related,
      (SELECT count() FROM threads) AS threads`,
  params: z.object({ as_of: moment, confidence: z.number(), least: z.int() }),
  row: z.object({ related: z.number(), threads: z.number() }),
})

/** Entities with a higher velocity are trending. */
const TRENDING = 1.5
const NAMED = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT']

/**
 * All statistics except the number of entity pairs, which is slow to count; `cluster_relationships` counts pairs of
 * stories.
 */
export async function graphStats(store: Store, params: AsOf) {
  const [[stories], trending_entities] = await Promise.all([
    storyFigures(store)({ ...params, confidence: GRAPH.shared.confidence, least: GRAPH.thread.leastStories }),
    trendingEntities(store, { ...params, above: TRENDING, types: NAMED }),
  ])
  return {
    cluster_relationships: stories?.related ?? 0,
    narrative_threads: stories?.threads ?? 0,
    trending_entities,
  }
}

/** Reads the whole namespace: 500,000 articles with ten entities each take about three seconds. */
const MAX_SECONDS = 30

/**
 * Distinct pairs of entities that at least one article mentions together, as of a point in time, at any strength. Only
 * the current analysis of each article counts; repeated rows change nothing. Pairs are identified by a 64-bit hash:
 * with ten million pairs, the probability of a collision is 1 in 400,000.
 */
const DEFINITION = {
  name: 'graph.entity_pair_count',
  sql: `
    WITH several AS (
      SELECT article_id FROM analyzed_articles
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
      HAVING count() > 1
    ),
    revised AS (
      SELECT
        article_id, argMax((content_hash, direct), (NOT direct, _offset)) AS counts,
        groupUniqArray((content_hash, direct)) AS analyses
      FROM analyzed_articles FINAL
      PREWHERE article_id IN (SELECT article_id FROM several)
      WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY article_id
    ),
    superseded AS (
      SELECT cityHash64(article_id, analysis.1, analysis.2) AS of_analysis
      FROM revised ARRAY JOIN arrayFilter(one -> one != counts, analyses) AS analysis
    ),
    named AS (
      SELECT arrayCompact(arraySort(groupArray(cityHash64(entity_id)))) AS ids
      FROM entity_articles
      WHERE namespace = {namespace: String} AND type NOT IN ('DATE', 'MONEY')
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
        AND cityHash64(article_id, content_hash, direct) NOT IN (SELECT of_analysis FROM superseded)
      GROUP BY _offset
    )
    SELECT
      uniqExactArray(arrayFlatten(arrayMap(
        (one, i) -> arrayMap(other -> cityHash64(one, other), arraySlice(ids, i + 1)), ids, arrayEnumerate(ids)
      ))) AS pairs
    FROM named`,
  params: z.object({ as_of: moment }),
  row: z.object({ pairs: z.number() }),
} as const

/** With the time limit of an API request. */
export const entityPairCount = query(DEFINITION)

/** With the time limit of a build. */
export const entityPairCountOfAll = query({ ...DEFINITION, maxSeconds: MAX_SECONDS })
