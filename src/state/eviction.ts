/**
 * The most that is evicted per arrival, so that a reduced budget is reached step by step and not in one huge
 * transaction.
 */
const MOST_AT_ONCE = 100

/** The state of one namespace. */
export interface EvictableState<Thing> {
  readonly namespace: string
  readonly size: number
  /** In eviction order; called only if something is evicted. */
  oldest(): Iterable<Thing>
}

interface MemoryArrival<Thing> {
  readonly namespace: string
  /** Size of the state over all namespaces of a partition, without the arriving item. */
  readonly size: number
  readonly budget: number
  /**
   * Share of the budget that is evicted ahead of need, since finding the first key of a map is slow after many
   * deletions at its start.
   */
  readonly early?: number
  /** The size of one item; 1 by default. */
  readonly sizeOf?: (thing: Thing) => number
}

interface EvictionQueue<Thing> {
  readonly state: EvictableState<Thing>
  left: number
  queue: Iterator<Thing> | null
}

interface Picked<Thing> {
  readonly namespace: string
  readonly thing: Thing
}

/**
 * What must be evicted to make room for one more item: the oldest items of the largest namespace. A busy namespace
 * never evicts the state of a quiet one.
 */
export function pickOldest<Thing>(
  states: readonly EvictableState<Thing>[],
  { namespace, size, budget, early = 0, sizeOf = () => 1 }: MemoryArrival<Thing>,
): readonly Picked<Thing>[] {
  const excess = size + 1 - budget
  if (excess <= 0) return []
  const target = Math.min(excess + Math.floor(budget * early), MOST_AT_ONCE)

  const queues = states.map((state): EvictionQueue<Thing> => ({
    state,
    left: state.size + Number(state.namespace === namespace),
    queue: null,
  }))
  const picked: Picked<Thing>[] = []
  let evicted = 0
  while (evicted < target) {
    const largest = largestOf(queues)
    if (largest === null) break
    largest.queue ??= largest.state.oldest()[Symbol.iterator]()
    const next = largest.queue.next()
    if (next.done === true) break
    largest.left -= sizeOf(next.value)
    evicted += sizeOf(next.value)
    picked.push({ namespace: largest.state.namespace, thing: next.value })
  }
  return picked
}

/** The same, grouped by namespace, in the order in which namespaces first lose an item. */
export function pickOldestByNamespace<Thing>(
  states: readonly EvictableState<Thing>[],
  arrival: MemoryArrival<Thing>,
): ReadonlyMap<string, readonly Thing[]> {
  const byNamespace = new Map<string, Thing[]>()
  for (const { namespace, thing } of pickOldest(states, arrival)) {
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), thing])
  }
  return byNamespace
}

interface ItemsOfKind<Held, Item> {
  /** Items of that kind over all namespaces. */
  readonly size: number
  readonly of: (held: Held) => OrderedMap<Item>
}

/** What must be evicted to make room for one more item of a kind that is kept in order of arrival. */
export const pickOldestItems = <Held, Item>(
  namespaces: ReadonlyMap<string, Held>,
  arrival: Pick<MemoryArrival<Item>, 'namespace' | 'budget' | 'early'>,
  { size, of }: ItemsOfKind<Held, Item>,
): ReadonlyMap<string, readonly (readonly [key: string, item: Item])[]> =>
  size < arrival.budget
    ? new Map()
    : pickOldestByNamespace(
        [...namespaces].map(([namespace, held]) => ({
          namespace,
          size: of(held).size,
          oldest: () => of(held).inOrder().entries(),
        })),
        { namespace: arrival.namespace, budget: arrival.budget, early: arrival.early ?? 0, size },
      )

/** Equally large namespaces are ordered by name, since the order in which they were created is not restored. */
function largestOf<Thing>(queues: readonly EvictionQueue<Thing>[]): EvictionQueue<Thing> | null {
  let largest: EvictionQueue<Thing> | null = null
  for (const queue of queues) if (largest === null || isLarger(queue, largest)) largest = queue
  return largest
}

const isLarger = (a: EvictionQueue<unknown>, b: EvictionQueue<unknown>): boolean =>
  a.left === b.left ? a.state.namespace < b.state.namespace : a.left > b.left

/**
 * A map iterated in ascending order of a number derived from its values (for example their arrival), independent of the
 * order in which it was restored.
 */
export class OrderedMap<Value> {
  private readonly orderOf: (value: Value) => number
  private values = new Map<string, Value>()
  private isInOrder = true
  /** The highest order so far, including deleted values; `-Infinity` before the first. */
  newest = -Infinity

  constructor(orderOf: (value: Value) => number) {
    this.orderOf = orderOf
  }

  get size(): number {
    return this.values.size
  }

  get(key: string): Value | undefined {
    return this.values.get(key)
  }

  /** A value that replaces one with the same order keeps its position. */
  set(key: string, value: Value): void {
    const order = this.orderOf(value)
    const before = this.values.get(key)
    if (before === undefined || this.orderOf(before) !== order) {
      this.values.delete(key)
      this.isInOrder &&= order > this.newest
      this.newest = Math.max(this.newest, order)
    }
    this.values.set(key, value)
  }

  delete(key: string): void {
    this.values.delete(key)
  }

  /** Keys of at most `most` values whose order is not above `until`, in ascending order: what is evicted by age. */
  keysUntil(until: number, most: number): readonly string[] {
    const keys: string[] = []
    for (const [key, value] of this.inOrder()) {
      if (this.orderOf(value) > until || keys.length === most) break
      keys.push(key)
    }
    return keys
  }

  /** Ascending order; ties by key. Sorts only if a value was set out of order. */
  inOrder(): ReadonlyMap<string, Value> {
    if (!this.isInOrder) {
      const { orderOf } = this
      this.values = new Map([...this.values].sort(([a, x], [b, y]) => orderOf(x) - orderOf(y) || (a < b ? -1 : 1)))
      this.isInOrder = true
    }
    return this.values
  }
}
