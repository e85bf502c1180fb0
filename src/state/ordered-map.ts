/** A map that can be iterated by a number of its values (their arrival, say), in whatever order it was restored. */
export class OrderedMap<Value> {
  private readonly orderOf: (value: Value) => number
  private values = new Map<string, Value>()
  private isInOrder = true
  /** The highest order so far, that of deleted values included; `-Infinity` before the first. */
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

  /** A value that replaces one of the same order keeps its place. */
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

  /** The lowest first; equal ones by key. Sorts only when a value was set out of order. */
  inOrder(): ReadonlyMap<string, Value> {
    if (!this.isInOrder) {
      const { orderOf } = this
      this.values = new Map([...this.values].sort(([a, x], [b, y]) => orderOf(x) - orderOf(y) || (a < b ? -1 : 1)))
      this.isInOrder = true
    }
    return this.values
  }
}
