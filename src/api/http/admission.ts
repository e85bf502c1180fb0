import { EngineAway } from './engine-deadline.ts'

export interface RoomBounds {
  /** Limit of running work for all lanes together. */
  readonly inHand: number
  /** Limit of running work for one lane. The rest is reserved for other lanes. */
  readonly inHandOfOne: number
  /** Limit of waiting work for all lanes together. If it is exceeded, an entry is rejected. */
  readonly waiting: number
  /** Limit of waiting work for one lane. Default: `waiting`. */
  readonly waitingOfOne?: number
}

/** Options for one piece of work. */
export interface RoomEntry {
  /** Share of `inHand` and `inHandOfOne` that the work uses, capped at those limits. Default: 1. */
  readonly weight?: number
  /**
   * Called if the work has to wait. When the signal aborts, the work leaves the queue and rejects with the signal's
   * reason, an `Error`.
   */
  readonly giveUp?: () => AbortSignal
}

/** The lane already has `waitingOfOne` waiting entries. */
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
 * Admission control: limits the work that runs at the same time and shares it between lanes (namespaces or callers).
 * Each lane is a FIFO queue, and lanes take turns. When the queue is full, the newest entry of the longest lane is
 * rejected with `EngineAway`, which the caller may retry, so one busy lane cannot lock out the others. Work that is too
 * heavy for the free capacity keeps its turn, so light work of other lanes cannot starve it.
 */
export class Room {
  private inHand = 0
  private waiting = 0
  private readonly bounds: RoomBounds
  /** Lanes with running or waiting work. The lane whose turn is next comes first. */
  private readonly lanes = new Map<string, RoomLane>()

  constructor(bounds: RoomBounds) {
    this.bounds = bounds
  }

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
      if (isEmpty && this.lanes.get(name) === lane) this.lanes.delete(name) // the name may belong to a new lane by now
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

  /** Frees one place in the queue for this lane. Throws if this lane is itself the longest. */
  private sendAway(lane: RoomLane): void {
    const longest = [...this.lanes.values()].reduce((a, b) => (b.queue.length > a.queue.length ? b : a))
    const full = new EngineAway(`${this.bounds.waiting} wait already`)
    const newest = longest.queue.length > lane.queue.length + 1 ? longest.queue.pop() : undefined
    if (newest === undefined) throw full
    this.waiting--
    newest.leave(full)
  }

  /** The next lane in turn whose first entry fits within the lane's own share. */
  private nextInTurn(): { readonly name: string; readonly lane: RoomLane; readonly first: WaitingRequest } | undefined {
    if (this.waiting === 0) return undefined
    for (const [name, lane] of this.lanes) {
      const [first] = lane.queue
      if (first !== undefined && this.isWithinShare(lane, first.weight)) return { name, lane, first }
    }
    return undefined
  }

  /** Admits waiting work in turns while there is capacity. A lane that was served moves to the end. */
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
