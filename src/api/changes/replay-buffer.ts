import type { FeedChange } from '../../views/changes/page.ts'

export interface RingSize {
  readonly maxChanges: number
  /** Total size of the changes' text. */
  readonly maxBytes: number
}

/**
 * The replay buffer: the latest changes of all namespaces, bounded in number and bytes. It is complete from each
 * partition's floor on. A namespace belongs to one partition, so its changes are in log order.
 */
export class Ring {
  private readonly size: RingSize
  private lines = new Map<string, FeedQueue<FeedChange>>()
  private order = new FeedQueue<{ readonly namespace: string; readonly bytes: number }>()
  private floors: number[] = []
  private bytes = 0

  constructor(size: RingSize) {
    this.size = size
  }

  /** Clears the buffer. It will be complete from these offsets on. */
  begin(floors: readonly number[]): void {
    this.lines = new Map()
    this.order = new FeedQueue()
    this.floors = [...floors]
    this.bytes = 0
  }

  /** By partition, the offset from which the buffer is complete. */
  floor(): readonly number[] {
    return [...this.floors]
  }

  push(namespace: string, change: FeedChange): void {
    const line = this.lines.get(namespace) ?? new FeedQueue()
    this.lines.set(namespace, line)
    line.push(change)
    const bytes = bytesOf(change)
    this.order.push({ namespace, bytes })
    this.bytes += bytes
    while (this.order.length > this.size.maxChanges || this.bytes > this.size.maxBytes) this.forgetFirst()
  }

  /** The changes of a namespace after an offset, in order, at most `limit`. */
  after(namespace: string, after: number, limit: number): readonly FeedChange[] {
    return this.lines.get(namespace)?.from(({ offset }) => offset > after, limit) ?? []
  }

  private forgetFirst(): void {
    const first = this.order.shift()
    const line = first === undefined ? undefined : this.lines.get(first.namespace)
    const gone = line?.shift()
    if (first === undefined || gone === undefined) return
    if (line?.length === 0) this.lines.delete(first.namespace)
    this.bytes -= first.bytes
    this.floors[gone.partition] = gone.offset + 1
  }
}

/** Estimated size: one byte per Latin character, plus the object around it. */
const bytesOf = ({ id, data }: FeedChange): number => id.length + data.length + OBJECT_BYTES
const OBJECT_BYTES = 200

/** How many removed items may remain in the array before it is compacted. */
const GONE_KEPT = 1_024

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
    if (this.head > GONE_KEPT && this.head * 2 > this.items.length) {
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
