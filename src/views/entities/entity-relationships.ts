import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { overCurrentAnalyses } from './current-analyses.ts'
import { minArticles, nextSteps, strengthOf, type EntityIndex, type EntityPair } from './entity-index.ts'
import { keyOf, relationsOf, type RelationType } from './entity-relations.ts'
import { entityWindow, type EntityWindow } from './entity-window.ts'
import { idsOf, knownOf, type EntityQuery } from './queries.ts'

/**
 * Pairs with one of some entities that have a sentence of a type; an empty `type` matches all types but `co_mention`.
 * `one` is the smaller id.
 */
const relationsOfPairs = overCurrentAnalyses({
  name: 'graph.pair_relations',
  sql: (ctes, condition) => `
    WITH ${ctes}
    pairs AS (
    SELECT DISTINCT least(source_id, target_id) AS one, greatest(source_id, target_id) AS other
    FROM sentence_relations
    WHERE namespace = {namespace: String} AND type != 'co_mention' AND ({type: String} = '' OR type = {type: String})
      AND (source_id IN {ids: Array(String)} OR target_id IN {ids: Array(String)}) AND ${condition}
    )
    SELECT one, other FROM pairs`,
  params: z.object({ ids: z.array(z.string()), type: z.string() }),
  row: z.object({ one: z.string(), other: z.string() }),
})

interface EntityRelationshipsQuery extends EntityQuery {
  readonly window_ms: number
  /** 1 to 3. */
  readonly depth: number
  /** 0 to 1. */
  readonly min_strength: number
  /** `null` for all. */
  readonly relation: RelationType | null
}

/** Maximum number of relationships in a response. */
export const MOST_RELATIONSHIPS = 500

/**
 * Entities that are mentioned together with an entity in a window, and how they are related. Depths above 1 add the
 * entities mentioned together with these. Each entity appears once, at its smallest depth with its strongest pair
 * there; ordered by depth, then strength. `null` if there is no such entity.
 */
export async function entityRelationships(stores: Store, params: EntityRelationshipsQuery) {
  const window = await entityWindow(stores, params)
  const { store, index } = window
  const root = await rootOf(store, index, params)
  if (root === null) return null

  const least = minArticles(params.min_strength, index.maxCommon)
  const steps = await stepsFrom(store, window, { ...params, root: root.id, least: Math.max(least, index.floor) })
  const shown = steps.slice(0, MOST_RELATIONSHIPS)
  return {
    entity: root,
    relationships: shown.length === 0 ? [] : await relationshipsOf(store, index, { ...params, steps: shown }),
    truncated: steps.length > shown.length || index.floor > least,
    /** Number of articles that mention both entities of the strongest pair. */
    max_co_mentions: index.maxCommon,
  }
}

/** The most mentioned of the entities with this name; `null` if no article mentions it as of the point in time. */
export async function rootOf(store: Store, { entities, numberOf }: EntityIndex, params: EntityQuery) {
  const ids = await idsOf(store, params)
  const [id] = ids
  if (id === undefined) return null
  const indexed = ids.length === 1 ? entities[numberOf.get(id) ?? -1] : undefined
  if (indexed !== undefined) return { id, name: indexed.name, type: indexed.type }

  const known = await knownOf(store, params, ids)
  return known === null ? null : { id: known.ids[0] ?? id, name: known.name, type: known.type }
}

interface Step extends EntityPair {
  readonly depth: number
}

interface Walk extends EntityRelationshipsQuery {
  readonly root: string
  readonly least: number
}

/** Breadth-first, by depth, then by strength. Returns one step more than fits a response if there are more. */
async function stepsFrom(store: Store, window: EntityWindow, walk: Walk): Promise<readonly Step[]> {
  const steps: Step[] = []
  const seen = new Set([walk.root])
  let from = [walk.root]
  for (let depth = 1; depth <= walk.depth && from.length > 0 && steps.length <= MOST_RELATIONSHIPS; depth += 1) {
    const includes = await relationFilter(store, window, { ...walk, from })
    const next = nextSteps(window.index, { from, seen, least: walk.least, includes })
    const found = next.slice(0, MOST_RELATIONSHIPS + 1 - steps.length)
    steps.push(...found.map((pair) => ({ ...pair, depth })))
    from = found.map(({ other }) => other)
    for (const id of from) seen.add(id)
  }
  return steps
}

/**
 * Whether a pair has the requested type: at least one sentence has it, or for `co_mention`, no sentence has another
 * type.
 */
async function relationFilter(
  store: Store,
  { analyses }: EntityWindow,
  { relation, from }: Walk & { readonly from: readonly string[] },
) {
  if (relation === null) return () => true
  const type = relation === 'co_mention' ? '' : relation
  const rows = await relationsOfPairs(store)({ ...analyses, type, ids: [...from] })
  const relations = new Set(rows.map(keyOf))
  return (pair: EntityPair): boolean => relations.has(keyOf(pair)) === (relation !== 'co_mention')
}

/** `depth` is the number of steps from the requested entity, `via` the entity before the last step. */
async function relationshipsOf(
  store: Store,
  index: EntityIndex,
  params: EntityRelationshipsQuery & { readonly steps: readonly Step[] },
) {
  const relations = await relationsOf(store, index, { ...params, pairs: params.steps })
  return params.steps.flatMap(({ one, other, articles, depth }, i) => {
    const [about, target] = [relations[i], index.entities[index.numberOf.get(other) ?? -1]]
    if (about === undefined || target === undefined) return []
    const { id, name, type } = target
    const strength = strengthOf(articles, index.maxCommon)
    return [{ target_entity: { id, name, type }, strength, co_mentions: articles, ...about, depth, via: one }]
  })
}
