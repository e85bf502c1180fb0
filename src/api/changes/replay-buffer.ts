import type { FeedChange } from '../../views/changes/page.ts'

export interface RingSize {
  readonly maxChanges: number
  /** Of text. */
  readonly maxBytes: number
}

/**
 * The last changes of all namespaces, bounded; from each partition's floor on nothing is missing. A namespace lives in
 * one partition, so its line is in the order of the log.
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

  /** Forgets all: it will be complete from these offsets on. */
  begin(floors: readonly number[]): void {
    this.lines = new Map()
    this.order = new FeedQueue()
    this.floors = [...floors]
    this.bytes = 0
  }

  /** By partition: every change at this offset and later that was pushed is there. */
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

  /** In order, those of a namespace behind an offset, `limit` at most. */
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

/** Of a string of Latin letters a byte a character, and what the object around it takes. */
const bytesOf = ({ id, data }: FeedChange): number => id.length + data.length + OBJECT_BYTES
const OBJECT_BYTES = 200

/** How many that have left may still take up room. */
const GONE_KEPT = 1_024

/** First in, first out; what is in it can be looked at in order. */
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

  /** At most `limit` items from the first that matches; items that match follow all others. */
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
