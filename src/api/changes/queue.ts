/** How many that have left may still take up room. */
const GONE_KEPT = 1_024

/** First in, first out; what is in it can be looked at in order. */
export class FeedQueue<Of> {
  private items: Of[] = []
  private head = 0

  get length(): number {
    return this.items.length - this.head
  }

  at(i: number): Of | undefined {
    return this.items[this.head + i]
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

  /** The first `limit` from the first one on that `isWanted`; those that are wanted stand behind all others. */
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
