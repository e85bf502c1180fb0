import { setImmediate } from 'node:timers/promises'
import {
  CheckpointFailed,
  type ChangelogCopy,
  type CheckpointOrigin,
  type Checkpoints,
  type CopiedEntry,
} from '../ports/checkpoints.ts'
import type { Incarnation, Log, LogRecord } from '../ports/log.ts'

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
  readonly copy: ChangelogCopy
  readonly origin: CheckpointOrigin
  /** The offset of the copy when it was opened. Another reader of the log may extend the copy at any time. */
  readonly from: number
}

/** Versions of a stage do not share a copy: in a rolling upgrade both run, perhaps on one disk. */
export const checkpointName = ({
  stage,
  partition,
  version,
}: Pick<ChangelogPartition, 'stage' | 'partition' | 'version'>): string => `${stage}-${partition}-v${version}`

/** The partition and the version in the name of a copy; `null` for the copy of another stage. */
export function partitionIn(name: string, stage: string): Pick<ChangelogPartition, 'partition' | 'version'> | null {
  const [, of, partition, version] = /^(.+)-(\d+)-v(.+)$/.exec(name) ?? []
  return of === stage && version !== undefined ? { partition: Number(partition), version } : null
}

/**
 * Opens the local copy of a changelog partition. The copy is emptied if the changelog was not the source of its
 * records: the topic was created again, another version of the stage wrote it, or the log has lost records after a
 * leader failed.
 */
export async function openCheckpoint(
  changelog: ChangelogPartition,
  { log, checkpoints }: CheckpointPorts,
): Promise<OpenedCheckpoint> {
  const { topic, partition, version } = changelog
  const origin = { ...(await log.incarnation(topic, partition)), version }
  const copy = await checkpoints.open(checkpointName(changelog))
  try {
    if (!isSameSource(copy.origin, origin) || (await log.epochEnd(topic, partition, epochOf(copy))) < copy.offset) {
      await copy.clear()
    }
    return { copy, origin, from: copy.offset }
  } catch (cause) {
    await copy.close()
    throw cause
  }
}

const isSameSource = (known: CheckpointOrigin | null, now: CheckpointOrigin): boolean =>
  known !== null && known.topicId === now.topicId && known.version === now.version

const epochOf = ({ origin }: ChangelogCopy): number => origin?.epoch ?? 0

interface ChangelogRead {
  readonly now: Incarnation
  /** What was read from it, up to an offset. */
  readonly read: Incarnation & { readonly offset: number }
}

/** Whether the changelog still begins with the records that were read from it. */
export async function stillBegins(
  { topic, partition }: ChangelogPartition,
  { now, read }: ChangelogRead,
  log: Pick<Log, 'epochEnd'>,
): Promise<boolean> {
  return now.topicId === read.topicId && (await log.epochEnd(topic, partition, read.epoch)) >= read.offset
}

/** All entries of a copy, in pages. Throws if it was emptied meanwhile. */
export async function* entriesOf({ copy, origin, from }: OpenedCheckpoint): AsyncGenerator<readonly CopiedEntry[]> {
  for (const page of copy.entries()) {
    yield page
    await setImmediate()
  }
  if (from > 0 && (copy.offset < from || !isSameSource(copy.origin, origin))) {
    throw new CheckpointFailed('the local copy of a changelog was emptied while it was read')
  }
}

/** All committed records from an offset to the end. Returns the offset up to which the changelog was read. */
export async function* recordsSince(
  { topic, partition }: Pick<ChangelogPartition, 'topic' | 'partition'>,
  from: number,
  log: Pick<Log, 'ends' | 'read'>,
): AsyncGenerator<readonly LogRecord[], number> {
  // all committed records before the end are in the answer
  const end = (await log.ends(topic))[partition] ?? 0
  let read = from
  for await (const records of log.read(topic, partition, from)) {
    read = (records.at(-1)?.offset ?? read) + 1
    yield records
  }
  return Math.max(read, end)
}

/** The same from the offset of a copy. Extends the copy by it, up to the returned offset, so an idle copy has the end's. */
export async function* tailOf(
  changelog: ChangelogPartition,
  { copy, origin, from }: OpenedCheckpoint,
  log: CheckpointPorts['log'],
): AsyncGenerator<readonly LogRecord[], number> {
  const tail = recordsSince(changelog, from, log)
  let copied = from
  const extend = async (to: number, records: readonly LogRecord[]): Promise<void> => {
    if (copied < to && (await copy.append({ from: copied, to, records }, origin))) copied = to
  }
  for (let next = await tail.next(); ; next = await tail.next()) {
    if (next.done === true) {
      await extend(next.value, [])
      return next.value
    }
    await extend((next.value.at(-1)?.offset ?? copied - 1) + 1, next.value)
    yield next.value
  }
}
