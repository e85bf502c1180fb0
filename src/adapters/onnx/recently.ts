/** Windows whose states are kept: those of the articles in hand, some 30 MB. */
const KEPT = 160

/** What was computed for the last windows is not computed again. */
export function recently<Value>(
  compute: (window: readonly number[]) => Promise<Value>,
  kept = KEPT,
): (window: readonly number[]) => Promise<Value> {
  const known = new Map<string, Promise<Value>>()
  return async (window) => {
    const key = window.join(' ')
    const value = known.get(key) ?? compute(window)
    known.delete(key)
    known.set(key, value) // the newest stands last
    value.catch(() => known.delete(key)) // what failed may be tried again
    const [oldest] = known.keys()
    if (known.size > kept && oldest !== undefined) known.delete(oldest)
    return value
  }
}
