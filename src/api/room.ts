import { Away } from './away.ts'

export interface Bounds {
  /** At once, of all lanes together. */
  readonly inHand: number
  /** At once of one lane: what is left over is for the others. */
  readonly inHandOfOne: number
  /** Waiting for a place, of all lanes together; beyond them somebody is sent away. */
  readonly waiting: number
}

interface Waiting {
  readonly enter: () => void
  readonly leave: (cause: Away) => void
}

interface Lane {
  inHand: number
  readonly queue: Waiting[]
}

/**
 * Keeps costly work within bounds and shares it out: who waits enters in the order of coming within a lane (a
 * namespace), and the lanes take turns. With the waiting room full the newest of the longest lane goes, with `Away`,
 * which its caller may try again: nobody is kept out by somebody else's crowd.
 */
export class Room {
  private inHand = 0
  private waiting = 0
  private readonly bounds: Bounds
  /** Those with something in hand or waiting; the next to enter comes first. */
  private readonly lanes = new Map<string, Lane>()

  constructor(bounds: Bounds) {
    this.bounds = bounds
  }

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const lane = this.lanes.get(name) ?? { inHand: 0, queue: [] }
    this.lanes.set(name, lane)
    try {
      if (this.hasPlaceFor(lane)) this.take(lane)
      else await this.wait(lane)
      return await this.inPlace(lane, work)
    } finally {
      const isEmpty = lane.inHand === 0 && lane.queue.length === 0
      if (isEmpty && this.lanes.get(name) === lane) this.lanes.delete(name) // of this name there may be a new one
    }
  }

  private async inPlace<Result>(lane: Lane, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      this.inHand--
      lane.inHand--
      this.letIn()
    }
  }

  private hasPlaceFor({ inHand }: Lane): boolean {
    return this.inHand < this.bounds.inHand && inHand < this.bounds.inHandOfOne
  }

  private take(lane: Lane): void {
    this.inHand++
    lane.inHand++
  }

  private async wait(lane: Lane): Promise<void> {
    if (this.waiting >= this.bounds.waiting) this.sendAway(lane)
    this.waiting++
    await new Promise<void>((enter, leave) => lane.queue.push({ enter, leave }))
  }

  /** Makes room for one more of a lane; throws where that lane is the longest itself. */
  private sendAway(lane: Lane): void {
    const longest = [...this.lanes.values()].reduce((a, b) => (b.queue.length > a.queue.length ? b : a))
    const full = new Away(`${this.bounds.waiting} wait already`)
    const newest = longest.queue.length > lane.queue.length + 1 ? longest.queue.pop() : undefined
    if (newest === undefined) throw full
    this.waiting--
    newest.leave(full)
  }

  /** A place is free: for the lane whose turn it is, which then goes to the end. */
  private letIn(): void {
    for (const [name, lane] of this.lanes) {
      const next = this.hasPlaceFor(lane) ? lane.queue.shift() : undefined
      if (next === undefined) continue
      this.waiting--
      this.take(lane)
      this.lanes.delete(name)
      this.lanes.set(name, lane)
      next.enter()
      return
    }
  }
}
