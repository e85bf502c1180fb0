/** Ctrl-C and its kin, as something one can wait for. */
export interface EndSignal {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  readonly received: Promise<void>
  forget(): void
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal is a request, heard even while things are still starting; the second ends the process at once. That
 * is safe too: every child is on a leash, and the engines keep what they have acknowledged.
 */
export function endSignal(endNow: () => void): EndSignal {
  const request = new AbortController()
  const onSignal = () => {
    if (request.signal.aborted) endNow()
    else request.abort()
  }
  const received = new Promise<void>((resolve) =>
    request.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  for (const name of names) process.on(name, onSignal)
  return {
    signal: request.signal,
    received,
    forget: () => {
      for (const name of names) process.off(name, onSignal)
    },
  }
}
