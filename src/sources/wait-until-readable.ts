import { z } from 'zod'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { query } from '../views/query.ts'
import type { Follow, RefusedLater } from './refused-later.ts'
import { retryWhileAway } from './publisher.ts'

export interface WaitPorts {
  readonly store: Store
  readonly clock: Clock
  /** Dead letters since the import began. */
  readonly refusals: Follow
  onProgress(wait: WaitProgress): void
}

export interface WaitProgress {
  readonly articles: number
  readonly readable: number
  /** Since when nothing has moved. */
  readonly stillForMs: number
}

export interface AwaitedContents {
  readonly namespace: string
  /** Article id to its contents (their hashes) that were imported, in the order of the log. */
  readonly contents: ReadonlyMap<string, ReadonlySet<string>>
}

const MAX_BATCH = 400
const POLL_MS = 500
/** Store and log may restart meanwhile; after ten minutes without a response the wait fails. */
const PATIENCE_MS = 600_000

/**
 * Resolves when every content of every article is in every view that shows it, or was rejected by a stage; returns the
 * rejected ones. Stages keep the order of the log, so only the first missing articles are queried at a time.
 */
export async function waitUntilReadable(awaited: AwaitedContents, ports: WaitPorts): Promise<RefusedLater> {
  const { contents } = awaited
  let missing = [...contents.keys()]
  let movedAt = ports.clock.now()
  let answeredAt = movedAt
  while (missing.length > 0) {
    const batch = missing.slice(0, MAX_BATCH)
    const left = await answerWithin(() => stillMissing(batch, awaited, ports), ports.clock.now() - answeredAt)
    const now = ports.clock.now()
    if (left !== null) answeredAt = now
    if (left !== null && left.length < batch.length) movedAt = now
    missing = [...(left ?? batch), ...missing.slice(MAX_BATCH)]
    ports.onProgress({ articles: contents.size, readable: contents.size - missing.length, stillForMs: now - movedAt })
    if (left?.length !== 0) await ports.clock.sleep(POLL_MS)
  }
  const onAway = (): void => undefined
  const refused = await retryWhileAway({ clock: ports.clock, onAway }, () => ports.refusals())
  return new Map([...refused].filter(([id]) => contents.has(id)))
}

/** `null` if there is no response this time. */
async function answerWithin<Answer>(ask: () => Promise<Answer>, silentForMs: number): Promise<Answer | null> {
  try {
    return await ask()
  } catch (cause) {
    if (silentForMs > PATIENCE_MS) throw new Error('no answer from the store or the log for ten minutes', { cause })
    return null
  }
}

async function stillMissing(
  batch: readonly string[],
  { namespace, contents }: AwaitedContents,
  { store, refusals }: WaitPorts,
): Promise<string[]> {
  const found = await readable(store, namespace, batch)
  const unread = batch.filter((id) => {
    const there = found.get(id)
    return [...(contents.get(id) ?? [])].some((hash) => there?.has(hash) !== true)
  })
  if (unread.length === 0) return []
  const refused = await refusals()
  return unread.filter((id) => !refused.has(id))
}

/**
 * Contents that are in every view that shows them: the view of Layer 0, and those of Layer 1 and 2 if the article was
 * forwarded. Article id to the hashes of readable contents; absent if there is none.
 */
async function readable(
  store: Store,
  namespace: string,
  articleIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await readableContents(store)({ namespace, article_ids: [...articleIds] })
  return new Map(rows.map(({ article_id, content_hashes }) => [article_id, new Set(content_hashes)]))
}

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
