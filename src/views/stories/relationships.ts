import type { Store } from '../../ports/store.ts'
import type { StoriesQuery } from './evaluated-stories.ts'
import { storyEntities } from './queries.ts'

export interface StoryRelationship {
  readonly source: string
  readonly target: string
  /** Entities that both name over those that one of them names. */
  readonly confidence: number
  readonly type: 'shared_entities'
  readonly shared_count: number
  readonly shared_entities: string[]
}

/** Every pair of the stories that shares so many entities, the nearest first; a pair in the order of the ids. */
export async function relationships(
  store: Store,
  { ids, ...params }: StoriesQuery,
  min_shared: number,
): Promise<StoryRelationship[]> {
  const rows = await storyEntities(store)({ ...params, ids: [...ids] })
  const named = new Map(rows.map(({ cluster_id, entities }) => [cluster_id, new Map(entities)]))
  const entitiesOf = (id: string): Entities => named.get(id) ?? new Map<string, string>()
  return ids
    .flatMap((source, i) => ids.slice(i + 1).map((target) => ({ source, target })))
    .map((pair) => related(pair, entitiesOf(pair.source), entitiesOf(pair.target)))
    .filter(({ shared_count }) => shared_count >= min_shared)
    .sort((a, b) => b.confidence - a.confidence || b.shared_count - a.shared_count)
}

/** Entity id to name. */
type Entities = ReadonlyMap<string, string>

function related(
  pair: Pick<StoryRelationship, 'source' | 'target'>,
  one: Entities,
  other: Entities,
): StoryRelationship {
  const shared = [...one].filter(([id]) => other.has(id)).map(([, name]) => name)
  const union = one.size + other.size - shared.length
  return {
    ...pair,
    confidence: union === 0 ? 0 : shared.length / union,
    type: 'shared_entities',
    shared_count: shared.length,
    shared_entities: shared.sort(),
  }
}
