import type { Kafka } from 'kafkajs'
import { changeBrokers } from './cluster.ts'

/**
 * Reports each assignment of this client's consumer as the group coordinator sends it. kafkajs passes on the partitions
 * only, not the user data in which the assigner names the standbys.
 */
export function watchAssignments(client: Kafka, onAssignment: (memberAssignment: Buffer) => void): void {
  changeBrokers(client, 'findGroupCoordinator', (broker) => {
    const sync = broker.syncGroup.bind(broker)
    broker.syncGroup = async (request) => {
      const answer = await sync(request)
      onAssignment(answer.memberAssignment)
      return answer
    }
  })
}
