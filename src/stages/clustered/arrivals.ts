import { ArrivalHeap, type Arrival } from './arrival-heap.ts'

/**
 * What arrived longest ago, first. Arrivals come in order, so they are a queue; those of a restore that come late are in
 * a binary heap. An arrival that a later one replaced stays until it is the first, or until more than half of them are
 * replaced, so that no change looks through all of them.
 */
export class Arrivals {
  readonly #isCurrent: (arrival: Arrival) => boolean
  /** In order, from `#head` on. */
  #queue: Arrival[] = []
  #head = 0
  #late = new ArrivalHeap()

  /** @param isCurrent Whether the arrival is the newest of its story or article, and that is in memory. */
  constructor(isCurrent: (arrival: Arrival) => boolean) {
    this.#isCurrent = isCurrent
  }

  /** `current`: how many stories or articles are in memory. */
  add(arrival: Arrival, current: number): void {
    if (this.#queue.length - this.#head + this.#late.size > 2 * current + FEW) this.#sweep()
    if (arrival.order >= (this.#queue.at(-1)?.order ?? -Infinity)) this.#queue.push(arrival)
    else this.#late.add(arrival)
  }

  first(): Arrival | undefined {
    for (let first = this.#next(); first !== undefined; first = this.#next()) {
      if (this.#isCurrent(first)) return first
      this.#removeNext()
    }
    return undefined
  }

  /** Each current arrival once, the oldest first. An article that has moved arrived several times with one order. */
  *inOrder(): Generator<Arrival> {
    let last: Arrival | undefined
    for (const arrival of this.#merged()) {
      const isKnown = arrival.order === last?.order && arrival.id === last.id
      if (isKnown || !this.#isCurrent(arrival)) continue
      last = arrival
      yield arrival
    }
  }

  *#merged(): Generator<Arrival> {
    const late = this.#late.inOrder()
    let next = late.next()
    for (let i = this.#head; i < this.#queue.length; i++) {
      const arrival = this.#queue[i]
      if (arrival === undefined) return
      for (; next.done !== true && next.value.order <= arrival.order; next = late.next()) yield next.value
      yield arrival
    }
    for (; next.done !== true; next = late.next()) yield next.value
  }

  #next(): Arrival | undefined {
    const [queued, late] = [this.#queue[this.#head], this.#late.first()]
    return late === undefined || (queued !== undefined && queued.order < late.order) ? queued : late
  }

  #removeNext(): void {
    if (this.#next() === this.#late.first()) this.#late.removeFirst()
    else if (2 * ++this.#head > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head)
      this.#head = 0
    }
  }

  #sweep(): void {
    this.#queue = [...this.inOrder()]
    this.#head = 0
    this.#late = new ArrivalHeap()
  }
}

const FEW = 64
