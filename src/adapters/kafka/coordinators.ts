import type { Kafka } from 'kafkajs'
import { changeClusters, type KafkaCluster, type Coordinated } from './cluster.ts'

/**
 * A coordinator that has moved without a broken connection is looked for again after this. A transaction that meets the old one
 * meanwhile fails, and with it its writer: the next one, of a new client, asks again.
 */
const HOLDS_MS = 3_000

/**
 * kafkajs 2.2.4 asks the log four times a transaction who coordinates it: every fifth request of a busy service. Here an answer
 * holds for a moment; one that failed for none.
 */
export function rememberCoordinators(client: Kafka): void {
  changeClusters(client, remembering)
}

function remembering(cluster: KafkaCluster): void {
  const ask = cluster.findGroupCoordinatorMetadata.bind(cluster)
  const coordinators = new Map<string, { readonly at: number; readonly answer: Promise<unknown> }>()

  cluster.findGroupCoordinatorMetadata = async (of: Coordinated) => {
    const name = `${of.coordinatorType} ${of.groupId}`
    const known = coordinators.get(name)
    if (known !== undefined && performance.now() - known.at < HOLDS_MS) return known.answer
    const next = { at: performance.now(), answer: ask(of) }
    coordinators.set(name, next)
    next.answer.catch(() => {
      if (coordinators.get(name) === next) coordinators.delete(name)
    })
    return next.answer
  }
}
