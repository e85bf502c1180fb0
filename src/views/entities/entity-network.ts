import { z } from 'zod'
import { groupBy } from '../../domain/group-by.ts'
import type { Store } from '../../ports/store.ts'
import { minArticles, pairsAmong, reachedFrom, strengthOf, type EntityIndex } from './entity-index.ts'
import { rootOf } from './entity-relationships.ts'
import { keyOf, leadingType, typesAmong } from './entity-relations.ts'
import { overCurrentAnalyses, type CurrentAnalyses } from './current-analyses.ts'
import { entityWindow } from './entity-window.ts'
import type { EntityQuery } from './queries.ts'

/** Mentions and sentiment of some entities in the articles of a window; an entity without mentions has no row. */
const entitiesShown = overCurrentAnalyses({
  name: 'graph.entities_shown',
  sql: (ctes, condition) => `
    WITH ${ctes}
    named AS (
      SELECT DISTINCT entity_id, _offset, mention_count AS mentioned, sentiment_score AS feeling
      FROM entity_articles
      PREWHERE entity_id IN {ids: Array(String)} AND ${condition}
      WHERE namespace = {namespace: String}
    )
    SELECT entity_id AS id, sum(mentioned) AS mentions, round(avg(feeling), 6) AS sentiment_avg
    FROM named
    GROUP BY entity_id`,
  params: z.object({ ids: z.array(z.string()) }),
  row: z.object({
    id: z.string(),
    mentions: z.number(),
    /** -1 to +1: mean over articles of the sentiment towards the entity. */
    sentiment_avg: z.number(),
  }),
})

interface EntityNetworkQuery extends EntityQuery {
  readonly window_ms: number
  /** 1 to 3. */
  readonly depth: number
  /** 0 to 1. */
  readonly min_strength: number
  /** Includes the root. */
  readonly max_nodes: number
}

/**
 * The neighbourhood of an entity: the entities with the strongest paths among those within `depth` steps over pairs of
 * at least `min_strength`, and all such pairs between them. A path is as strong as its weakest pair, so the entities on
 * the path to a returned node are returned too: the graph is connected. Nodes are the root, then the others by strength
 * of their paths; edges are ordered by strength. `null` if there is no such entity.
 */
export async function entityNetwork(stores: Store, params: EntityNetworkQuery) {
  const { store, analyses, index } = await entityWindow(stores, params)
  const root = await rootOf(store, index, params)
  if (root === null) return null

  const { depth, max_nodes } = params
  const minimum = minArticles(params.min_strength, index.maxCommon)
  const least = Math.max(minimum, index.floor)
  const reached = reachedFrom(index, { root: root.id, depth, least, most: max_nodes })
  const ids = [root.id, ...reached.slice(0, max_nodes - 1)]
  const [nodes, edges] = await Promise.all([
    nodesOf(store, index, { ...analyses, ids, root }),
    ids.length === 1 ? [] : edgesAmong(store, index, { ...analyses, ids, least }),
  ])
  return {
    entity: root,
    nodes,
    edges,
    truncated: reached.length >= ids.length || index.floor > minimum,
    max_co_mentions: index.maxCommon,
  }
}

interface SubgraphQuery extends CurrentAnalyses {
  readonly ids: string[]
}

async function nodesOf(
  store: Store,
  index: EntityIndex,
  { root, ...params }: SubgraphQuery & { readonly root: { readonly name: string; readonly type: string } },
) {
  const shown = new Map((await entitiesShown(store)(params)).map((figures) => [figures.id, figures]))
  return params.ids.map((id) => {
    const { name, type } = index.entities[index.numberOf.get(id) ?? -1] ?? root
    const { mentions = 0, sentiment_avg = 0 } = shown.get(id) ?? {} // the window may not mention the root
    return { id, name, type, mentions, sentiment_avg }
  })
}

/** The source of a directed edge is the entity that acts; of any other edge, the smaller id. */
async function edgesAmong(
  store: Store,
  index: EntityIndex,
  { least, ...params }: SubgraphQuery & { readonly least: number },
) {
  const byPair = groupBy(await typesAmong(store)(params), keyOf)
  return pairsAmong(index, params.ids, least).map(({ one, other, articles }) => {
    const kinds = byPair.get(keyOf({ one, other })) ?? []
    const type = leadingType(kinds)
    const { sentence_count = 0, from_one = 0 } = kinds.find((kind) => kind.type === type) ?? {}
    const directed = type !== 'co_mention' && from_one * 2 !== sentence_count
    const ends =
      directed && from_one * 2 < sentence_count ? { source: other, target: one } : { source: one, target: other }
    return { ...ends, strength: strengthOf(articles, index.maxCommon), type, directed, co_mentions: articles }
  })
}
