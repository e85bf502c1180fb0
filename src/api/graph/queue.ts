/** Work of which no more than `most` is done at once: what comes meanwhile waits, the first come first. */
export function queue(most: number): <Of>(work: () => Promise<Of>) => Promise<Of> {
  const waiting: (() => void)[] = []
  let free = most
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
