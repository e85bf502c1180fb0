import type { Store } from '../../ports/store.ts'
import { idsOf, knownOf, type EntityWanted } from '../entities/find.ts'
import { entitiesBeside } from './entity-pairs.ts'
import { leastArticles, strengthOf, strongestPair, type EntityWindow } from './entity-strength.ts'
import { toldOf, type Pair, type RelationTold } from './entity-telling.ts'
import { entitiesShown } from './entity-told.ts'

export interface RelationshipsWanted extends EntityWanted {
  readonly window_ms: number
  /** 1 to 3. */
  readonly depth: number
  /** 0 to 1. */
  readonly min_strength: number
  /** Null: all. */
  readonly relation: RelationTold['type'] | null
}

export interface EntityRelationship extends RelationTold {
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
 * Whom the articles of a window name together with an entity, and what they say of the two; beyond depth 1 with whom
 * these are named, each entity once, at its least depth and by its strongest pair there. Null: no such entity.
 */
export async function entityRelationships(
  store: Store,
  wanted: RelationshipsWanted,
): Promise<EntityRelationships | null> {
  const window = { namespace: wanted.namespace, from: wanted.as_of - wanted.window_ms, as_of: wanted.as_of }
  const [known, most] = await Promise.all([rootOf(store, wanted), strongestPair(store, window)])
  if (known === null) return null

  const steps = most === 0 ? [] : await stepsFrom(store, { ...wanted, root: known.id, window, most })
  const shown = steps.slice(0, MOST_RELATIONSHIPS)
  return {
    entity: known,
    relationships: await relationshipsOf(store, { window, most, steps: shown, relation: wanted.relation }),
    truncated: steps.length > shown.length,
    max_co_mentions: most,
  }
}

/** Of entities of one name the most mentioned; null: no article that counts as of the moment names it. */
export async function rootOf(store: Store, wanted: EntityWanted): Promise<EntityRelationships['entity'] | null> {
  const ids = await idsOf(store, wanted)
  const known = ids.length === 0 ? null : await knownOf(store, wanted, ids)
  const [id] = known?.ids ?? []
  return known === null || id === undefined ? null : { id, name: known.name, type: known.type }
}

interface Step extends Pair {
  readonly articles: number
  readonly depth: number
}

interface Walk extends Pick<RelationshipsWanted, 'depth' | 'min_strength' | 'relation'> {
  readonly window: EntityWindow
  readonly root: string
  readonly most: number
}

/** Breadth first; one more than an answer has, where there are more. */
async function stepsFrom(store: Store, { window, root, most, ...walk }: Walk): Promise<readonly Step[]> {
  const steps: Step[] = []
  let last: readonly string[] = [root]
  const least = leastArticles(walk.min_strength, most)
  for (let depth = 1; depth <= walk.depth && last.length > 0 && steps.length <= MOST_RELATIONSHIPS; depth += 1) {
    const rows = await entitiesBeside(store)({
      ...{ ...window, least, type: walk.relation ?? '' },
      ids: [...last],
      widths: last.map(() => most),
      seen: [root, ...steps.map(({ other }) => other)],
      limit: MOST_RELATIONSHIPS + 1 - steps.length,
    })
    steps.push(...rows.map(({ id, via, articles }) => ({ one: via, other: id, articles, depth })))
    last = rows.map(({ id }) => id)
  }
  return steps
}

interface Shown {
  readonly window: EntityWindow
  readonly most: number
  readonly steps: readonly Step[]
  readonly relation: RelationTold['type'] | null
}

async function relationshipsOf(store: Store, { window, most, steps, relation }: Shown): Promise<EntityRelationship[]> {
  if (steps.length === 0) return []
  const [told, entities] = await Promise.all([
    toldOf(store, window, { pairs: steps, relation }),
    entitiesShown(store)({ ...window, ids: steps.map(({ other }) => other) }),
  ])
  const byId = new Map(entities.map(({ id, called: name, kind: type }) => [id, { id, name, type }]))
  return steps.flatMap(({ one, other, articles, depth }, i) => {
    const [target_entity, relationTold] = [byId.get(other), told[i]]
    if (target_entity === undefined || relationTold === undefined) return []
    const strength = strengthOf(articles, most)
    return [{ target_entity, strength, co_mentions: articles, ...relationTold, depth, via: one }]
  })
}
