import type { Checkpoint, CheckpointOrigin, Checkpoints } from '../ports/checkpoints.ts'
import type { Log, LogRecord } from '../ports/log.ts'

/** The changelog partition of a stage. */
export interface ChangelogPartition {
  readonly stage: string
  /** The version of the stage. Another version starts with an empty copy. */
  readonly version: string
  readonly topic: string
  readonly partition: number
}

export interface CheckpointPorts {
  readonly log: Pick<Log, 'incarnation' | 'epochEnd' | 'ends' | 'read'>
  readonly checkpoints: Checkpoints
}

export interface OpenedCheckpoint {
  readonly copy: Checkpoint
  readonly origin: CheckpointOrigin
}

export const checkpointName = (stage: string, partition: number): string => `${stage}-${partition}`

/**
 * Opens the local copy of a changelog partition. The copy is emptied if the changelog was not the source of its
 * records: the topic was created again, another version of the stage wrote it, or the log has lost records after a
 * leader failed.
 */
export async function openCheckpoint(
  { stage, version, topic, partition }: ChangelogPartition,
  { log, checkpoints }: CheckpointPorts,
): Promise<OpenedCheckpoint> {
  const origin = { ...(await log.incarnation(topic, partition)), version }
  const copy = await checkpoints.open(checkpointName(stage, partition))
  try {
    if (!isSameSource(copy.origin, origin) || (await log.epochEnd(topic, partition, epochOf(copy))) < copy.offset) {
      await copy.clear()
    }
    return { copy, origin }
  } catch (cause) {
    await copy.close()
    throw cause
  }
}

const isSameSource = (known: CheckpointOrigin | null, now: CheckpointOrigin): boolean =>
  known !== null && known.topicId === now.topicId && known.version === now.version

const epochOf = ({ origin }: Checkpoint): number => origin?.epoch ?? 0

/** Reads what follows the copy in the changelog, and extends the copy by it. */
export async function* tailOf(
  { topic, partition }: ChangelogPartition,
  { copy, origin }: OpenedCheckpoint,
  log: CheckpointPorts['log'],
): AsyncGenerator<readonly LogRecord[]> {
  // all committed records before the end are in the answer, so an idle copy has the offset of the end
  const end = (await log.ends(topic))[partition] ?? 0
  let from = copy.offset
  for await (const records of log.read(topic, partition, from)) {
    const to = (records.at(-1)?.offset ?? from) + 1
    if (await copy.append({ from, to, records }, origin)) from = to
    yield records
  }
  if (from < end) await copy.append({ from, to: end, records: [] }, origin)
}
