import { LRUCache } from 'lru-cache'

/** Windows whose states are kept: those of the articles in hand, some 30 MB. */
const KEPT = 160

/** Computes each of the last windows once. */
export function recently<Value>(
  compute: (window: readonly number[]) => Promise<Value>,
  kept = KEPT,
): (window: readonly number[]) => Promise<Value> {
  const known = new LRUCache<string, Promise<Value>>({ max: kept })
  return async (window) => {
    const key = window.join(' ')
    const value = known.get(key) ?? compute(window)
    known.set(key, value)
    value.catch(() => known.delete(key)) // what failed may be tried again
    return value
  }
}
