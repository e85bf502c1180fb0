/** Ctrl-C and its kin, as something one can wait for. */
export interface ToldToEnd {
  /** Aborts at the first signal after `orderly`. */
  readonly signal: AbortSignal
  readonly told: Promise<void>
  /** From now on the first signal is a request; before, and from the second on, it ends the process at once. */
  orderly(): void
  forget(): void
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ending at once is safe: every child is on a leash, and the engines keep what they have acknowledged. */
export function toldToEnd(endNow: () => void): ToldToEnd {
  const request = new AbortController()
  let isOrderly = false
  const onSignal = () => {
    if (!isOrderly || request.signal.aborted) endNow()
    else request.abort()
  }
  const told = new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve(), { once: true }))
  for (const name of names) process.on(name, onSignal)
  return {
    signal: request.signal,
    told,
    orderly: () => {
      isOrderly = true
    },
    forget: () => {
      for (const name of names) process.off(name, onSignal)
    },
  }
}
