import type { Clock } from '../../ports/clock.ts'

/** How long a count of the current state is cached. It takes seconds for a large namespace. */
const CACHE_MS = 10_000

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
export function cachedCount<Of>(
  clock: Clock,
  count: (request: CountRequest) => Promise<Of>,
): (request: CountRequest) => Promise<Of> {
  const cache = new Map<string, { readonly answer: Promise<Of>; until: number }>()
  const evict = (now: number): void => {
    for (const [key, { until }] of cache) if (until <= now) cache.delete(key)
  }
  return async (request) => {
    evict(clock.now())
    const key = request.as_of_given ? `${request.namespace} ${request.as_of}` : request.namespace
    const known = cache.get(key)
    if (known !== undefined) return known.answer

    const entry = { answer: count(request), until: Infinity }
    cache.set(key, entry)
    try {
      return await entry.answer
    } finally {
      entry.until = clock.now() + CACHE_MS
      if (request.as_of_given || !(await succeeded(entry.answer))) cache.delete(key)
    }
  }
}

const succeeded = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    () => false,
  )
