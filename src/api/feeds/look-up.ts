import type { FeedFinder } from '../../ports/feed-finder.ts'
import type { Caller } from '../http/keys/caller.ts'
import { problem, type Problem } from '../http/problem.ts'

/** Reads a feed for a caller, unless too many are being read. */
export type LookUp = <Found>(caller: Caller, read: (reader: FeedFinder) => Promise<Found>) => Promise<Found | Problem>

/** Each may take 20 seconds and a dozen requests to one site. */
const MOST_OF_ONE_KEY = 2
const MOST = 16

/** Bounds the feeds that are read at once: for each key, and for the instance. */
export function lookingUp(reader: FeedFinder): LookUp {
  const running = new Map<string, number>()
  let all = 0
  const count = (key: string, by: 1 | -1): void => {
    all += by
    const now = (running.get(key) ?? 0) + by
    if (now === 0) running.delete(key)
    else running.set(key, now)
  }
  return async ({ key_id }, read) => {
    if (all >= MOST || (running.get(key_id) ?? 0) >= MOST_OF_ONE_KEY) return busy()
    count(key_id, 1)
    try {
      return await read(reader)
    } finally {
      count(key_id, -1)
    }
  }
}

const busy = (): Problem =>
  problem('rate_limited', `Feeds are being read: at most ${MOST_OF_ONE_KEY} at once for a key.`, {
    retryAfterSeconds: 5,
  })
