import type { Clock } from '../../ports/clock.ts'

/** How long a count of the current state is cached. It takes seconds for a large namespace. */
const HOLDS_MS = 10_000

export interface CountRequest {
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly as_of: number
  /** False if `as_of` is the time of the request. */
  readonly as_of_given: boolean
}

/**
 * Caches a namespace's current count for ten seconds. Concurrent callers share one count, as do callers with the same
 * `as_of`. A failure is not cached.
 */
export function counted<Of>(
  clock: Clock,
  count: (request: CountRequest) => Promise<Of>,
): (request: CountRequest) => Promise<Of> {
  const remembered = new Map<string, { readonly answer: Promise<Of>; until: number }>()
  const forget = (now: number): void => {
    for (const [key, { until }] of remembered) if (until <= now) remembered.delete(key)
  }
  return async (request) => {
    forget(clock.now())
    const key = request.as_of_given ? `${request.namespace} ${request.as_of}` : request.namespace
    const known = remembered.get(key)
    if (known !== undefined) return known.answer

    const one = { answer: count(request), until: Infinity }
    remembered.set(key, one)
    try {
      return await one.answer
    } finally {
      one.until = clock.now() + HOLDS_MS
      if (request.as_of_given || !(await isThere(one.answer))) remembered.delete(key)
    }
  }
}

const isThere = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    () => false,
  )
