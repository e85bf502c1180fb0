import { setImmediate } from 'node:timers/promises'
import {
  CheckpointFailed,
  type ChangelogCopy,
  type CheckpointOrigin,
  type ChangelogCopies,
  type CopiedEntry,
} from '../ports/checkpoints.ts'
import type { Clock } from '../ports/clock.ts'
import type { Incarnation, Log, LogRecord } from '../ports/log.ts'

/** The changelog partition of a stage. */
export interface ChangelogPartition {
  readonly stage: string
  /** The version of the stage. Another version starts with an empty copy. */
  readonly version: string
  readonly topic: string
  readonly partition: number
  /** No entry of it is ever deleted. */
  readonly keepsAll?: true
}

export interface CheckpointPorts {
  readonly log: Pick<Log, 'incarnation' | 'epochEnd' | 'ends' | 'read'>
  readonly clock: Pick<Clock, 'now'>
  readonly checkpoints: ChangelogCopies
}

export interface OpenedCheckpoint {
  readonly copy: ChangelogCopy
  /** `at`: when it was opened. */
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
 * Opens the local copy of a changelog partition. The copy is emptied if another version of the stage wrote it, or if it
 * cannot be extended (`canGoOn`).
 */
export async function openCheckpoint(
  changelog: ChangelogPartition,
  { log, clock, checkpoints }: CheckpointPorts,
): Promise<OpenedCheckpoint> {
  const { topic, partition, version } = changelog
  const origin = { ...(await log.incarnation(topic, partition)), version, at: clock.now() }
  const copy = await checkpoints.open(checkpointName(changelog))
  try {
    const { origin: known, offset } = copy
    const fits =
      known?.version === version &&
      (await canGoOn(changelog, { now: origin, read: { ...known, offset } }, { log, clock }))
    if (!fits) await copy.clear()
    return { copy, origin, from: copy.offset }
  } catch (cause) {
    await copy.close()
    throw cause
  }
}

const isSameSource = (known: CheckpointOrigin | null, now: CheckpointOrigin): boolean =>
  known !== null && known.topicId === now.topicId && known.version === now.version

/** What was read from a changelog: everything before an offset, which was its end at a time (milliseconds since 1970). */
export interface ChangelogPosition extends Incarnation {
  readonly offset: number
  readonly at: number
}

/**
 * The log removes the record of a deleted entry a day after it was compacted (`delete.retention.ms` in `src/config/topics.ts`). A reader
 * that was away for longer would keep the entry.
 */
const MOST_AWAY_MS = 20 * 60 * 60 * 1000

interface ChangelogRead {
  readonly now: Incarnation
  readonly read: ChangelogPosition
}

/** Whether the changelog still begins with the records that were read from it. */
export async function stillBegins(
  { topic, partition }: Pick<ChangelogPartition, 'topic' | 'partition'>,
  { now, read }: ChangelogRead,
  log: Pick<Log, 'epochEnd'>,
): Promise<boolean> {
  return now.topicId === read.topicId && (await log.epochEnd(topic, partition, read.epoch)) >= read.offset
}

/** The same, and it has all that followed. Of the version before, a copy does not know when it was read (`at`). */
export async function canGoOn(
  changelog: ChangelogPartition,
  { now, read }: ChangelogRead,
  { log, clock }: { readonly log: Pick<Log, 'epochEnd' | 'ends'>; readonly clock: Pick<Clock, 'now'> },
): Promise<boolean> {
  if (!(await stillBegins(changelog, { now, read }, log))) return false
  if (changelog.keepsAll === true || clock.now() - read.at < MOST_AWAY_MS) return true
  return (await log.ends(changelog.topic))[changelog.partition] === read.offset
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
  const before = copy.origin?.at ?? origin.at
  let copied = from
  const extend = async (to: number, records: readonly LogRecord[], at: number): Promise<void> => {
    if (await copy.append({ from: copied, to, records }, { ...origin, at })) copied = to
  }
  for (let next = await tail.next(); ; next = await tail.next()) {
    if (next.done === true) {
      await extend(next.value, [], origin.at)
      return next.value
    }
    await extend((next.value.at(-1)?.offset ?? copied - 1) + 1, next.value, before)
    yield next.value
  }
}
