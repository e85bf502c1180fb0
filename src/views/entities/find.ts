import type { Store } from '../../ports/store.ts'
import { ALWAYS } from '../instant.ts'
import { entitiesCalled, entitiesNamed, entityFigures } from './queries.ts'

export interface EntityQuery {
  readonly namespace: string
  /** An entity's id, or a name in any case: the canonical one, else what articles call somebody most often. */
  readonly entity: string
  /** Null: whatever an id stands for, and all that a name may stand for. */
  readonly type: string | null
  /** What a name may stand for where no type is asked for. */
  readonly types: readonly string[]
  /** Milliseconds since 1970. */
  readonly as_of: number
}

/** Entities of one name, one of each type (or spelling): asked about as one. */
export interface FoundEntities {
  /** The most mentioned first. */
  readonly ids: readonly string[]
  /** Of the most mentioned. */
  readonly name: string
  readonly type: string
}

const ID = /^ent_[a-z2-7]{16}$/

/** The entities that an id or a name may mean, whether or not they count as of a point in time. */
export async function idsOf(store: Store, { namespace, entity, type, types }: EntityQuery): Promise<string[]> {
  if (ID.test(entity)) return [entity]
  const params = { namespace, name: entity, types: type === null ? [...types] : [type] }
  const named = await entitiesNamed(store)(params)
  const found = named.length > 0 ? named : await entitiesCalled(store)(params)
  return found.map(({ entity_id }) => entity_id)
}

/** Null: no article that counts as of the moment names such an entity. */
export async function knownOf(
  store: Store,
  { namespace, type: params, as_of }: EntityQuery,
  ids: readonly string[],
): Promise<FoundEntities | null> {
  const rows = await entityFigures(store)({ namespace, ids: [...ids], from: ALWAYS, as_of })
  const known = rows.filter(({ type }) => params === null || type === params)
  const [first] = known
  return first === undefined
    ? null
    : { ids: known.map(({ entity_id }) => entity_id), name: first.name, type: first.type }
}
