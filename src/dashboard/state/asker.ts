import type { DashboardRefusal } from './service.ts'

export type ServiceReply<Answer> =
  | { readonly kind: 'pending' }
  | { readonly kind: 'known'; readonly value: Answer }
  | { readonly kind: 'refused'; readonly refusal: DashboardRefusal }

export interface Asker {
  /** Sends the request now, or once more after the one in flight. */
  readonly again: () => void
  readonly end: () => void
}

interface AskerOptions<Answer> {
  readonly once: (signal: AbortSignal) => Promise<ServiceReply<Answer>>
  readonly report: (reply: ServiceReply<Answer>) => void
  /** Milliseconds to wait after a 429. */
  readonly pausedMs: () => number
}

/**
 * Repeats one request each time `again` is called, with at most one in flight: with overlapping requests a slow service would
 * receive more and more of them and never deliver an answer in time.
 */
export function asker<Answer>(options: AskerOptions<Answer>): Asker {
  const life = new AbortController()
  let isUnderWay = false
  let isPending = false

  async function answer(): Promise<void> {
    isUnderWay = true
    try {
      while (isPending && !life.signal.aborted) {
        isPending = false
        await askWithRetries(options, life.signal)
      }
    } finally {
      isUnderWay = false
    }
  }

  return {
    again: () => {
      isPending = true
      if (!isUnderWay) void answer()
    },
    end: () => life.abort(),
  }
}

/** Repeats the request until it succeeds or fails permanently. Honours the wait that the service requests. */
async function askWithRetries<Answer>(
  { once, report, pausedMs }: AskerOptions<Answer>,
  signal: AbortSignal,
): Promise<void> {
  for (let waitMs: number | null = 0; waitMs !== null;) {
    await pause(Math.max(waitMs, pausedMs()), signal)
    if (isOver(signal)) return
    const reply = await once(signal)
    if (isOver(signal)) return
    report(reply)
    waitMs = againAfter(reply)
  }
}

const isOver = (signal: AbortSignal): boolean => signal.aborted

/** Milliseconds until the next attempt; `null` after an answer or a permanent failure. */
const againAfter = (reply: ServiceReply<unknown>): number | null =>
  reply.kind !== 'refused' || reply.refusal.againIn === null ? null : reply.refusal.againIn * 1_000

/** Ends early when the signal aborts and when the browser comes back online. */
const pause = async (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) {
      resolve()
      return
    }
    const end = new AbortController()
    const done = (): void => {
      clearTimeout(timer)
      end.abort()
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { signal: end.signal })
    addEventListener('online', done, { signal: end.signal })
  })
