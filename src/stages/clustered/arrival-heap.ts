/** A story or an article, and the offset of its newest record. */
export interface Arrival {
  readonly id: string
  readonly order: number
}

/** Arrivals in any order, the oldest first: a binary heap. */
export class ArrivalHeap {
  readonly #heap: Arrival[] = []

  get size(): number {
    return this.#heap.length
  }

  add(arrival: Arrival): void {
    this.#heap.push(arrival)
    this.#up(this.#heap.length - 1)
  }

  first(): Arrival | undefined {
    return this.#heap[0]
  }

  removeFirst(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#down()
  }

  /** All of them, the oldest first. Looks at no more of them than are taken, and their successors. */
  *inOrder(): Generator<Arrival> {
    const next = new ArrivalHeap()
    const places = new Map<Arrival, number>()
    const visit = (place: number): void => {
      const arrival = this.#heap[place]
      if (arrival === undefined) return
      places.set(arrival, place)
      next.add(arrival)
    }
    visit(0)
    for (let arrival = next.first(); arrival !== undefined; arrival = next.first()) {
      next.removeFirst()
      const place = places.get(arrival) ?? 0
      visit(2 * place + 1)
      visit(2 * place + 2)
      yield arrival
    }
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
