/** Two groups that may be joined. */
export interface HeapStep {
  readonly mean: number
  readonly a: number
  readonly b: number
  /** Smallest node of each, the smaller first. */
  readonly ends: readonly [number, number]
}

/** The highest mean first; of equals what holds the smaller node. */
export class Heap {
  private readonly steps: HeapStep[] = []

  get isEmpty(): boolean {
    return this.steps.length === 0
  }

  push(step: HeapStep): void {
    this.steps.push(step)
    let at = this.steps.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.isBefore(at, parent)) break
      this.swap(at, parent)
      at = parent
    }
  }

  pop(): HeapStep | undefined {
    const [top] = this.steps
    const last = this.steps.pop()
    if (last === undefined || this.steps.length === 0) return top
    this.steps[0] = last
    for (let at = 0, best = this.better(at); best !== at; best = this.better(at)) {
      this.swap(at, best)
      at = best
    }
    return top
  }

  /** Whichever of a step and the two below it comes first. */
  private better(at: number): number {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    const best = this.isBefore(left, at) ? left : at
    return this.isBefore(right, best) ? right : best
  }

  private isBefore(one: number, other: number): boolean {
    const [x, y] = [this.steps[one], this.steps[other]]
    if (x === undefined || y === undefined) return false
    if (x.mean !== y.mean) return x.mean > y.mean
    return x.ends[0] === y.ends[0] ? x.ends[1] < y.ends[1] : x.ends[0] < y.ends[0]
  }

  private swap(one: number, other: number): void {
    const [x, y] = [this.steps[one], this.steps[other]]
    if (x === undefined || y === undefined) return
    this.steps[one] = y
    this.steps[other] = x
  }
}
