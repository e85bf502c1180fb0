import { countBefore } from '../state/binary-search.ts'
import type { Clock } from '../ports/clock.ts'
import type { Effect, Input } from './shapes.ts'

/** A task that is not finished yet. */
export interface Pending<Event> {
  /** The newest event about the task that was read from the log. */
  input: Input<Event>
  /** When its first event was logged, milliseconds since 1970; `null` if that was before the assignment. */
  readonly since: number | null
  /**
   * `recorded`: attempted, but the record of the attempt has not been read back from the log yet; only the log's copy
   * counts. `refused`: not attempted because too many tasks were waiting; it is in no lane.
   */
  state: 'waiting' | 'busy' | 'recorded' | 'refused'
}

export interface LaneWork<Event> {
  readonly effect: Effect<Event>
  readonly clock: Clock
  /**
   * Makes one attempt and records the result. Returns whether it succeeded, or `null` if nothing was attempted. Throws
   * if it was aborted.
   */
  attempt(pending: Pending<Event>, laneWentWellAt: number): Promise<boolean | null>
  /** Whether the task is still pending: its final event has not been read from the log. */
  isPending(pending: Pending<Event>): boolean
}

/** A lane whose last attempt failed waits this long so that other lanes start first. */
const GIVES_WAY_MS = 25

/** One day. Node fires timers of more than 24.8 days at once. */
const LONGEST_NAP_MS = 86_400_000

/** Makes the attempts of one lane when they are due, a limited number at once, independently of other lanes. */
export class EffectLane<Event> {
  /** Sorted by due time, then by offset. */
  private readonly waiting: Pending<Event>[] = []
  private readonly work: LaneWork<Event>
  private things = 0
  private busy = 0
  private badInARow = 0
  private wentWellAt = 0
  private live = false
  private napUntil = Infinity
  private nap = new AbortController()

  constructor(work: LaneWork<Event>) {
    this.work = work
  }

  /** Call for each event of this lane that was read from the log. */
  heard({ event, loggedAt }: Input<Event>): void {
    if (this.work.effect.wentWell(event) === true) this.wentWellAt = Math.max(this.wentWellAt, loggedAt)
  }

  /** Whether no task is waiting or in progress. */
  get isIdle(): boolean {
    return this.things === 0 && this.busy === 0
  }

  /** Adds a task. Returns `false` if the lane is full. */
  add(pending: Pending<Event>, most: number): boolean {
    if (this.live && this.things >= most) return false
    this.things += 1
    this.enqueue(pending)
    return true
  }

  /** The log has a newer event about a task of this lane. A running attempt is not started a second time. */
  moved(pending: Pending<Event>, input: Input<Event>): void {
    if (pending.state === 'waiting') this.dequeue(pending)
    pending.input = input
    if (pending.state === 'waiting' || pending.state === 'recorded') this.enqueue(pending)
  }

  remove(pending: Pending<Event>): void {
    this.things -= 1
    if (pending.state === 'waiting') this.dequeue(pending)
  }

  /** Removes and returns the tasks that exceed the limit: those due last. */
  overflow(): readonly Pending<Event>[] {
    const over = Math.min(this.waiting.length, Math.max(0, this.things - this.work.effect.mostWaiting))
    this.things -= over
    return this.waiting.splice(this.waiting.length - over, over)
  }

  /** From now on, attempts are made when they are due. */
  goLive(): void {
    this.live = true
    this.pump()
  }

  /** Starts no further attempt. */
  hold(): void {
    this.live = false
    this.napUntil = Infinity
    this.nap.abort()
  }

  private enqueue(pending: Pending<Event>): void {
    pending.state = 'waiting'
    this.waiting.splice(this.placeOf(pending), 0, pending)
    this.pump()
  }

  private dequeue(pending: Pending<Event>): void {
    this.waiting.splice(this.waiting.indexOf(pending), 1)
  }

  private pump(): void {
    if (!this.live) return
    while (this.busy < this.width()) {
      const [first] = this.waiting
      if (first === undefined) return
      const ms = this.dueAt(first) + this.givesWayMs() - this.work.clock.now()
      if (ms > 0) {
        this.sleep(ms)
        return
      }
      this.waiting.shift()
      void this.attempt(first)
    }
  }

  private async attempt(pending: Pending<Event>): Promise<void> {
    const begun = pending.input
    pending.state = 'busy'
    this.busy += 1
    try {
      const well = await this.work.attempt(pending, this.wentWellAt)
      if (well !== null) this.badInARow = well ? 0 : this.badInARow + 1
    } catch {
      if (this.work.isPending(pending)) this.enqueue(pending) // aborted for a reason that was already reported
      return
    } finally {
      this.busy -= 1
    }
    pending.state = 'recorded'
    if (pending.input !== begun && this.work.isPending(pending)) this.enqueue(pending) // newer event during the attempt
    this.pump()
  }

  private givesWayMs(): number {
    return this.badInARow === 0 ? 0 : GIVES_WAY_MS
  }

  private width(): number {
    const { atOnce } = this.work.effect
    return this.badInARow < atOnce ? atOnce : 1
  }

  private sleep(ms: number): void {
    const until = this.work.clock.now() + ms
    if (until >= this.napUntil) return
    this.nap.abort()
    const nap = new AbortController()
    this.nap = nap
    this.napUntil = until
    const wake = (): void => {
      if (this.nap !== nap || nap.signal.aborted) return
      this.napUntil = Infinity
      this.pump()
    }
    this.work.clock.sleep(Math.min(ms, LONGEST_NAP_MS), nap.signal).then(wake, wake)
  }

  private placeOf(pending: Pending<Event>): number {
    return countBefore(this.waiting.length, (i) => {
      const other = this.waiting[i]
      return other !== undefined && this.isBefore(other, pending)
    })
  }

  private isBefore(a: Pending<Event>, b: Pending<Event>): boolean {
    const later = this.dueAt(a) - this.dueAt(b)
    return later < 0 || (later === 0 && a.input.place.offset < b.input.place.offset)
  }

  private dueAt({ input }: Pending<Event>): number {
    return this.work.effect.dueAt(input.event) ?? 0
  }
}
