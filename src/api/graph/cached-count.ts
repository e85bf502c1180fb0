import type { Clock } from '../../ports/clock.ts'

/** How long a count of now holds: at a big namespace it takes seconds. */
const HOLDS_MS = 10_000

export interface CountRequest {
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly as_of: number
  /** False: it is the moment of asking. */
  readonly as_of_given: boolean
}

/**
 * Remembers for ten seconds what is counted of a namespace as of now. Who asks while it is counted shares the count, as
 * does who asks for the same moment; a failure is nobody's but those who wait for it.
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
