import type { Store } from '../../ports/store.ts'
import type { EntityQuery } from './find.ts'
import { leastArticles, pairsAmong, strengthOf, type EntityIndex } from './entity-index.ts'
import { rootOf, type EntityRelationships } from './entity-relationships.ts'
import { keyOf, leadingType, type EntityRelation } from './entity-relations.ts'
import { entitiesShown, typesAmong } from './entity-relation-queries.ts'
import { reachedFrom } from './entity-walk.ts'
import { indexOf } from './entity-window.ts'

export interface EntityNetworkQuery extends EntityQuery {
  readonly window_ms: number
  /** 1 to 3. */
  readonly depth: number
  /** 0 to 1. */
  readonly min_strength: number
  /** With the root. */
  readonly max_nodes: number
}

export interface NetworkNode {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly mentions: number
  /** -1 to +1: mean over articles of how each speaks of it. */
  readonly sentiment_avg: number
}

/** Of a typed one that is directed, who acts is the source; of any other the smaller id. */
export interface NetworkEdge {
  readonly source: string
  readonly target: string
  readonly strength: number
  readonly type: EntityRelation['type']
  readonly directed: boolean
  readonly co_mentions: number
}

export interface EntityNetwork {
  readonly entity: EntityRelationships['entity']
  /** The root first, then as they were reached: those of the strongest ways first. */
  readonly nodes: readonly NetworkNode[]
  /** Every pair of the nodes of enough strength, the strongest first. */
  readonly edges: readonly NetworkEdge[]
  /** True: there are more nodes. */
  readonly truncated: boolean
  readonly max_co_mentions: number
}

/**
 * Who is around an entity: of all it reaches within some steps over pairs of enough strength, those with the strongest
 * ways, and every pair of enough strength among these. A way is as strong as its weakest pair, so the steps to a node that
 * is kept are kept too: no node stands apart. Null: no such entity.
 */
export async function entityNetwork(store: Store, params: EntityNetworkQuery): Promise<EntityNetwork | null> {
  const index = await indexOf(store, params)
  const root = await rootOf(store, index, params)
  if (root === null) return null

  const { namespace, depth, max_nodes } = params
  const filter = leastArticles(params.min_strength, index.most)
  const least = Math.max(filter, index.floor)
  const reached = reachedFrom(index, { root: root.id, depth, least, most: max_nodes })
  const ids = [root.id, ...reached.slice(0, max_nodes - 1)]
  const places = [...index.articles.keys()]
  const [nodes, edges] = await Promise.all([
    nodesOf(store, index, { namespace, places, ids, root }),
    ids.length === 1 ? [] : edgesAmong(store, index, { namespace, places, ids, least }),
  ])
  return {
    entity: root,
    nodes,
    edges,
    truncated: reached.length >= ids.length || index.floor > filter,
    max_co_mentions: index.most,
  }
}

interface Among {
  readonly namespace: string
  readonly places: number[]
  readonly ids: string[]
}

async function nodesOf(
  store: Store,
  index: EntityIndex,
  { root, ...params }: Among & { readonly root: EntityNetwork['entity'] },
): Promise<NetworkNode[]> {
  const shown = new Map((await entitiesShown(store)(params)).map((figures) => [figures.id, figures]))
  return params.ids.map((id) => {
    const { name, type } = index.entities[index.numberOf.get(id) ?? -1] ?? root
    const { mentions = 0, sentiment_avg = 0 } = shown.get(id) ?? {} // of a root that the window does not name
    return { id, name, type, mentions, sentiment_avg }
  })
}

async function edgesAmong(
  store: Store,
  index: EntityIndex,
  { least, ...params }: Among & { readonly least: number },
): Promise<NetworkEdge[]> {
  const types = await typesAmong(store)(params)
  const byPair = new Map<string, (typeof types)[number][]>()
  for (const row of types) byPair.set(keyOf(row), [...(byPair.get(keyOf(row)) ?? []), row])
  return pairsAmong(index, params.ids, least).map(({ one, other, articles }) => {
    const kinds = byPair.get(keyOf({ one, other })) ?? []
    const type = leadingType(kinds)
    const { sentence_count = 0, from_one = 0 } = kinds.find((kind) => kind.type === type) ?? {}
    const directed = type !== 'co_mention' && from_one * 2 !== sentence_count
    const ends =
      directed && from_one * 2 < sentence_count ? { source: other, target: one } : { source: one, target: other }
    return { ...ends, strength: strengthOf(articles, index.most), type, directed, co_mentions: articles }
  })
}
