import type { FeedChange } from '../../views/changes/page.ts'

export interface ReplayBufferSize {
  readonly maxChanges: number
  /** Total size of the changes' text. */
  readonly maxBytes: number
}

/**
 * The replay buffer: the latest changes of all namespaces, bounded in number and bytes. It is complete from each
 * partition's floor on. A namespace belongs to one partition, so its changes are in log order.
 */
export class ReplayBuffer {
  private readonly size: ReplayBufferSize
  private queues = new Map<string, FeedQueue<FeedChange>>()
  private arrivals = new FeedQueue<{ readonly namespace: string; readonly bytes: number }>()
  private floors: number[] = []
  private bytes = 0

  constructor(size: ReplayBufferSize) {
    this.size = size
  }

  /** Clears the buffer. It will be complete from these offsets on. */
  begin(floors: readonly number[]): void {
    this.queues = new Map()
    this.arrivals = new FeedQueue()
    this.floors = [...floors]
    this.bytes = 0
  }

  /** By partition, the offset from which the buffer is complete. */
  floor(): readonly number[] {
    return [...this.floors]
  }

  push(namespace: string, change: FeedChange): void {
    const queue = this.queues.get(namespace) ?? new FeedQueue()
    this.queues.set(namespace, queue)
    queue.push(change)
    const bytes = bytesOf(change)
    this.arrivals.push({ namespace, bytes })
    this.bytes += bytes
    while (this.arrivals.length > this.size.maxChanges || this.bytes > this.size.maxBytes) this.evictOldest()
  }

  /** The changes of a namespace after an offset, in order, at most `limit`. */
  after(namespace: string, after: number, limit: number): readonly FeedChange[] {
    return this.queues.get(namespace)?.from(({ offset }) => offset > after, limit) ?? []
  }

  private evictOldest(): void {
    const first = this.arrivals.shift()
    const queue = first === undefined ? undefined : this.queues.get(first.namespace)
    const evicted = queue?.shift()
    if (first === undefined || evicted === undefined) return
    if (queue?.length === 0) this.queues.delete(first.namespace)
    this.bytes -= first.bytes
    this.floors[evicted.partition] = evicted.offset + 1
  }
}

/** Estimated size: one byte per Latin character, plus the object around it. */
const bytesOf = ({ id, data }: FeedChange): number => id.length + data.length + OBJECT_BYTES
const OBJECT_BYTES = 200

/** How many removed items may remain in the array before it is compacted. */
const MAX_REMOVED = 1_024

/** A FIFO queue that can be searched. */
class FeedQueue<Of> {
  private items: Of[] = []
  private head = 0

  get length(): number {
    return this.items.length - this.head
  }

  push(item: Of): void {
    this.items.push(item)
  }

  shift(): Of | undefined {
    if (this.length === 0) return undefined
    const first = this.items[this.head++]
    if (this.head > MAX_REMOVED && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head)
      this.head = 0
    }
    return first
  }

  /** At most `limit` items from the first match on. The items must be ordered so that all matches come last. */
  from(matches: (item: Of) => boolean, limit: number): readonly Of[] {
    let [low, high] = [this.head, this.items.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const item = this.items[middle]
      if (item !== undefined && matches(item)) high = middle
      else low = middle + 1
    }
    return this.items.slice(low, low + limit)
  }
}
