import { EngineUnavailable } from './engine-deadline.ts'

export interface AdmissionLimits {
  /** Limit of running work for all lanes together. */
  readonly running: number
  /** Limit of running work for one lane. The rest is reserved for other lanes. */
  readonly runningPerLane: number
  /** Limit of waiting work for all lanes together. If it is exceeded, an entry is rejected. */
  readonly waiting: number
  /** Limit of waiting work for one lane. Default: `waiting`. */
  readonly waitingPerLane?: number
}

/** Options for one piece of work. */
export interface AdmissionOptions {
  /** Part of `running` and `runningPerLane` that the work uses, capped at those limits. Default: 1. */
  readonly weight?: number
  /**
   * Called if the work has to wait. When the signal aborts, the work leaves the queue and rejects with the signal's
   * reason, an `Error`.
   */
  readonly giveUp?: () => AbortSignal
}

/** The lane already has `waitingPerLane` waiting entries. */
export class LaneFull extends EngineUnavailable {}

interface WaitingRequest {
  readonly weight: number
  readonly enter: () => void
  readonly leave: (cause: Error) => void
}

interface AdmissionLane {
  running: number
  readonly queue: WaitingRequest[]
}

/**
 * Admission control: limits the work that runs at the same time and shares it between lanes (namespaces or callers).
 * Each lane is a FIFO queue, and lanes take turns. When the queue is full, the newest entry of the longest lane is
 * rejected with `EngineUnavailable`, which the caller may retry, so one busy lane cannot lock out the others. Work that is too
 * heavy for the free capacity keeps its turn, so light work of other lanes cannot starve it.
 */
export class AdmissionQueue {
  private running = 0
  private waiting = 0
  private readonly limits: AdmissionLimits
  /** Lanes with running or waiting work. The lane whose turn is next comes first. */
  private readonly lanes = new Map<string, AdmissionLane>()

  constructor(bounds: AdmissionLimits) {
    this.limits = bounds
  }

  get waitingNow(): number {
    return this.waiting
  }

  async run<Result>(name: string, work: () => Promise<Result>, entry: AdmissionOptions = {}): Promise<Result> {
    const weight = Math.min(entry.weight ?? 1, this.limits.runningPerLane, this.limits.running)
    const lane = this.lanes.get(name) ?? { running: 0, queue: [] }
    this.lanes.set(name, lane)
    try {
      if (this.mayStart(lane, weight)) this.take(lane, weight)
      else await this.enqueue(lane, weight, entry.giveUp)
      return await this.runAdmitted(lane, weight, work)
    } finally {
      const isEmpty = lane.running === 0 && lane.queue.length === 0
      if (isEmpty && this.lanes.get(name) === lane) this.lanes.delete(name) // the name may belong to a new lane by now
    }
  }

  private async runAdmitted<Result>(lane: AdmissionLane, weight: number, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      this.running -= weight
      lane.running -= weight
      this.admitWaiting()
    }
  }

  private mayStart(lane: AdmissionLane, weight: number): boolean {
    return lane.queue.length === 0 && this.hasCapacityFor(lane, weight) && this.nextInTurn() === undefined
  }

  private hasCapacityFor(lane: AdmissionLane, weight: number): boolean {
    return this.running + weight <= this.limits.running && this.isWithinShare(lane, weight)
  }

  private isWithinShare({ running }: AdmissionLane, weight: number): boolean {
    return running + weight <= this.limits.runningPerLane
  }

  private take(lane: AdmissionLane, weight: number): void {
    this.running += weight
    lane.running += weight
  }

  private async enqueue(lane: AdmissionLane, weight: number, giveUp?: () => AbortSignal): Promise<void> {
    const { waiting, waitingPerLane: waitingOfOne = waiting } = this.limits
    if (lane.queue.length >= waitingOfOne) throw new LaneFull(`${waitingOfOne} of one caller wait already`)
    if (this.waiting >= waiting) this.evictNewest(lane)
    this.waiting++
    await this.wait(lane, weight, giveUp?.())
  }

  private async wait(lane: AdmissionLane, weight: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, leave) => {
      const abort = (): void => {
        const at = lane.queue.indexOf(one)
        if (at < 0) return
        lane.queue.splice(at, 1)
        this.waiting--
        leave(reasonOf(signal))
        this.admitWaiting()
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
  private evictNewest(lane: AdmissionLane): void {
    const longest = [...this.lanes.values()].reduce((a, b) => (b.queue.length > a.queue.length ? b : a))
    const full = new EngineUnavailable(`${this.limits.waiting} wait already`)
    const newest = longest.queue.length > lane.queue.length + 1 ? longest.queue.pop() : undefined
    if (newest === undefined) throw full
    this.waiting--
    newest.leave(full)
  }

  /** The next lane in turn whose first entry fits within the lane's own share. */
  private nextInTurn():
    { readonly name: string; readonly lane: AdmissionLane; readonly first: WaitingRequest } | undefined {
    if (this.waiting === 0) return undefined
    for (const [name, lane] of this.lanes) {
      const [first] = lane.queue
      if (first !== undefined && this.isWithinShare(lane, first.weight)) return { name, lane, first }
    }
    return undefined
  }

  /** Admits waiting work in turns while there is capacity. A lane that was served moves to the end. */
  private admitWaiting(): void {
    for (let next = this.nextInTurn(); next !== undefined; next = this.nextInTurn()) {
      const { name, lane, first } = next
      if (!this.hasCapacityFor(lane, first.weight)) return
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
