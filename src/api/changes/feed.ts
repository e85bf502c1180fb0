import type { Caller } from '../http/keys/caller.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { isProblem, type Problem, problem } from '../http/problem.ts'
import type { Connection } from '../http/stream-response.ts'
import { Broadcaster } from './broadcaster.ts'
import { type FeedFilter, type FeedRead, FeedReader } from './reader.ts'
import { RenderedFrames } from './frames.ts'
import { Stream, StreamMonitor } from './stream.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Tier } from '../../events/settings.ts'

export interface FeedSubscription {
  readonly caller: Caller
  readonly connection: Connection
  readonly filter: FeedFilter
}

/** The change feed of this instance: streams and long polls. */
export interface ChangeFeed {
  /** Opens a stream after a position, or from now on; a problem if there is no free slot. Throws `EngineUnavailable`. */
  open(listening: FeedSubscription, from: 'cursor' | 'now'): Promise<ReadableStream<Uint8Array> | Problem>
  /** Resolves as soon as there are changes, or after `waitMs`. Throws `EngineUnavailable`. */
  wait(listening: FeedSubscription, waitMs: number): Promise<(FeedRead & { readonly reader: FeedReader }) | Problem>
}

export function feedOf(dependencies: Dependencies): ChangeFeed {
  const { store, log, codec, clock, logger, onSlowReader = () => undefined } = dependencies
  const stopping = dependencies.stopping ?? new AbortController().signal
  const broadcaster = new Broadcaster({ log, codec, clock, logger, stopping })
  const slots = new SubscriberSlots()
  const watch = new StreamMonitor(clock, stopping)
  const rendered = new RenderedFrames()

  return {
    open: async ({ caller, connection, filter }, from) => {
      const { namespace, key_id } = caller
      const free = slots.take(caller)
      if (isProblem(free)) return free
      let wake: () => void = () => undefined
      const leave = await broadcaster.join(namespace, () => wake()).catch(freeing(free))
      const reader = new FeedReader({ broadcaster, store }, filter)
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
      const free = slots.take(caller)
      if (isProblem(free)) return free
      const reader = new FeedReader({ broadcaster, store }, filter)
      try {
        const endings = [stopping, connection.gone()]
        const read = await waitForChanges({ broadcaster, clock, reader, namespace: caller.namespace, endings }, waitMs)
        return { ...read, reader }
      } finally {
        free()
      }
    },
  }
}

/** Releases what was acquired if the next step fails. */
const freeing =
  (...taken: readonly (() => void)[]) =>
  (cause: unknown): never => {
    for (const free of taken) free()
    throw cause
  }

interface WaitOptions {
  readonly broadcaster: Broadcaster
  readonly clock: Clock
  readonly reader: FeedReader
  readonly namespace: string
  /** Other signals that end the wait. */
  readonly endings: readonly AbortSignal[]
}

const SOON_MS = 250

/** The next changes, as soon as there are any; an empty page after `waitMs`. Throws `EngineUnavailable`. */
async function waitForChanges(waiting: WaitOptions, waitMs: number): Promise<FeedRead> {
  const { broadcaster, clock, reader, namespace, endings } = waiting
  const timedOut = new AbortController()
  const over = AbortSignal.any([timedOut.signal, ...endings])
  let wake: () => void = () => undefined
  const leave = await broadcaster.join(namespace, () => wake())
  const end = (): void => wake()
  over.addEventListener('abort', end)
  void clock.sleep(waitMs, over).then(() => timedOut.abort())
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => (wake = resolve)) // before reading, so as not to miss a change
      const read = await reader.read()
      if (read.changes.length > 0 || over.aborted) return read
      if (read.again === 'soon') await clock.sleep(SOON_MS, over)
      if (read.again === 'woken') await woken
    }
  } finally {
    over.removeEventListener('abort', end)
    leave()
    timedOut.abort()
  }
}

/** Limit of streams and long polls per key. */
const MAX_PER_KEY: Readonly<Record<Tier, number>> = { starter: 5, professional: 50, enterprise: 50 }
const MAX_PER_INSTANCE = 1_000

const RETRY_AFTER_SECONDS = 5

/** Limits the subscribers of this instance, per key and in total. */
class SubscriberSlots {
  private readonly ofKey = new Map<string, number>()
  private all = 0

  /** Takes a slot and returns the function that releases it; a problem if none is free. */
  take({ key_id, tier }: Pick<Caller, 'key_id' | 'tier'>): (() => void) | Problem {
    const taken = this.ofKey.get(key_id) ?? 0
    const limit = MAX_PER_KEY[tier]
    const again = { retryAfterSeconds: RETRY_AFTER_SECONDS }
    if (taken >= limit) {
      return problem('rate_limited', `A ${tier} key may have ${limit} streams and waiting polls at a time`, again)
    }
    if (this.all >= MAX_PER_INSTANCE) {
      return problem('unavailable', 'The service cannot serve more streams at the moment', again)
    }
    this.ofKey.set(key_id, taken + 1)
    this.all += 1
    let isTaken = true
    return () => {
      if (isTaken) this.free(key_id)
      isTaken = false
    }
  }

  private free(key_id: string): void {
    const left = (this.ofKey.get(key_id) ?? 1) - 1
    if (left === 0) this.ofKey.delete(key_id)
    else this.ofKey.set(key_id, left)
    this.all -= 1
  }
}
