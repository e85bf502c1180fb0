import { articlesAnalyzed } from '../../events/articles.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import { RecordTooLarge, type OutRecord, type Place, type TransactionalWriter } from '../../ports/log.ts'
import { memberKey } from '../../stages/clustered/changelog.ts'
import type { Assignments } from '../../stages/clustered/reprocess/memories.ts'
import { switchLines, type Switched } from '../../stages/clustered/reprocess/switch-lines.ts'
import { withLease, type Lease } from './lease.ts'
import { PreparedEntries } from './prepared-entries.ts'
import { switchedRows } from './switched-rows.ts'
import type { ReprocessTotals } from './report.ts'
import type { ReprocessPorts, ReprocessedStories } from './stories.ts'

/** What to switch, and how. */
interface Switching {
  readonly version: string
  /** The stage's inputs. */
  readonly reads: readonly string[]
  onAttempt(attempt: number): void
}

const ATTEMPTS = 10
/** Pause between attempts: the log may be briefly unavailable. */
const PAUSE_MS = 100
/** Errors that a retry cannot fix, unlike fencing or an unavailable log. */
const PERMANENT_ERRORS = [RecordTooLarge, TypeError, RangeError]
/** The first pass prepares everything; the second one what the stage has written meanwhile. */
const PREPARING_PASSES = 2
/**
 * Up to this size, all entries are in the one transaction. Beyond it, the entries that change no story are written first
 * in transactions of `PART_BYTES`, because the broker aborts a transaction that takes longer than 30 s.
 */
const TRANSACTION_BYTES = 400_000_000
const PART_BYTES = 16_000_000

/** A partition to switch. */
interface SwitchedPartition {
  readonly stories: ReprocessedStories
  readonly prepared: PreparedEntries
  readonly lease: Lease
}

type SwitchTotals = Omit<ReprocessTotals, 'attempts'>

/**
 * Switches one partition to the stories of the new version. Entries are prepared while the stage is running. Then a
 * lease keeps the stage from taking the partition back, and its transactional id is taken over, so that no other write
 * can interfere. Ledger entries, state and the unchanged committed offsets are written in one transaction. The stage
 * restores its state from the result once the lease has ended.
 */
export async function switchStories(
  stories: ReprocessedStories,
  how: Switching,
  ports: ReprocessPorts,
): Promise<ReprocessTotals> {
  const prepared = new PreparedEntries(stories, ports)
  for (let pass = 0; pass < PREPARING_PASSES; pass++) {
    await stories.readNew()
    const next = await readSoFar(how.reads, stories.partition, ports)
    await prepared.of(seatsOf(stories.switched(how.version), next), NOTHING_TO_RENEW)
  }
  const leased = { stage: 'clustered', reads: how.reads, partitions: [stories.partition] }
  return withLease(leased, ports, (lease) => attempts({ stories, prepared, lease }, how, ports))
}

const NOTHING_TO_RENEW = async (): Promise<void> => undefined

/** An attempt fails if the stage read the note just before the lease began, or if the log is unavailable. */
async function attempts(partition: SwitchedPartition, how: Switching, ports: ReprocessPorts): Promise<ReprocessTotals> {
  for (let attempt = 1; ; attempt++) {
    how.onAttempt(attempt)
    try {
      return { ...(await attemptOnce(partition, how, ports)), attempts: attempt }
    } catch (cause) {
      if (PERMANENT_ERRORS.some((kind) => cause instanceof kind)) throw cause
      if (attempt === ATTEMPTS) throw new Error('the running stage did not release its partition', { cause })
      await ports.clock.sleep(PAUSE_MS)
    }
  }
}

async function attemptOnce(partition: SwitchedPartition, how: Switching, ports: ReprocessPorts): Promise<SwitchTotals> {
  const begun = ports.clock.now()
  await partition.lease.renew()
  const writer = await ports.log.writer(`clustered-${partition.stories.partition}`)
  try {
    const totals = await writeAll({ ...partition, writer }, how, ports)
    return { ...totals, took_ms: ports.clock.now() - begun }
  } finally {
    await writer.close()
  }
}

async function writeAll(
  { stories, prepared, lease, writer }: SwitchedPartition & { readonly writer: TransactionalWriter },
  { version, reads }: Switching,
  ports: ReprocessPorts,
): Promise<Omit<SwitchTotals, 'took_ms'>> {
  // 1. Fenced: only this process writes from here on, so read to the end of the log.
  await stories.readNew()
  const { partition } = stories
  const next = await readSoFar(reads, partition, ports)

  // 2. Decide.
  await lease.renew()
  const found = stories.switched(version)
  const seats = seatsOf(found, next)
  const entries = await prepared.of(seats, () => lease.renew())
  const rows = await switchedRows(stories, seats, ports)
  const [steady, moving] = [
    [...entries.steady, ...rows.steady],
    [...entries.moving, ...rows.moving],
  ]
  const ledgerEnd = (await ports.log.ends(articlesClustered.name))[partition] ?? 0
  const lines = found.flatMap((one) => switchLines(one, { version, ledgerEnd, versions: stories.decidedBy }))
  const published = await Promise.all(lines.map((line) => ledgerRecord(line, partition, ports)))
  if (published.length + steady.length + moving.length === 0) return { events: 0, entries: 0 }

  // 3. Write.
  const read = { group: 'clustered', next }
  const isLarge = bytesOf(steady) > TRANSACTION_BYTES
  for (const part of isLarge ? partsOf(steady) : []) {
    await lease.renew()
    await writer.write(part, read)
  }
  await lease.renew()
  await writer.write([...(isLarge ? [] : steady), ...published, ...moving], read)
  return { events: published.length, entries: steady.length + moving.length }
}

const ledgerRecord = async (line: ArticleClustered, partition: number, { codec }: ReprocessPorts) => ({
  topic: articlesClustered.name,
  key: articlesClustered.key(line),
  value: await codec.encode(articlesClustered, line),
  partition,
})

async function readSoFar(
  reads: readonly string[],
  partition: number,
  { log }: ReprocessPorts,
): Promise<readonly Place[]> {
  const places = await Promise.all(
    reads.map(async (topic) => {
      return { topic, partition, offset: (await log.committed('clustered', topic))[partition] ?? 0 }
    }),
  )
  return places.filter(({ offset }) => offset > 0)
}

function seatsOf(found: readonly Switched[], next: readonly Place[]): Assignments {
  const story = new Map<string, string>()
  const given = new Map<string, Set<string>>()
  for (const { namespace, moves, book } of found) {
    given.set(namespace, new Set([...book.given, ...moves.map(({ to }) => to)]))
    for (const { article, to } of moves) story.set(memberKey(namespace, article), to)
  }
  return {
    storyOf: (namespace, article) => story.get(memberKey(namespace, article)) ?? null,
    isUsedId: (namespace, id) => given.get(namespace)?.has(id) === true,
    readUpTo: next.find(({ topic }) => topic === articlesAnalyzed.name)?.offset ?? 0,
  }
}

const bytesOf = (records: readonly OutRecord[]): number =>
  records.reduce((sum, { value }) => sum + (value?.length ?? 0), 0)

function partsOf(records: readonly OutRecord[]): OutRecord[][] {
  const parts: OutRecord[][] = []
  let bytes = Infinity
  for (const record of records) {
    const size = record.value?.length ?? 0
    if (bytes + size > PART_BYTES) {
      parts.push([])
      bytes = 0
    }
    bytes += size
    parts.at(-1)?.push(record)
  }
  return parts
}
