import { z } from 'zod'
import { GRAPH } from '../../domain/graph/rules.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { trendingEntities } from '../trends/entity-trends.ts'

/** Pairs of stories that are related as of a moment, in whatever way and direction, and threads of enough stories. */
const storyFigures = query({
  name: 'graph.story_figures',
  sql: `
    WITH links AS (
      SELECT source, target, argMax((action, confidence), (caused_offset, _offset)) AS word
      FROM relationships FINAL
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY source, target, type
      HAVING word.1 != 'removed' AND word.2 >= {confidence: Float64}
    ),
    places AS (
      SELECT cluster_id, argMax((action, thread_id), (caused_offset, _offset)) AS word
      FROM thread_places FINAL
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY cluster_id
      HAVING word.1 != 'removed'
    ),
    threads AS (SELECT word.2 AS thread FROM places GROUP BY thread HAVING count() >= {least: UInt32})
    SELECT
      (SELECT uniqExact(least(source, target), greatest(source, target)) FROM links) AS related,
      (SELECT count() FROM threads) AS threads`,
  params: z.object({ as_of: moment, confidence: z.number(), least: z.int() }),
  row: z.object({ related: z.number(), threads: z.number() }),
})

/** All but the pairs of entities, which take long to count. */
export interface GraphStats {
  /** Pairs of stories. */
  readonly cluster_relationships: number
  readonly narrative_threads: number
  readonly trending_entities: number
}

/** Entities above it are trending. */
const TRENDING = 1.5
const NAMED = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT']

export async function graphStats(
  store: Store,
  params: { readonly namespace: string; readonly as_of: number },
): Promise<GraphStats> {
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
