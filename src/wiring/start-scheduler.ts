import { KeyBook } from '../api/http/keys/key-book.ts'
import { SHARED } from '../domain/intake/articles.ts'
import type { KeyChanged } from '../events/settings.ts'
import type { BuildResult } from '../views/graph/build.ts'
import { runGraphBuilds } from '../sources/graph-builds.ts'
import { runScheduler } from '../sources/scheduler.ts'
import { TickedNamespaces } from '../sources/ticked-namespaces.ts'
import { runFeedGauges } from '../operations/feeds/feed-gauges.ts'
import { UpToDate } from '../state/settings/book.ts'
import { FeedBook } from '../state/settings/feeds.ts'
import { feedHealth } from '../views/feeds/health.ts'
import { newestFact } from '../views/stories/queries.ts'
import { runForever, type StartedProcess } from './started-process.ts'

/**
 * Emits scheduler ticks until the process stops, builds the graphs every six hours, and reports the health of watched
 * feeds.
 */
export function startScheduler(started: StartedProcess): void {
  const { log, codec, clock } = started.running
  const stop = new AbortController()
  const { signal } = stop
  const ticked = tickedNamespaces(started)
  const ticks = { log, codec, clock, namespaces: () => ticked.at(clock.now()) }
  const scheduling = [
    runForever({ step: 'tick', work: () => runScheduler(ticks, signal), signal }, started.running),
    runForever({ step: 'build graphs', work: () => buildGraphs(started, signal), signal }, started.running),
    runForever({ step: 'count feeds', work: () => countFeeds(started, signal), signal }, started.running),
  ]
  started.lifecycle.opened('scheduler', async () => {
    stop.abort()
    await Promise.all(scheduling)
  })
}

/** Returns a function that reads all keys up to the current end of the log. */
function keysOf({ running: { log, codec } }: StartedProcess): () => Promise<readonly KeyChanged[]> {
  const keys = new KeyBook()
  return async () => {
    await keys.catchUp({ log, codec })
    return keys.all()
  }
}

/** Namespaces with keys, those polled by connectors, and `shared`. */
function namespacesOf(started: StartedProcess): () => Promise<readonly string[]> {
  const keys = keysOf(started)
  const { namespaces } = started.wiring.config.connectors
  return async () => [...new Set([SHARED, ...namespaces, ...(await keys()).map(({ namespace }) => namespace)])]
}

/** Added to the longest period of text expiry and lifecycle rules: covers the hours that the clusterer waits. */
const SPARE_MS = 86_400_000

function tickedNamespaces(started: StartedProcess): TickedNamespaces {
  const { wiring } = started
  const { connectors, postTextMs, lifecycle } = wiring.config
  const { mature, contested } = lifecycle
  return new TickedNamespaces({
    keys: keysOf(started),
    always: connectors.namespaces,
    newestFact: async (namespace) => (await newestFact(await wiring.store())({ namespace }))[0]?.newest ?? null,
    quietMs: Math.max(postTextMs, mature.youngMs, contested.freshMs, contested.activeMs) + SPARE_MS,
  })
}

async function countFeeds({ wiring, running }: StartedProcess, signal: AbortSignal): Promise<void> {
  const { log, codec, clock, logger, metrics } = running
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'feeds_not_understood')
  const known = new UpToDate(new FeedBook(), { log, codec, clock, onStrange })
  await runFeedGauges(
    {
      clock,
      metrics,
      feeds: async () => (await known.now()).all(),
      health: async (namespace, ids, as_of) =>
        feedHealth(await wiring.store())({ namespace, feed_ids: [...ids], as_of }),
    },
    signal,
  )
}

async function buildGraphs(started: StartedProcess, signal: AbortSignal): Promise<void> {
  const { running, graph } = started
  await runGraphBuilds(
    {
      clock: running.clock,
      namespaces: namespacesOf(started),
      build: (namespace) => graph.build(namespace),
      onBuilt: (namespace, built) => report(namespace, built, running),
      onFailure: (namespace, err) => running.logger.warn({ namespace, err }, 'graph build failed'),
    },
    signal,
  )
}

/**
 * The stored graph must always match the facts within the stage's retention. A difference means that the stage or the
 * build has a defect.
 */
function report(namespace: string, built: BuildResult, { logger, metrics }: StartedProcess['running']): void {
  if (built.differences === 0 || !built.kept) {
    logger.info({ namespace, ...built }, 'graph built')
    return
  }
  metrics.count('story_graph_differences_total', { namespace }, built.differences)
  logger.error({ namespace, ...built }, 'graph differed from the stored facts, repaired')
}
