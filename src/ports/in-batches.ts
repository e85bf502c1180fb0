import { setImmediate } from 'node:timers/promises'

/** How many items one run takes. */
interface BatchLimits<Item> {
  /** A batch that has reached this weight takes no further item. */
  readonly most: number
  /** Default: each item weighs 1. */
  readonly weightOf?: (item: Item) => number
}

interface OpenBatch<Item, Result> {
  readonly items: Item[]
  readonly result: Promise<Result>
  weight: number
}

/**
 * For calls of a port that cost about as much for one item as for many. Processes items in batches, at most one batch per
 * key at a time: items that come in the same turn of the event loop, or during a run, are processed together by the next
 * run. So batches grow with the load, and a single item does not wait. All items of a batch share its result, or its error.
 */
export function inBatches<Item, Result>(
  run: (key: string, items: readonly Item[]) => Promise<Result>,
  { most, weightOf = () => 1 }: BatchLimits<Item>,
): (key: string, item: Item) => Promise<Result> {
  /** For each key, the batch that has not begun yet. */
  const open = new Map<string, OpenBatch<Item, Result>>()
  /** For each key, the newest run; it settles after all earlier ones. */
  const newest = new Map<string, Promise<Result>>()

  const runAfter = async (key: string, items: readonly Item[]): Promise<Result> => {
    await newest.get(key)?.catch(() => undefined)
    await setImmediate()
    if (open.get(key)?.items === items) open.delete(key)
    return run(key, items)
  }

  const begin = (key: string): OpenBatch<Item, Result> => {
    const items: Item[] = []
    const result = runAfter(key, items)
    newest.set(key, result)
    const forget = (): void => {
      if (newest.get(key) === result) newest.delete(key)
    }
    result.then(forget, forget)
    const batch = { items, result, weight: 0 }
    open.set(key, batch)
    return batch
  }

  return (key, item) => {
    const waiting = open.get(key)
    const batch = waiting === undefined || waiting.weight >= most ? begin(key) : waiting
    batch.items.push(item)
    batch.weight += weightOf(item)
    return batch.result
  }
}
