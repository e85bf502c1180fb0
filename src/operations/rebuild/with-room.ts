/**
 * Does heavy work beside other such work, and, where it did not fit, once more alone: what is in hand comes to its end
 * first, nothing else begins meanwhile. A second failure is thrown.
 */
export function withRoom(didNotFit: (cause: unknown) => boolean) {
  const inHand = new Set<Promise<unknown>>()
  let alone: Promise<unknown> = Promise.resolve()

  const begin = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const working = work()
    inHand.add(working)
    try {
      return await working
    } finally {
      inHand.delete(working)
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
      await Promise.allSettled(inHand)
      return work()
    })
    alone = again.catch(() => undefined)
    return again
  }
}
