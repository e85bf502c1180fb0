import type { Kafka } from 'kafkajs'
import { changeClusters, type ClusterBroker } from './cluster.ts'

/**
 * Reports each assignment of this client's consumer as the group coordinator sends it. kafkajs passes on the partitions
 * only, not the user data in which the assigner names the standbys.
 */
export function watchAssignments(client: Kafka, onAssignment: (memberAssignment: Buffer) => void): void {
  const watched = new WeakSet<ClusterBroker>()
  const watch = (broker: ClusterBroker): void => {
    if (watched.has(broker)) return
    watched.add(broker)
    const sync = broker.syncGroup.bind(broker)
    broker.syncGroup = async (request) => {
      const answer = await sync(request)
      onAssignment(answer.memberAssignment)
      return answer
    }
  }
  changeClusters(client, (cluster) => {
    const find = cluster.findGroupCoordinator.bind(cluster)
    cluster.findGroupCoordinator = async (of) => {
      const broker = await find(of)
      watch(broker)
      return broker
    }
  })
}
