import { z } from 'zod'
import { LINK_TYPES } from '../../events/graph.ts'
import type { Store } from '../../ports/store.ts'
import { surviving, type StoryQuery } from '../clusters/surviving-story.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** The relationships of a story as of a point in time, in both directions, ordered by confidence. */
const relationshipsOf = query({
  name: 'graph.relationships',
  sql: `
    SELECT
      source, target, type, entry.2 AS directed, entry.3 AS confidence, entry.4 AS shared_entities, entry.5 AS since
    FROM
    (
      SELECT
        source, target, type,
        argMax((action, directed, confidence, shared_entities, valid_from), (caused_offset, _offset)) AS entry
      FROM relationships FINAL
      PREWHERE source = {id: String} OR target = {id: String}
      WHERE namespace = {namespace: String} AND valid_from <= {as_of: DateTime64(3, 'UTC')}
      GROUP BY source, target, type
    )
    WHERE entry.1 != 'removed'
    ORDER BY confidence DESC, type, source, target`,
  params: z.object({ id: z.string(), as_of: moment }),
  row: z.object({
    source: z.string(),
    target: z.string(),
    type: z.enum(LINK_TYPES),
    directed: z.boolean(),
    confidence: z.number(),
    /** Ids. */
    shared_entities: z.array(z.string()),
    since: z.string(),
  }),
})

/**
 * The relationships of the story that an id resolves to, which `source` and `target` name; `merged_into` is set if that
 * is another id. `null` if there was no such story as of the point in time.
 */
export async function clusterRelationships(store: Store, params: StoryQuery) {
  const story = await surviving(store, params)
  if (story === null) return null
  const { cluster_id, merged_at } = story
  const { namespace, as_of } = params
  return {
    cluster_id,
    relationships: [...(await relationshipsOf(store)({ namespace, as_of, id: cluster_id }))],
    merged_into: merged_at === null ? null : cluster_id,
    merged_at,
  }
}
