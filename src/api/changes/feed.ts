import type { Caller } from '../http/keys/caller.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { isProblem, type Problem } from '../http/problem.ts'
import type { Connection } from '../http/stream-response.ts'
import { Hub } from './broadcaster.ts'
import { FeedPlaces } from './subscriber-slots.ts'
import { type FeedFilter, type FeedRead, FeedReader } from './reader.ts'
import { RenderedFrames } from './rendered-frames.ts'
import { Stream } from './stream.ts'
import { Watch } from './watch.ts'
import type { Clock } from '../../ports/clock.ts'

export interface FeedSubscription {
  readonly caller: Caller
  readonly connection: Connection
  readonly filter: FeedFilter
}

/** What was read, and behind what. */
export interface WaitedRead extends FeedRead {
  readonly reader: FeedReader
}

/** Everybody who listens to changes at this instance. */
export interface ChangeFeed {
  /** A stream of what comes after a place, or from now on; a refusal where there is no room. Throws `Away`. */
  open(listening: FeedSubscription, from: 'place' | 'now'): Promise<ReadableStream<Uint8Array> | Problem>
  /** Resolves as soon as there is something, at the latest after `waitMs`. Throws `Away`. */
  wait(listening: FeedSubscription, waitMs: number): Promise<WaitedRead | Problem>
}

export function feedOf(dependencies: Dependencies): ChangeFeed {
  const { store, log, codec, clock, logger, onSlowReader = () => undefined } = dependencies
  const stopping = dependencies.stopping ?? new AbortController().signal
  const hub = new Hub({ log, codec, clock, logger, stopping })
  const places = new FeedPlaces()
  const watch = new Watch(clock, stopping)
  const rendered = new RenderedFrames()

  return {
    open: async ({ caller, connection, filter }, from) => {
      const { namespace, key_id } = caller
      const free = places.take(caller)
      if (isProblem(free)) return free
      let wake: () => void = () => undefined
      const leave = await hub.join(namespace, () => wake()).catch(freeing(free))
      const reader = new FeedReader({ hub, store }, filter)
      if (from === 'now') await reader.skipToNow().catch(freeing(leave, free))

      const stream = new Stream({
        ...{ namespace, key_id, reader, rendered, connection, clock, logger, onDropped: onSlowReader },
        release: () => {
          watch.remove(stream)
          leave()
          free()
        },
      })
      wake = () => stream.wake()
      watch.add(stream)
      return stream.body
    },
    wait: async ({ caller, connection, filter }, waitMs) => {
      const free = places.take(caller)
      if (isProblem(free)) return free
      const reader = new FeedReader({ hub, store }, filter)
      try {
        const endings = [stopping, connection.gone()]
        return {
          reader,
          ...(await waitForChanges({ hub, clock, reader, namespace: caller.namespace, endings }, waitMs)),
        }
      } finally {
        free()
      }
    },
  }
}

/** Gives back what was taken when the next step fails. */
const freeing =
  (...taken: readonly (() => void)[]) =>
  (cause: unknown): never => {
    for (const free of taken) free()
    throw cause
  }

interface WaitOptions {
  readonly hub: Hub
  readonly clock: Clock
  readonly reader: FeedReader
  readonly namespace: string
  /** What else ends it. */
  readonly endings: readonly AbortSignal[]
}

const SOON_MS = 250

/** What comes next, as soon as there is something; nothing when that takes longer than `waitMs`. Throws `Away`. */
async function waitForChanges(waiting: WaitOptions, waitMs: number): Promise<FeedRead> {
  const { hub, clock, reader, namespace, endings } = waiting
  const settled = new AbortController()
  const over = AbortSignal.any([settled.signal, ...endings])
  let wake: () => void = () => undefined
  const leave = await hub.join(namespace, () => wake())
  const end = (): void => wake()
  over.addEventListener('abort', end)
  void clock.sleep(waitMs, over).then(() => settled.abort())
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => (wake = resolve)) // before reading: what comes meanwhile counts
      const read = await reader.read()
      if (read.changes.length > 0 || over.aborted) return read
      if (read.again === 'soon') await clock.sleep(SOON_MS, over)
      if (read.again === 'woken') await woken
    }
  } finally {
    over.removeEventListener('abort', end)
    leave()
    settled.abort()
  }
}
