import type { Log } from '../ports/log.ts'
import type { RecordPart } from './consume-parts.ts'
import type { RuntimePorts } from './running.ts'

/**
 * A lease keeps a stage from taking a partition while `story reprocess` replaces its state there. It is a note in the
 * commit metadata of a consumer group of its own, and ends this long after its last renewal, so that a killed command
 * does not stop the stage for longer.
 */
export const LEASE_MS = 60_000
const POLL_MS = 200

export const leaseGroup = (stage: string): string => `${stage}.switch`
export const leaseNote = (until: number): string => `until ${until}`

interface LeasedStage {
  readonly name: string
  readonly reads: readonly { readonly name: string }[]
}

/**
 * Resolves when nobody holds a lease on the partition. The times of a lease are those of another process: if its clock
 * is ahead, a lease that is not renewed still ends after `LEASE_MS`.
 */
export async function leaseEnded(
  stage: LeasedStage,
  part: Pick<RecordPart, 'partition' | 'throwIfInterrupted'>,
  { log, clock, logger }: Pick<RuntimePorts, 'log' | 'clock' | 'logger'>,
): Promise<void> {
  const { partition } = part
  let renewal = { note: '', seenAt: 0 }
  for (;;) {
    const note = await noteOf(stage, partition, log)
    const now = clock.now()
    if (note === null || untilOf(note) <= now) return
    if (renewal.note === '') logger.info({ stage: stage.name, partition }, 'waiting for a reprocessing to switch')
    if (renewal.note !== note) renewal = { note, seenAt: now }
    if (now - renewal.seenAt >= LEASE_MS) return
    await clock.sleep(POLL_MS)
    part.throwIfInterrupted()
  }
}

async function noteOf(
  { name, reads }: LeasedStage,
  partition: number,
  log: Pick<Log, 'notes'>,
): Promise<string | null> {
  const [topic] = reads
  return topic === undefined ? null : ((await log.notes(leaseGroup(name), topic.name))[partition] ?? null)
}

const untilOf = (note: string): number => Number(/^until (\d+)$/.exec(note)?.[1] ?? 0)
