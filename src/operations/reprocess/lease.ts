import { LEASE_MS, leaseGroup, leaseNote } from '../../runtime/lease.ts'
import type { RunBesidePorts } from './run-beside.ts'

/** Partitions of a stage. */
export interface LeasedPartitions {
  readonly stage: string
  /** The stage's inputs. The notes are at the first of them. */
  readonly reads: readonly string[]
  readonly partitions: readonly number[]
}

/** A held lease. */
export interface Lease {
  /** Extends the lease if it is due. Call between the steps of the work: a step must not take as long as the lease. */
  renew(): Promise<void>
}

/** A fraction of the lease, so that one slow step does not let it end. */
const RENEW_MS = LEASE_MS / 6

/**
 * Does `work` while the stage may not take the partitions, and ends the lease. The lease writer fences that of another
 * command, which then fails at its next renewal.
 */
export async function withLease<Result>(
  { stage, reads: [topic = ''], partitions }: LeasedPartitions,
  { log, clock }: Pick<RunBesidePorts, 'log' | 'clock'>,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const group = leaseGroup(stage)
  const writer = await log.writer(`${group}-0`)
  const note = (metadata: string): Promise<void> =>
    writer.write([], { group, next: partitions.map((partition) => ({ topic, partition, offset: 0, metadata })) })
  let renewedAt = -Infinity
  const renew = async (): Promise<void> => {
    const now = clock.now()
    if (now - renewedAt < RENEW_MS) return
    await note(leaseNote(now + LEASE_MS))
    renewedAt = now
  }
  try {
    await renew()
    return await work({ renew })
  } finally {
    await note('').catch(() => undefined) // otherwise it ends by itself
    await writer.close()
  }
}
