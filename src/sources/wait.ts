import { z } from 'zod'
import { articlesAnalyzed } from '../events/articles.ts'
import type { Codec, Log, LogRecord } from '../ports/log.ts'
import { deadTopic, readDeadLetter } from '../runtime/dead-letter.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { query } from '../views/query.ts'
import { retryWhileUnavailable, type RetryPorts } from './publisher.ts'

/** Article id to the reason why a stage rejected it. */
export type RefusedLater = ReadonlyMap<string, string>

/** Returns all rejections so far. Each call reads on from the previous one. */
export type ReadRejections = () => Promise<RefusedLater>

const TOPICS = ['articles.ingested', 'articles.scored', 'articles.analyzed'].map(deadTopic)

/** Follows the pipeline's dead-letter topics from now on. A rejected article never becomes readable. */
export async function followRefusals(log: Pick<Log, 'ends' | 'read'>, codec: Codec): Promise<ReadRejections> {
  const refused = new Map<string, string>()
  const next = new Map<string, number[]>()
  for (const topic of TOPICS) next.set(topic, [...(await log.ends(topic))])

  return async () => {
    for (const [topic, offsets] of next) {
      for (const [partition, end] of (await log.ends(topic)).entries()) {
        const from = offsets[partition] ?? 0
        if (from < end) for await (const letters of log.read(topic, partition, from)) await note(letters)
        offsets[partition] = Math.max(from, end)
      }
    }
    return refused
  }

  async function note(letters: readonly LogRecord[]): Promise<void> {
    for (const letter of letters) {
      const id = await articleIdOf(letter, codec)
      if (id === null) continue
      const { reason, resolved } = readDeadLetter(letter)
      if (resolved === 'retried') refused.delete(id)
      else refused.set(id, reason)
    }
  }
}

/**
 * The record key is the article id, except for analysed articles: their key is the namespace, and the value contains
 * the id.
 */
async function articleIdOf(letter: LogRecord, codec: Codec): Promise<string | null> {
  if (letter.topic !== deadTopic(articlesAnalyzed.name)) return letter.key
  if (letter.value === null) return null
  const decoded = await codec.decode(articlesAnalyzed, letter.value)
  return decoded.kind === 'event' ? decoded.event.article_id : null
}

export interface WaitPorts {
  readonly store: Store
  readonly clock: Clock
  /** Articles rejected since the import began. */
  readonly refusals: ReadRejections
  onProgress(wait: WaitProgress): void
}

export interface WaitProgress {
  readonly articles: number
  readonly readable: number
  /** Time without progress. */
  readonly stalledForMs: number
}

export interface AwaitedContents {
  readonly namespace: string
  /** Article id to the hashes of its imported contents, in log order. */
  readonly contents: ReadonlyMap<string, ReadonlySet<string>>
}

const MAX_BATCH = 400
const POLL_MS = 500
/** Store and log may restart meanwhile. The wait fails after ten minutes without a response. */
const TIMEOUT_MS = 600_000

/**
 * Resolves when every content of every article is readable in each of its views, or was rejected by a stage. Returns
 * the rejected ones. Stages preserve log order, so only the first missing articles are queried at a time.
 */
export async function waitUntilReadable(awaited: AwaitedContents, ports: WaitPorts): Promise<RefusedLater> {
  const { contents } = awaited
  let missing = [...contents.keys()]
  let progressAt = ports.clock.now()
  let answeredAt = progressAt
  while (missing.length > 0) {
    const batch = missing.slice(0, MAX_BATCH)
    const left = await answerWithin(() => stillMissing(batch, awaited, ports), ports.clock.now() - answeredAt)
    const now = ports.clock.now()
    if (left !== null) answeredAt = now
    if (left !== null && left.length < batch.length) progressAt = now
    missing = [...(left ?? batch), ...missing.slice(MAX_BATCH)]
    ports.onProgress({
      articles: contents.size,
      readable: contents.size - missing.length,
      stalledForMs: now - progressAt,
    })
    if (left?.length !== 0) await ports.clock.sleep(POLL_MS)
  }
  const refused = await retryWhileUnavailable({ clock: ports.clock, onUnavailable: () => undefined }, () =>
    ports.refusals(),
  )
  return new Map([...refused].filter(([id]) => contents.has(id)))
}

/** `null` if there was no response. */
async function answerWithin<Answer>(request: () => Promise<Answer>, silentForMs: number): Promise<Answer | null> {
  try {
    return await request()
  } catch (cause) {
    if (silentForMs > TIMEOUT_MS) throw new Error('no answer from the store or the log for ten minutes', { cause })
    return null
  }
}

async function stillMissing(
  batch: readonly string[],
  { namespace, contents }: AwaitedContents,
  { store, refusals }: WaitPorts,
): Promise<string[]> {
  const rows = await readableContents(store)({ namespace, article_ids: [...batch] })
  const found = new Map(rows.map(({ article_id, content_hashes }) => [article_id, new Set(content_hashes)]))
  const unread = batch.filter((id) => {
    const hashes = found.get(id)
    return [...(contents.get(id) ?? [])].some((hash) => hashes?.has(hash) !== true)
  })
  if (unread.length === 0) return []
  const refused = await refusals()
  return unread.filter((id) => !refused.has(id))
}

/**
 * Contents that are readable in all of their views: the view of Layer 0, and those of Layers 1 and 2 if the article was
 * forwarded. One row per article with any such content, with the hashes.
 */
const readableContents = query({
  name: 'readable_contents',
  sql: `
    SELECT article_id, groupUniqArray(content_hash) AS content_hashes
    FROM articles
    WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      AND (NOT forwarded OR ((article_id, content_hash) IN (
        SELECT article_id, content_hash
        FROM analyzed_articles
        WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)} AND NOT direct
      ) AND (article_id, content_hash) IN (
        SELECT article_id, content_hash
        FROM cluster_decisions
        WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      )))
    GROUP BY article_id`,
  params: z.object({ article_ids: z.array(z.string()) }),
  row: z.object({ article_id: z.string(), content_hashes: z.array(z.string()) }),
})

export interface WaitUntilCaughtUpReader {
  readonly group: string
  readonly topic: string
  /**
   * Whether the topic is written in transactions. Its last offset is then a transaction marker, which readers do not
   * see.
   */
  readonly transactional: boolean
}

const LAG_POLL_MS = 300
/** If a reader of a transactional topic stays one record behind for this long, only the marker is left. */
const QUIET_MS = 3_000

/**
 * Resolves when each reader, one after another, has read up to the current end of its topic. Retries while the log is
 * unavailable.
 */
export async function waitUntilCaughtUp(
  readers: readonly WaitUntilCaughtUpReader[],
  ports: CatchUpPorts,
): Promise<void> {
  for (const reader of readers) await caughtUp(reader, ports)
}

export interface CatchUpPorts extends RetryPorts {
  readonly log: Pick<Log, 'ends' | 'committed'>
}

async function caughtUp(
  { group, topic, transactional }: WaitUntilCaughtUpReader,
  { log, clock, onUnavailable: onAway }: CatchUpPorts,
): Promise<void> {
  let before = ''
  let progressAt = clock.now()
  const retrying: RetryPorts = {
    clock,
    onUnavailable: (cause) => {
      before = '' // the reader may have been disconnected too, so an outage does not count as quiet time
      onAway(cause)
    },
  }
  const ends = await retryWhileUnavailable(retrying, () => log.ends(topic))
  for (;;) {
    const committed = await retryWhileUnavailable(retrying, () => log.committed(group, topic))
    const lag = ends.map((end, partition) => Math.max(0, end - (committed[partition] ?? 0)))
    if (lag.join() !== before) progressAt = clock.now()
    before = lag.join()
    const onlyMarkers = transactional && clock.now() - progressAt > QUIET_MS
    if (lag.every((records) => records <= (onlyMarkers ? 1 : 0))) return
    await clock.sleep(LAG_POLL_MS)
  }
}
