import type { DashboardRefusal } from './service.ts'

export type ServiceReply<Answer> =
  | { readonly kind: 'asked' }
  | { readonly kind: 'known'; readonly value: Answer }
  | { readonly kind: 'refused'; readonly refusal: DashboardRefusal }

export interface Asker {
  /** Asks now, or once more when what is under way is answered. */
  readonly again: () => void
  readonly end: () => void
}

interface AskerOptions<Answer> {
  readonly once: (signal: AbortSignal) => Promise<ServiceReply<Answer>>
  readonly report: (reply: ServiceReply<Answer>) => void
  /** Milliseconds for which the service has asked us to wait. */
  readonly pausedMs: () => number
}

/**
 * Asks one question as often as `again` is called, never twice at once: an answer that takes longer than the next turn is
 * waited for, as else a slow service would be asked all the time and heard never.
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
        await patiently(options, life.signal)
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

/** Asks until there is an answer or a refusal for good; waits as long as the service says. */
async function patiently<Answer>({ once, report, pausedMs }: AskerOptions<Answer>, signal: AbortSignal): Promise<void> {
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

/** Milliseconds; null: it is answered, or asking again would not help. */
const againAfter = (reply: ServiceReply<unknown>): number | null =>
  reply.kind !== 'refused' || reply.refusal.againIn === null ? null : reply.refusal.againIn * 1_000

/** Ends early when nobody waits any more, and when the browser is online again. */
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
