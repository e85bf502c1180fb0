import { oldest } from '../../state/oldest.ts'
import { byArrival, type ChangedUpdate, type ChangedState } from './memory.ts'
import { ended } from './moves.ts'
import { articleKey } from './changelog.ts'

interface ChangedEvictionArrival {
  readonly namespace: string
  /** The story it comes to; null: none. */
  readonly cluster_id: string | null
  /** Articles remembered, over all namespaces of a partition. */
  readonly budget: number
}

/** What has to be forgotten so that one more article fits. */
export function evict(
  state: ChangedState,
  { namespace, cluster_id, budget }: ChangedEvictionArrival,
): readonly ChangedUpdate[] {
  if (state.size < budget) return []
  const shelves = [...state.namespaces].map(([name, held]) => ({
    namespace: name,
    size: held.articles.size,
    byArrival: () => byArrival(held),
  }))
  return [...oldest(shelves, { namespace, size: state.size, budget })].flatMap(([name, articles]) => [
    ...articles.map(({ id }) => ({ key: articleKey(name, id), value: null })),
    ...ended(name, articles, name === namespace ? cluster_id : null),
  ])
}
