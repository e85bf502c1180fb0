import { createRequire } from 'node:module'
import { isMoved } from './broker-errors.ts'
import type { ClusterBroker, KafkaCluster } from './cluster.ts'

/** The part of a kafkajs consumer that commits offsets. */
export interface OffsetManager {
  readonly groupId: string
  readonly cluster: Pick<KafkaCluster, 'findGroupCoordinator'>
  coordinator: ClusterBroker
  commitOffsets: (this: OffsetManager, offsets?: unknown) => Promise<void>
}

const { prototype } = createRequire(import.meta.url)('kafkajs/src/consumer/offsetManager') as {
  readonly prototype: OffsetManager
}
const original = prototype.commitOffsets

/**
 * kafkajs 2.2.4 remembers the coordinator of a group from the moment at which the group is synchronised. If it moves to
 * another broker meanwhile, as during a rolling restart of the brokers, heartbeats go to the new one and commits to the
 * old one, which refuses them for ever. After such a refusal, this looks the coordinator up for the next commit.
 */
export function followCoordinator(): void {
  prototype.commitOffsets = async function (offsets) {
    try {
      await original.call(this, offsets)
    } catch (cause) {
      if (isMoved(cause)) {
        const { groupId, coordinator } = this
        this.coordinator = await this.cluster.findGroupCoordinator({ groupId }).catch(() => coordinator)
      }
      throw cause
    }
  }
}
