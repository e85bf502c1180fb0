import { z } from 'zod'
import { messageOf } from '../domain/message-of.ts'
import { BrokerClock, ClockApart } from '../state/settings/broker-clock.ts'
import { derivedId } from '../events/ids.ts'
import { articlesClustered } from '../events/ledger.ts'
import { clockTicked, type ClockTicked } from '../events/settings.ts'
import type { Clock } from '../ports/clock.ts'
import { viewGroup, type Codec, type ViewedLog } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { articlesScored } from '../events/articles.ts'
import { query } from '../views/query.ts'
import { bar, type Progress } from './progress.ts'
import { publisher, retryWhileUnavailable } from './publisher.ts'
import { followRefusals, type ReadRejections, waitUntilCaughtUp, waitUntilReadable } from './wait.ts'
import type { SourceTally } from './tally.ts'

/** Per tick, the clusterer reclusters some thousand articles and those around them. A larger import needs several ticks. */
const ARTICLES_A_TICK = 1_000

/** The tick that ends an import. */
export const flushTick = (namespace: string, at: number, ordinal: number): ClockTicked => ({
  event_id: derivedId({ stage: 'import', version: '1' }, `${namespace}:${at}`, ordinal),
  namespace,
  tick_at: at,
  flush: true,
})

export interface ImportPorts {
  readonly log: () => Promise<ViewedLog>
  readonly codec: () => Promise<Codec>
  readonly store: () => Promise<Store>
  readonly clock: Clock
  readonly progress: Progress
}

export interface StorySettlePorts extends ImportPorts {
  readonly refusals: ReadRejections
}

interface StorySettleOptions {
  readonly namespace: string
  readonly wait: boolean
}

/** Call before the first article is published. `end` settles the stories and completes the tally. */
export async function startImport(ports: ImportPorts, { namespace, wait }: StorySettleOptions) {
  const [log, codec] = [await ports.log(), await ports.codec()]
  const refusals = await followRefusals(log, codec)
  const before = await log.ends(articlesScored.name)
  const end = async (tally: SourceTally): Promise<void> => {
    await settleStories(tally, { namespace, wait }, { ...ports, refusals })
    if (wait) await countKnownContents(tally, { store: await ports.store(), namespace, before })
    ports.progress.end()
  }
  return { log, codec, end }
}

/**
 * Ends an import with a tick that marks it as complete, so that stories are reclustered immediately instead of after a
 * day. With `wait`, the tick is sent once every article is readable, and the import ends once the result is readable
 * too. Without it, the tick applies to what the clusterer has read by then.
 */
export async function settleStories(
  tally: SourceTally,
  { namespace, wait }: StorySettleOptions,
  ports: StorySettlePorts,
): Promise<void> {
  if (wait) await waitForAll(tally, namespace, ports)
  if (tally.accepted === 0) return
  const [log, codec] = [await ports.log(), await ports.codec()]
  const { clock, progress } = ports
  const onUnavailable = (cause: unknown): void => {
    if (cause instanceof ClockApart) throw cause
    progress.print(`settling stories: Kafka is not reachable, retrying (${messageOf(cause)})`)
  }
  const brokerClock = new BrokerClock({ log, clock })
  await retryWhileUnavailable({ clock, onUnavailable }, async () => {
    await brokerClock.check({ topic: clockTicked.name, key: namespace })
  })
  const ticks = publisher({ log, codec, clock, onUnavailable }, { topic: clockTicked })
  const now = clock.now()
  for (let i = 0; i * ARTICLES_A_TICK < tally.accepted; i++) await ticks.add(flushTick(namespace, now, i))
  await ticks.flush()
  if (!wait) return

  progress.print('settling stories')
  await waitUntilCaughtUp([CLUSTERER, CLUSTERS_VIEW], { log, clock, onUnavailable })
}

/** The stage that clusters articles, and the view of the clusters. */
const CLUSTERER = { group: 'clustered', topic: clockTicked.name, transactional: false }
const CLUSTERS_VIEW = { group: viewGroup('clusters'), topic: articlesClustered.name, transactional: true }

const STALLED_MS = 30_000

/** Waits until all imported contents are readable or rejected. Rejections are added to the tally. */
async function waitForAll(
  tally: SourceTally,
  namespace: string,
  { store, clock, refusals, progress }: Omit<StorySettlePorts, 'log' | 'codec'>,
): Promise<void> {
  const refused = await waitUntilReadable(
    { namespace, contents: tally.contents },
    {
      store: await store(),
      clock,
      refusals,
      onProgress: ({ articles, readable, stalledForMs: stillForMs }) => {
        const hint = stillForMs > STALLED_MS ? '; no progress: is the service running?' : ''
        progress.update(() => `${bar(readable, articles)}${readable} of ${articles} indexed${hint}`)
      },
    },
  )
  for (const [article_id, reason] of refused) tally.refusedLater.push({ article_id, reason })
}

const IDS_A_QUERY = 2_000

interface KnownContentsOptions {
  readonly store: Store
  readonly namespace: string
  /** End offsets of `articles.scored` before the import, by partition: later records are new. */
  readonly before: readonly number[]
}

/** After a completed import, finds which of its contents the service already had, and counts them as repeats. */
async function countKnownContents(
  tally: SourceTally,
  { store, namespace, before }: KnownContentsOptions,
): Promise<void> {
  const ids = [...tally.contents.keys()]
  const known = new Map<string, ReadonlySet<string>>()
  for (let at = 0; at < ids.length; at += IDS_A_QUERY) {
    const article_ids = ids.slice(at, at + IDS_A_QUERY)
    const rows = await contentsBefore(store)({ namespace, article_ids, before: [...before] })
    for (const { article_id, content_hashes } of rows) known.set(article_id, new Set(content_hashes))
  }
  tally.compareWith(known)
}

/** A repeated content keeps the log position of its first event. */
const contentsBefore = query({
  name: 'contents_before',
  sql: `
    SELECT article_id, groupUniqArray(content_hash) AS content_hashes
    FROM articles
    WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      AND _offset < {before: Array(UInt64)}[_partition + 1]
    GROUP BY article_id`,
  params: z.object({ article_ids: z.array(z.string()), before: z.array(z.number()) }),
  row: z.object({ article_id: z.string(), content_hashes: z.array(z.string()) }),
})
