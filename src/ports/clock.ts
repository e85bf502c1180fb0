/** The only source of time and sleep; tests replace it by a manual clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms`, or immediately if the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
