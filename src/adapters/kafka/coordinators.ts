import type { Kafka } from 'kafkajs'
import { changeClusters, type KafkaCluster, type Coordinated } from './cluster.ts'

/**
 * How long a coordinator is cached. If it moves meanwhile without a broken connection, a transaction that uses the old
 * one fails and ends its writer. The next writer has a new client and looks the coordinator up again.
 */
const CACHED_MS = 3_000

/**
 * kafkajs 2.2.4 looks up the transaction coordinator four times per transaction, which is every fifth request of a busy
 * service. This caches successful lookups for a short time; failures are not cached.
 */
export function cacheCoordinators(client: Kafka): void {
  changeClusters(client, cacheLookups)
}

function cacheLookups(cluster: KafkaCluster): void {
  const lookUp = cluster.findGroupCoordinatorMetadata.bind(cluster)
  const coordinators = new Map<string, { readonly at: number; readonly answer: Promise<unknown> }>()

  cluster.findGroupCoordinatorMetadata = async (of: Coordinated) => {
    const name = `${of.coordinatorType} ${of.groupId}`
    const known = coordinators.get(name)
    if (known !== undefined && performance.now() - known.at < CACHED_MS) return known.answer
    const next = { at: performance.now(), answer: lookUp(of) }
    coordinators.set(name, next)
    next.answer.catch(() => {
      if (coordinators.get(name) === next) coordinators.delete(name)
    })
    return next.answer
  }
}
