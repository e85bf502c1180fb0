import { EngineAway } from './engine-deadline.ts'

export interface RoomBounds {
  /** At once, of all lanes together. */
  readonly inHand: number
  /** At once of one lane: what is left over is for the others. */
  readonly inHandOfOne: number
  /** Waiting for a place, of all lanes together; beyond them somebody is sent away. */
  readonly waiting: number
  /** Waiting for a place, of one lane. Left out: as many as of all lanes. */
  readonly waitingOfOne?: number
}

/** How one piece of work enters. */
export interface RoomEntry {
  /** What it takes of `inHand` and `inHandOfOne`; more than there is counts as all there is. Left out: 1. */
  readonly weight?: number
  /** Called when the work has to wait: aborted, it leaves the queue and rejects with the signal's reason, an `Error`. */
  readonly giveUp?: () => AbortSignal
}

/** As many of this lane wait as may wait of one. */
export class LaneFull extends EngineAway {}

interface WaitingRequest {
  readonly weight: number
  readonly enter: () => void
  readonly leave: (cause: Error) => void
}

interface RoomLane {
  inHand: number
  readonly queue: WaitingRequest[]
}

/**
 * Keeps costly work within bounds and shares it out: who waits enters in the order of coming within a lane (a
 * namespace), and the lanes take turns. With the waiting room full the newest of the longest lane goes, with `Away`,
 * which its caller may try again: nobody is kept out by somebody else's crowd. Work that is too heavy for what is free
 * keeps its turn, so light work of other lanes cannot hold it up for ever.
 */
export class Room {
  private inHand = 0
  private waiting = 0
  private readonly bounds: RoomBounds
  /** Those with something in hand or waiting; the next to enter comes first. */
  private readonly lanes = new Map<string, RoomLane>()

  constructor(bounds: RoomBounds) {
    this.bounds = bounds
  }

  /** How many wait for a place. */
  get waitingNow(): number {
    return this.waiting
  }

  async run<Result>(name: string, work: () => Promise<Result>, entry: RoomEntry = {}): Promise<Result> {
    const weight = Math.min(entry.weight ?? 1, this.bounds.inHandOfOne, this.bounds.inHand)
    const lane = this.lanes.get(name) ?? { inHand: 0, queue: [] }
    this.lanes.set(name, lane)
    try {
      if (this.mayEnter(lane, weight)) this.take(lane, weight)
      else await this.queue(lane, weight, entry.giveUp)
      return await this.inPlace(lane, weight, work)
    } finally {
      const isEmpty = lane.inHand === 0 && lane.queue.length === 0
      if (isEmpty && this.lanes.get(name) === lane) this.lanes.delete(name) // of this name there may be a new one
    }
  }

  private async inPlace<Result>(lane: RoomLane, weight: number, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      this.inHand -= weight
      lane.inHand -= weight
      this.letIn()
    }
  }

  private mayEnter(lane: RoomLane, weight: number): boolean {
    return lane.queue.length === 0 && this.hasPlaceFor(lane, weight) && this.nextInTurn() === undefined
  }

  private hasPlaceFor(lane: RoomLane, weight: number): boolean {
    return this.inHand + weight <= this.bounds.inHand && this.isWithinShare(lane, weight)
  }

  private isWithinShare({ inHand }: RoomLane, weight: number): boolean {
    return inHand + weight <= this.bounds.inHandOfOne
  }

  private take(lane: RoomLane, weight: number): void {
    this.inHand += weight
    lane.inHand += weight
  }

  private async queue(lane: RoomLane, weight: number, giveUp?: () => AbortSignal): Promise<void> {
    const { waiting, waitingOfOne = waiting } = this.bounds
    if (lane.queue.length >= waitingOfOne) throw new LaneFull(`${waitingOfOne} of one caller wait already`)
    if (this.waiting >= waiting) this.sendAway(lane)
    this.waiting++
    await this.line(lane, weight, giveUp?.())
  }

  private async line(lane: RoomLane, weight: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, leave) => {
      const abort = (): void => {
        const at = lane.queue.indexOf(one)
        if (at < 0) return
        lane.queue.splice(at, 1)
        this.waiting--
        leave(reasonOf(signal))
        this.letIn()
      }
      const enter = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const one: WaitingRequest = { weight, enter, leave }
      lane.queue.push(one)
      if (signal?.aborted === true) abort()
      else signal?.addEventListener('abort', abort)
    })
  }

  /** Makes room for one more of a lane; throws where that lane is the longest itself. */
  private sendAway(lane: RoomLane): void {
    const longest = [...this.lanes.values()].reduce((a, b) => (b.queue.length > a.queue.length ? b : a))
    const full = new EngineAway(`${this.bounds.waiting} wait already`)
    const newest = longest.queue.length > lane.queue.length + 1 ? longest.queue.pop() : undefined
    if (newest === undefined) throw full
    this.waiting--
    newest.leave(full)
  }

  /** The lane whose turn it is, among those that wait for others and not for themselves. */
  private nextInTurn(): { readonly name: string; readonly lane: RoomLane; readonly first: WaitingRequest } | undefined {
    if (this.waiting === 0) return undefined
    for (const [name, lane] of this.lanes) {
      const [first] = lane.queue
      if (first !== undefined && this.isWithinShare(lane, first.weight)) return { name, lane, first }
    }
    return undefined
  }

  /** Admits waiting requests while there is room, in turns: a lane that got a place goes to the end. */
  private letIn(): void {
    for (let next = this.nextInTurn(); next !== undefined; next = this.nextInTurn()) {
      const { name, lane, first } = next
      if (!this.hasPlaceFor(lane, first.weight)) return
      lane.queue.shift()
      this.waiting--
      this.take(lane, first.weight)
      this.lanes.delete(name)
      this.lanes.set(name, lane)
      first.enter()
    }
  }
}

const reasonOf = (signal: AbortSignal | undefined): Error => {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error('left the queue', { cause: reason })
}
