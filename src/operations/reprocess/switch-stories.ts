import { besideName } from '../../adapters/beside-log.ts'
import { articlesAnalyzed } from '../../events/articles.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { RecordTooLarge, type OutRecord, type Place, type TransactionalWriter } from '../../ports/log.ts'
import { clusteredMemory, memberKey, type MemberRecord } from '../../stages/clustered/changelog.ts'
import { isMoved, moved, replacement, type Assignments } from '../../stages/clustered/reprocess/memories.ts'
import { switchLines, type Switched } from '../../stages/clustered/reprocess/switch-lines.ts'
import type { ReprocessTotals } from './report.ts'
import { digestOf, entryOf, type ReprocessPorts, type ReprocessedStories } from './stories.ts'

/** What to switch, and how. */
interface Switching {
  readonly version: string
  /** The stage's inputs. */
  readonly reads: readonly string[]
  onAttempt(attempt: number): void
}

const ATTEMPTS = 50
/** Pause between attempts: the log may be briefly unavailable. */
const PAUSE_MS = 100
/** Errors that a retry cannot fix, unlike fencing or an unavailable log. */
const PERMANENT_ERRORS = [RecordTooLarge, TypeError, RangeError]
/** Maximum transaction size for entries that change no story. These need not be written atomically. */
const STEADY_BYTES = 16_000_000

/**
 * Switches one partition to the stories of the new version. Takes over the running stage's transactional id, so that no
 * other write can interfere. Ledger entries, the state of moved articles and the unchanged committed offsets are then
 * written in one transaction. The running stage is fenced and restores its state from the result. If it takes the
 * partition back before that transaction, no story has changed and the switch is attempted again.
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
      if (PERMANENT_ERRORS.some((kind) => cause instanceof kind)) throw cause
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
  // 1. Fenced: only this process writes from here on, so read to the end of the log.
  await stories.readNew()
  const { partition } = stories
  const next = await readSoFar(reads, partition, ports)

  // 2. Decide.
  const found = stories.switched(version)
  const { steady, moving } = await entries(stories, seatsOf(found, next), ports)
  const ledgerEnd = (await ports.log.ends(articlesClustered.name))[partition] ?? 0
  const lines = found.flatMap((one) => switchLines(one, { version, ledgerEnd, versions: stories.decidedBy }))

  // 3. Write entries that change no story first, in as many transactions as needed.
  const read = { group: 'clustered', next }
  for (const part of partsOf(steady)) await writer.write(part, read)

  // 4. Write the changes in one transaction.
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

interface Entries {
  /** Entries of articles that stay in their story. */
  readonly steady: OutRecord[]
  readonly moving: OutRecord[]
}

/** The state entries to write: those of the new version if they exist, otherwise the old ones with their new story. */
async function entries(stories: ReprocessedStories, seats: Assignments, ports: ReprocessPorts): Promise<Entries> {
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
    const now = replacement(entry, stories.memory.get(key), seats)
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

/** The entry at the given offset for each key. */
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
