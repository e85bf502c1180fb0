import pMap, { pMapSkip } from 'p-map'

/** Most steps are short requests to the log and the store, so they mostly wait. */
const AT_ONCE = 6

/**
 * Runs `work` for each item with limited concurrency; returns the results in item order. After a failure no new item is
 * started; the running ones complete, then the first failure is thrown.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  concurrency = AT_ONCE,
): Promise<Result[]> {
  const failures: unknown[] = []
  const results = await pMap(
    items,
    async (item): Promise<Result | typeof pMapSkip> => {
      if (failures.length > 0) return pMapSkip
      try {
        return await work(item)
      } catch (cause) {
        failures.push(cause)
        return pMapSkip
      }
    },
    { concurrency },
  )
  if (failures.length > 0) throw failures[0]
  return results
}

/**
 * Runs heavy work concurrently. If it does not fit, it is repeated alone, after the running work has completed and
 * before new work is started. A second failure is thrown.
 */
export function withRetryAlone(didNotFit: (cause: unknown) => boolean) {
  const running = new Set<Promise<unknown>>()
  let alone: Promise<unknown> = Promise.resolve()

  const begin = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const working = work()
    running.add(working)
    try {
      return await working
    } finally {
      running.delete(working)
    }
  }
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let waited; waited !== alone;) await (waited = alone)
    try {
      return await begin(work)
    } catch (cause) {
      if (!didNotFit(cause)) throw cause
    }
    const again = alone.then(async () => {
      await Promise.allSettled(running)
      return work()
    })
    alone = again.catch(() => undefined)
    return again
  }
}
