/** A story or an article, and the offset of its newest record. */
export interface Arrival {
  readonly id: string
  readonly order: number
}

/**
 * What arrived longest ago, first: a binary heap. An arrival that a later one replaced stays in the heap until it is the
 * first, or until more than half of the heap is replaced, so that no change looks through all of it.
 */
export class Arrivals {
  readonly #isCurrent: (arrival: Arrival) => boolean
  #heap: Arrival[] = []

  /** @param isCurrent Whether the arrival is the newest of its story or article, and that is in memory. */
  constructor(isCurrent: (arrival: Arrival) => boolean) {
    this.#isCurrent = isCurrent
  }

  /** `current`: how many stories or articles are in memory. */
  add(arrival: Arrival, current: number): void {
    if (this.#heap.length > 2 * current + FEW) this.#sweep()
    this.#heap.push(arrival)
    this.#up(this.#heap.length - 1)
  }

  first(): Arrival | undefined {
    for (let [top] = this.#heap; top !== undefined; [top] = this.#heap) {
      if (this.#isCurrent(top)) return top
      this.#removeFirst()
    }
    return undefined
  }

  /** Each current arrival, the oldest first. */
  *inOrder(): Generator<Arrival> {
    if (this.first() === undefined) return
    const next = new Arrivals(() => true)
    const places = new Map<Arrival, number>()
    const visit = (place: number): void => {
      const arrival = this.#heap[place]
      if (arrival === undefined) return
      places.set(arrival, place)
      next.add(arrival, Infinity)
    }
    visit(0)
    for (let arrival = next.first(); arrival !== undefined; arrival = next.first()) {
      next.#removeFirst()
      const place = places.get(arrival) ?? 0
      visit(2 * place + 1)
      visit(2 * place + 2)
      if (this.#isCurrent(arrival)) yield arrival
    }
  }

  #sweep(): void {
    this.#heap = this.#heap.filter(this.#isCurrent).sort((a, b) => a.order - b.order)
  }

  #removeFirst(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#down()
  }

  #up(from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#orderOf(parent) <= this.#orderOf(at)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #down(): void {
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const child = this.#orderOf(left + 1) < this.#orderOf(left) ? left + 1 : left
      if (this.#orderOf(at) <= this.#orderOf(child)) return
      this.#swap(at, child)
      at = child
    }
  }

  #orderOf(place: number): number {
    return this.#heap[place]?.order ?? Infinity
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]]
    if (a === undefined || b === undefined) return
    this.#heap[one] = b
    this.#heap[other] = a
  }
}

const FEW = 64
