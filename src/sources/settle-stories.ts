import { BrokerClock, ClockApart } from '../state/settings/broker-clock.ts'
import { derivedId } from '../events/ids.ts'
import { articlesClustered } from '../events/ledger.ts'
import { clockTicked, type ClockTicked } from '../events/settings.ts'
import type { Clock } from '../ports/clock.ts'
import { viewGroup, type Codec, type Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { bar, type Progress } from './progress.ts'
import { publisher, retryWhileAway } from './publisher.ts'
import type { Follow } from './refused-later.ts'
import type { SourceTally } from './tally.ts'
import { waitUntilCaughtUp } from './wait-until-caught-up.ts'
import { waitUntilReadable } from './wait-until-readable.ts'

/** With one tick the clusterer reclusters the days of some thousand articles; a larger import needs several. */
const ARTICLES_A_TICK = 2_000

/** The tick that ends an import. */
export const flushTick = (namespace: string, at: number, ordinal: number): ClockTicked => ({
  event_id: derivedId({ stage: 'import', version: '1' }, `${namespace}:${at}`, ordinal),
  namespace,
  tick_at: at,
  flush: true,
})

export interface StorySettlePorts extends Omit<WaitForAllOptions, 'store'> {
  readonly log: () => Promise<Log>
  readonly codec: () => Promise<Codec>
  readonly store: () => Promise<Store>
}

/**
 * Ends an import: a tick says that it is complete, so that stories are reclustered now and not after a day. With `--wait`
 * the tick is sent once every article is readable, and the import ends once the result is readable too. Without it, the
 * tick applies to what the clusterer has read by then.
 */
export async function settleStories(
  tally: SourceTally,
  { namespace, wait }: { readonly namespace: string; readonly wait: boolean },
  ports: StorySettlePorts,
): Promise<void> {
  if (wait) await waitForAll(tally, namespace, ports)
  if (tally.accepted === 0) return
  const [log, codec] = [await ports.log(), await ports.codec()]
  const { clock, progress } = ports
  const onAway = (cause: unknown): void => {
    if (cause instanceof ClockApart) throw cause
    progress.print(`settling stories: Kafka is not reachable, retrying (${messageOf(cause)})`)
  }
  const brokerClock = new BrokerClock({ log, clock })
  await retryWhileAway({ clock, onAway }, async () => {
    await brokerClock.check({ topic: clockTicked.name, key: namespace })
  })
  const ticks = publisher({ log, codec, clock, onAway }, { topic: clockTicked, rate: null, onTaken: () => undefined })
  const now = clock.now()
  for (let i = 0; i * ARTICLES_A_TICK < tally.accepted; i++) await ticks.add(flushTick(namespace, now, i))
  await ticks.flush()
  if (!wait) return

  progress.print('settling stories')
  await waitUntilCaughtUp([CLUSTERER, CLUSTERS_VIEW], { log, clock, onAway })
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The stage that clusters articles, and the view that shows the clusters. */
const CLUSTERER = { group: 'clustered', topic: clockTicked.name, transactional: false }
const CLUSTERS_VIEW = { group: viewGroup('clusters'), topic: articlesClustered.name, transactional: true }

interface WaitForAllOptions {
  readonly store: () => Promise<Store>
  readonly clock: Clock
  readonly progress: Progress
  readonly refusals: Follow
}

const STILL_MS = 30_000

/** Waits until every content of an import is readable or rejected; rejections are added to the tally. */
async function waitForAll(
  tally: SourceTally,
  namespace: string,
  { store, ...ports }: WaitForAllOptions,
): Promise<void> {
  const refused = await waitUntilReadable(
    { namespace, contents: tally.contents },
    {
      store: await store(),
      clock: ports.clock,
      refusals: ports.refusals,
      onProgress: ({ articles, readable, stillForMs }) => {
        const hint = stillForMs > STILL_MS ? '; no progress: is the service running?' : ''
        ports.progress.update(() => `${bar(readable, articles)}${readable} of ${articles} indexed${hint}`)
      },
    },
  )
  for (const [articleId, reason] of refused) tally.refuseLater({ article_id: articleId, reason })
}
