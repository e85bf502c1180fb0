import type { Store } from '../../ports/store.ts'
import type { StoriesQuery } from './evaluated-stories.ts'
import { storyEntities } from './queries.ts'

/**
 * The pairs of stories that share at least `min_shared` entities, by descending confidence; each pair is in the order
 * of `ids`.
 */
export async function relationships(store: Store, { ids, ...params }: StoriesQuery, min_shared: number) {
  const rows = await storyEntities(store)({ ...params, ids: [...ids] })
  const named = new Map(rows.map(({ cluster_id, entities }) => [cluster_id, new Map(entities)]))
  const entitiesOf = (id: string): Entities => named.get(id) ?? new Map<string, string>()
  return ids
    .flatMap((source, i) => ids.slice(i + 1).map((target) => ({ source, target })))
    .map(({ source, target }) => ({ source, target, ...related(entitiesOf(source), entitiesOf(target)) }))
    .filter(({ shared_count }) => shared_count >= min_shared)
    .sort((a, b) => b.confidence - a.confidence || b.shared_count - a.shared_count)
}

/** Entity names by id. */
type Entities = ReadonlyMap<string, string>

/** `confidence` is the Jaccard similarity of the two sets of entities. */
function related(one: Entities, other: Entities) {
  const shared = [...one].filter(([id]) => other.has(id)).map(([, name]) => name)
  const union = one.size + other.size - shared.length
  return {
    confidence: union === 0 ? 0 : shared.length / union,
    type: 'shared_entities' as const,
    shared_count: shared.length,
    shared_entities: shared.sort(),
  }
}
