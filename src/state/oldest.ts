/** At most so many leave with one arrival: a budget made smaller is reached by and by, not in one huge transaction. */
const LEAVE_AT_ONCE = 100

/** Of a large budget so many leave before they must: finding the first of a map that has lost its first ones takes long. */
const EARLY = 1 / 2_000

/** What is remembered of one namespace. */
export interface Shelf<Thing> {
  readonly namespace: string
  readonly size: number
  /** First come first; asked for only where something leaves. */
  byArrival(): Iterable<Thing>
}

interface MemoryArrival {
  readonly namespace: string
  /** Things remembered, over all namespaces of a partition, without the one that arrives. */
  readonly size: number
  readonly budget: number
}

interface MemoryQueue<Thing> extends Omit<Shelf<Thing>, 'size'> {
  left: number
  queue: Iterator<Thing> | null
  readonly gone: Thing[]
}

/**
 * What has to be forgotten so that one more thing fits, by namespace: the first to have arrived of the largest one, so
 * that a busy one never pushes out a quiet one.
 */
export function oldest<Thing>(
  shelves: readonly Shelf<Thing>[],
  { namespace, size, budget }: MemoryArrival,
): ReadonlyMap<string, readonly Thing[]> {
  const excess = size + 1 - budget
  if (excess <= 0) return new Map()
  const leave = Math.min(excess + Math.floor(budget * EARLY), LEAVE_AT_ONCE)

  const queues = shelves.map((shelf): MemoryQueue<Thing> => ({
    namespace: shelf.namespace,
    byArrival: () => shelf.byArrival(),
    left: shelf.size + Number(shelf.namespace === namespace),
    queue: null,
    gone: [],
  }))
  for (let i = 0; i < leave && takeOne(largestOf(queues)); i++);
  return new Map(queues.filter(({ gone }) => gone.length > 0).map(({ namespace: name, gone }) => [name, gone]))
}

/** Of equally large ones the first by name: the order in which they came to be is not remembered. */
function largestOf<Thing>(queues: readonly MemoryQueue<Thing>[]): MemoryQueue<Thing> | null {
  let largest: MemoryQueue<Thing> | null = null
  for (const queue of queues) if (largest === null || isLarger(queue, largest)) largest = queue
  return largest
}

const isLarger = (a: MemoryQueue<unknown>, b: MemoryQueue<unknown>): boolean =>
  a.left === b.left ? a.namespace < b.namespace : a.left > b.left

function takeOne<Thing>(from: MemoryQueue<Thing> | null): boolean {
  if (from === null) return false
  from.queue ??= from.byArrival()[Symbol.iterator]()
  const next = from.queue.next()
  if (next.done === true) return false
  from.left -= 1
  from.gone.push(next.value)
  return true
}
