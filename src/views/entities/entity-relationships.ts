import type { Store } from '../../ports/store.ts'
import { idsOf, knownOf, type EntityQuery } from './find.ts'
import { leastArticles, strengthOf, type EntityIndex, type EntityPair } from './entity-index.ts'
import { keyOf, relationsOf, type EntityRelation } from './entity-relations.ts'
import { relationsOfPairs } from './entity-relation-queries.ts'
import { nextSteps } from './entity-walk.ts'
import { indexOf } from './entity-window.ts'

export interface EntityRelationshipsQuery extends EntityQuery {
  readonly window_ms: number
  /** 1 to 3. */
  readonly depth: number
  /** 0 to 1. */
  readonly min_strength: number
  /** Null: all. */
  readonly relation: EntityRelation['type'] | null
}

export interface EntityRelationship extends EntityRelation {
  readonly target_entity: { readonly id: string; readonly name: string; readonly type: string }
  readonly strength: number
  readonly co_mentions: number
  /** Steps from the entity asked about, and the entity the last step was from. */
  readonly depth: number
  readonly via: string
}

export interface EntityRelationships {
  readonly entity: { readonly id: string; readonly name: string; readonly type: string }
  /** By depth, then strength. */
  readonly relationships: readonly EntityRelationship[]
  /** True: there are more. */
  readonly truncated: boolean
  /** Articles that name both of the strongest pair of all. */
  readonly max_co_mentions: number
}

/** As many as an answer has. */
export const MOST_RELATIONSHIPS = 500

/**
 * Entities that the articles of a window name together with an entity, and how they are related; beyond depth 1 with which
 * these are named, each entity once, at its least depth and by its strongest pair there. Null: no such entity.
 */
export async function entityRelationships(
  store: Store,
  params: EntityRelationshipsQuery,
): Promise<EntityRelationships | null> {
  const index = await indexOf(store, params)
  const root = await rootOf(store, index, params)
  if (root === null) return null

  const least = leastArticles(params.min_strength, index.most)
  const steps = await stepsFrom(store, index, { ...params, root: root.id, least: Math.max(least, index.floor) })
  const shown = steps.slice(0, MOST_RELATIONSHIPS)
  return {
    entity: root,
    relationships: shown.length === 0 ? [] : await relationshipsOf(store, index, { ...params, steps: shown }),
    truncated: steps.length > shown.length || index.floor > least,
    max_co_mentions: index.most,
  }
}

/** Of entities of one name the most mentioned; null: no article that counts as of the moment names it. */
export async function rootOf(
  store: Store,
  { entities, numberOf }: EntityIndex,
  params: EntityQuery,
): Promise<EntityRelationships['entity'] | null> {
  const ids = await idsOf(store, params)
  const [id] = ids
  if (id === undefined) return null
  const indexed = ids.length === 1 ? entities[numberOf.get(id) ?? -1] : undefined
  if (indexed !== undefined) return { id, name: indexed.name, type: indexed.type }

  const known = await knownOf(store, params, ids)
  return known === null ? null : { id: known.ids[0] ?? id, name: known.name, type: known.type }
}

interface EntityRelationshipsStep extends EntityPair {
  readonly depth: number
}

interface EntityRelationshipsWalk extends EntityRelationshipsQuery {
  readonly root: string
  readonly least: number
}

/** Breadth first, nearest first, then the strongest; one more than an answer has, where there are more. */
async function stepsFrom(
  store: Store,
  index: EntityIndex,
  walk: EntityRelationshipsWalk,
): Promise<readonly EntityRelationshipsStep[]> {
  const steps: EntityRelationshipsStep[] = []
  const seen = new Set([walk.root])
  let from = [walk.root]
  for (let depth = 1; depth <= walk.depth && from.length > 0 && steps.length <= MOST_RELATIONSHIPS; depth += 1) {
    const includes = await relationFilter(store, index, { ...walk, from })
    const next = nextSteps(index, { from, seen, least: walk.least, includes })
    const found = next.slice(0, MOST_RELATIONSHIPS + 1 - steps.length)
    steps.push(...found.map((pair) => ({ ...pair, depth })))
    from = found.map(({ other }) => other)
    for (const id of from) seen.add(id)
  }
  return steps
}

interface EntityRelationshipsBeside extends EntityRelationshipsWalk {
  readonly from: readonly string[]
}

/** Whether a pair is of the type that is asked for: some sentence says so, or of `co_mention` none says more. */
async function relationFilter(
  store: Store,
  index: EntityIndex,
  { namespace, relation, from }: EntityRelationshipsBeside,
) {
  if (relation === null) return () => true
  const type = relation === 'co_mention' ? '' : relation
  const rows = await relationsOfPairs(store)({ namespace, type, ids: [...from], places: [...index.articles.keys()] })
  const relations = new Set(rows.map(keyOf))
  return (pair: EntityPair): boolean => relations.has(keyOf(pair)) === (relation !== 'co_mention')
}

interface ShownQuery extends EntityRelationshipsQuery {
  readonly steps: readonly EntityRelationshipsStep[]
}

async function relationshipsOf(store: Store, index: EntityIndex, params: ShownQuery): Promise<EntityRelationship[]> {
  const relations = await relationsOf(store, index, { ...params, pairs: params.steps })
  return params.steps.flatMap(({ one, other, articles, depth }, i) => {
    const [about, target] = [relations[i], index.entities[index.numberOf.get(other) ?? -1]]
    if (about === undefined || target === undefined) return []
    const { id, name, type } = target
    const strength = strengthOf(articles, index.most)
    return [{ target_entity: { id, name, type }, strength, co_mentions: articles, ...about, depth, via: one }]
  })
}
