import { setImmediate } from 'node:timers/promises'

interface SharedRunOptions<Item> {
  /** A run that has reached this weight takes no further item. */
  readonly most: number
  /** Default: each item weighs 1. */
  readonly weightOf?: (item: Item) => number
  /** Items that wait for a run fail if it fails, instead of waiting for as long again. Their callers retry. */
  readonly failTogether?: true
}

interface WaitingRun<Item, Result> {
  readonly items: Item[]
  readonly result: Promise<Result>
  weight: number
}

/**
 * For calls of a port that cost about as much for one item as for many. At most one runs per key at a time: items that
 * come in the same turn of the event loop, or during a run, share the next run, and its result or error. So runs grow with
 * the load, and a single item does not wait.
 */
export function sharedRuns<Item, Result>(
  run: (key: string, items: readonly Item[]) => Promise<Result>,
  { most, weightOf = () => 1, failTogether }: SharedRunOptions<Item>,
): (key: string, item: Item) => Promise<Result> {
  /** For each key, the run that has not begun yet. */
  const waiting = new Map<string, WaitingRun<Item, Result>>()
  /** For each key, the newest run; it settles after all earlier ones. */
  const newest = new Map<string, Promise<Result>>()

  const runAfter = async (key: string, items: readonly Item[]): Promise<Result> => {
    const before = newest.get(key)
    try {
      await (failTogether ? before : before?.catch(() => undefined))
      await setImmediate()
    } finally {
      if (waiting.get(key)?.items === items) waiting.delete(key)
    }
    return run(key, items)
  }

  const begin = (key: string): WaitingRun<Item, Result> => {
    const items: Item[] = []
    const result = runAfter(key, items)
    newest.set(key, result)
    const forget = (): void => {
      if (newest.get(key) === result) newest.delete(key)
    }
    result.then(forget, forget)
    const begun = { items, result, weight: 0 }
    waiting.set(key, begun)
    return begun
  }

  return (key, item) => {
    const next = waiting.get(key)
    const taken = next === undefined || next.weight >= most ? begin(key) : next
    taken.items.push(item)
    taken.weight += weightOf(item)
    return taken.result
  }
}
