import { besideName } from '../../adapters/beside-log.ts'
import { articlesAnalyzed } from '../../events/articles.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { RecordTooLarge, type OutRecord, type Place, type TransactionalWriter } from '../../ports/log.ts'
import { clusteredMemory, memberKey, type MemberRecord } from '../../stages/clustered/changelog.ts'
import { isMoved, moved, takenOver, type Seats } from '../../stages/clustered/reprocess/memories.ts'
import { switchLines, type Switched } from '../../stages/clustered/reprocess/switch-lines.ts'
import type { ReprocessTotals } from './report.ts'
import { digestOf, entryOf, type ReprocessPorts, type ReprocessedStories } from './stories.ts'

/** What is to be switched, and how. */
interface Switching {
  readonly version: string
  /** The stage's inputs. */
  readonly reads: readonly string[]
  onAttempt(attempt: number): void
}

const ATTEMPTS = 50
/** Between two of them: the log may be away for a moment. */
const PAUSE_MS = 100
/** Ours, or of what is written: fencing and a log that is away are other errors. */
const NEVER_BETTER = [RecordTooLarge, TypeError, RangeError]
/** Of entries that only say more about an article where it is, so many bytes a transaction: they need not come at once. */
const STEADY_BYTES = 16_000_000

/**
 * Puts the new version's stories in the place of the old one's, in one partition. It takes the running stage's place as the
 * writer, so nothing can come between; what follows is one transaction: the ledger's lines, the memory of what moved, and
 * how far the stage has read, which stays as it was. The running stage finds itself fenced and restores from what is then
 * there; where it takes its place back before we are done, nothing was written, and we begin again.
 */
export async function switchStories(
  stories: ReprocessedStories,
  how: Switching,
  ports: ReprocessPorts,
): Promise<ReprocessTotals> {
  for (let attempt = 1; ; attempt++) {
    how.onAttempt(attempt)
    try {
      return { ...(await attemptOnce(stories, how, ports)), attempts: attempt }
    } catch (cause) {
      if (NEVER_BETTER.some((kind) => cause instanceof kind)) throw cause
      if (attempt === ATTEMPTS) throw new Error('the running stage did not release its partition', { cause })
      await ports.clock.sleep(PAUSE_MS)
    }
  }
}

async function attemptOnce(
  stories: ReprocessedStories,
  how: Switching,
  ports: ReprocessPorts,
): Promise<Omit<ReprocessTotals, 'attempts'>> {
  const writer = await ports.log.writer(`clustered-${stories.partition}`)
  try {
    return await writeAll({ stories, writer }, how, ports)
  } finally {
    await writer.close()
  }
}

async function writeAll(
  { stories, writer }: { readonly stories: ReprocessedStories; readonly writer: TransactionalWriter },
  { version, reads }: Switching,
  ports: ReprocessPorts,
): Promise<Omit<ReprocessTotals, 'attempts'>> {
  const begun = ports.clock.now()
  // 1. From here on only we write: whatever is in the log now stays the end of it.
  await stories.readOn()
  const { partition } = stories
  const next = await readSoFar(reads, partition, ports)

  // 2. Decide.
  const found = stories.switched(version)
  const { steady, moving } = await entries(stories, seatsOf(found, next), ports)
  const ledgerEnd = (await ports.log.ends(articlesClustered.name))[partition] ?? 0
  const lines = found.flatMap((one) => switchLines(one, { version, ledgerEnd, versions: stories.decidedBy }))

  // 3. What changes no story may come before, in as many transactions as it takes.
  const read = { group: 'clustered', next }
  for (const part of partsOf(steady)) await writer.write(part, read)

  // 4. What does, at once.
  const published = await Promise.all(
    lines.map(async (line) => ({
      topic: articlesClustered.name,
      key: articlesClustered.key(line),
      value: await ports.codec.encode(articlesClustered, line),
      partition,
    })),
  )
  if (published.length + moving.length > 0) await writer.write([...published, ...moving], read)
  return { events: published.length, entries: steady.length + moving.length, took_ms: ports.clock.now() - begun }
}

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

function seatsOf(found: readonly Switched[], next: readonly Place[]): Seats {
  const story = new Map<string, string>()
  const given = new Map<string, Set<string>>()
  for (const { namespace, moves, book } of found) {
    given.set(namespace, new Set([...book.given, ...moves.map(({ to }) => to)]))
    for (const { article, to } of moves) story.set(memberKey(namespace, article), to)
  }
  return {
    storyOf: (namespace, article) => story.get(memberKey(namespace, article)) ?? null,
    isGiven: (namespace, id) => given.get(namespace)?.has(id) === true,
    readUpTo: next.find(({ topic }) => topic === articlesAnalyzed.name)?.offset ?? 0,
  }
}

interface Entries {
  /** Of articles that stay in their story. */
  readonly steady: OutRecord[]
  readonly moving: OutRecord[]
}

/** Entries of the memory that are to be written: the new version's where there is one, else the old one in its new story. */
async function entries(stories: ReprocessedStories, seats: Seats, ports: ReprocessPorts): Promise<Entries> {
  const found: Entries = { steady: [], moving: [] }
  const done = new Set<string>()
  const add = async (key: string, entry: MemberRecord) => {
    const value = await ports.codec.encode(clusteredMemory, entry)
    const old = stories.memory.get(key)
    if (old?.digest === digestOf(value)) return
    const stays = entry.rebuilt !== null || old === undefined || old.cluster_id === entry.cluster_id
    found[stays ? 'steady' : 'moving'].push({ topic: clusteredMemory.name, key, value, partition: stories.partition })
  }
  for await (const [key, entry] of newest(besideName(clusteredMemory.name), stories.newEntries, { stories, ports })) {
    const now = takenOver(entry, stories.memory.get(key), seats)
    if (now === null) continue
    done.add(key)
    await add(key, now)
  }
  const rest = [...stories.memory].filter(([key, old]) => !done.has(key) && isMoved(old, seats))
  const offsets = new Map(rest.map(([key, { offset }]) => [key, offset]))
  for await (const [key, entry] of newest(clusteredMemory.name, offsets, { stories, ports })) {
    const now = moved(entry, seats)
    if (now !== null) await add(key, now)
  }
  return found
}

/** The newest entry of each of some keys, by the offset it stands at. */
async function* newest(
  topic: string,
  offsets: ReadonlyMap<string, number>,
  { stories, ports }: { readonly stories: ReprocessedStories; readonly ports: ReprocessPorts },
): AsyncGenerator<readonly [string, MemberRecord]> {
  if (offsets.size === 0) return
  for await (const chunk of ports.log.read(topic, stories.partition, 0)) {
    for (const record of chunk) {
      if (record.key === null || offsets.get(record.key) !== record.offset) continue
      const entry = await entryOf(record, ports.codec)
      if (entry !== null) yield [record.key, entry]
    }
  }
}

function partsOf(records: readonly OutRecord[]): OutRecord[][] {
  const parts: OutRecord[][] = []
  let bytes = Infinity
  for (const record of records) {
    const size = record.value?.length ?? 0
    if (bytes + size > STEADY_BYTES) {
      parts.push([])
      bytes = 0
    }
    bytes += size
    parts.at(-1)?.push(record)
  }
  return parts
}
