import type { EachBatchPayload } from 'kafkajs'
import type { Batch } from '../../ports/log.ts'
import { showsRevocation } from './broker-errors.ts'
import { recordOf } from './records.ts'

/** An offset to commit, with the batch that it is of. */
export interface PendingCommit {
  /** Of the consumer group, as the consumer counts. */
  readonly generation: number
  readonly payload: EachBatchPayload
  readonly next: number
  readonly metadata: string
}

interface BatchAssignment {
  readonly generation: number
  readonly isAlive: () => boolean
  /** `alone`: not in one request with other commits, one of which may be rejected. */
  readonly commit: (pending: PendingCommit, alone: boolean) => Promise<void>
}

/** A batch, valid while its partition is assigned to this member. */
export class AssignedBatch {
  /** The error that showed that the partition was revoked. */
  lost: unknown = null
  /** The handler has finished: a commit then only moves the committed offset, not the read position. */
  isHandled = false
  /** Resolves when other partitions may continue while this batch is retried. */
  readonly gaveWay: Promise<void>
  private readonly payload: EachBatchPayload
  private readonly assignment: BatchAssignment
  private hasCommitFailed = false
  private giveWay: () => void = () => undefined

  constructor(payload: EachBatchPayload, assignment: BatchAssignment) {
    this.payload = payload
    this.assignment = assignment
    this.gaveWay = new Promise((resolve) => {
      this.giveWay = resolve
    })
  }

  get generation(): number {
    return this.assignment.generation
  }

  batch(generation: () => number): Batch {
    const { batch } = this.payload
    const { topic, partition } = batch
    const isRevoked = () => this.lost !== null || generation() !== this.generation
    const records = batch.messages.map((message) => recordOf(topic, partition, message))
    return {
      topic,
      partition,
      records,
      highWatermark: Number(batch.highWatermark),
      // after the transaction marker that may follow the last record
      end: Number(batch.lastOffset()) + 1,
      heartbeat: () => this.heartbeat(),
      commit: (next, note = '') => this.commit(next, note),
      isRevoked,
      isStale: () => isRevoked() || !this.assignment.isAlive(),
      giveWay: () => this.giveWay(),
    }
  }

  heartbeat(): Promise<void> {
    return this.recordingRevocation(() => this.payload.heartbeat())
  }

  private async commit(next: number, metadata: string): Promise<void> {
    const { payload, generation } = this
    const pending = { generation, payload, next, metadata }
    const alone = this.hasCommitFailed
    this.hasCommitFailed = true
    await this.recordingRevocation(() => this.assignment.commit(pending, alone))
    this.hasCommitFailed = false
    if (!this.isHandled) this.payload.resolveOffset(String(next - 1))
  }

  private async recordingRevocation(ask: () => Promise<void>): Promise<void> {
    try {
      await ask()
    } catch (cause) {
      if (showsRevocation(cause)) this.lost = cause
      throw cause
    }
  }
}
