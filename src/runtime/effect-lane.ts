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
const AFTER_FAILURE_MS = 25

/** One day. Node fires timers of more than 24.8 days at once. */
const LONGEST_TIMER_MS = 86_400_000

/** Makes the attempts of one lane when they are due, a limited number at once, independently of other lanes. */
export class EffectLane<Event> {
  /** Sorted by due time, then by offset. */
  private readonly waiting: Pending<Event>[] = []
  private readonly work: LaneWork<Event>
  private unfinished = 0
  private busy = 0
  private failuresInARow = 0
  private succeededAt = 0
  private live = false
  private timerUntil = Infinity
  private timer = new AbortController()

  constructor(work: LaneWork<Event>) {
    this.work = work
  }

  /** Call for each event of this lane that was read from the log. */
  noteSuccess({ event, loggedAt }: Input<Event>): void {
    if (this.work.effect.wentWell(event) === true) this.succeededAt = Math.max(this.succeededAt, loggedAt)
  }

  /** Whether no task is waiting or in progress. */
  get isIdle(): boolean {
    return this.unfinished === 0 && this.busy === 0
  }

  /** Adds a task. Returns `false` if the lane is full. */
  add(pending: Pending<Event>, most: number): boolean {
    if (this.live && this.unfinished >= most) return false
    this.unfinished += 1
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
    this.unfinished -= 1
    if (pending.state === 'waiting') this.dequeue(pending)
  }

  /** Removes and returns the tasks that exceed the limit: those due last. */
  overflow(): readonly Pending<Event>[] {
    const over = Math.min(this.waiting.length, Math.max(0, this.unfinished - this.work.effect.mostWaiting))
    this.unfinished -= over
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
    this.timerUntil = Infinity
    this.timer.abort()
  }

  private enqueue(pending: Pending<Event>): void {
    pending.state = 'waiting'
    this.waiting.splice(this.insertionIndex(pending), 0, pending)
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
      const ms = this.dueAt(first) + this.failureDelayMs() - this.work.clock.now()
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
      const succeeded = await this.work.attempt(pending, this.succeededAt)
      if (succeeded !== null) this.failuresInARow = succeeded ? 0 : this.failuresInARow + 1
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

  private failureDelayMs(): number {
    return this.failuresInARow === 0 ? 0 : AFTER_FAILURE_MS
  }

  private width(): number {
    const { atOnce } = this.work.effect
    return this.failuresInARow < atOnce ? atOnce : 1
  }

  private sleep(ms: number): void {
    const until = this.work.clock.now() + ms
    if (until >= this.timerUntil) return
    this.timer.abort()
    const timer = new AbortController()
    this.timer = timer
    this.timerUntil = until
    const wake = (): void => {
      if (this.timer !== timer || timer.signal.aborted) return
      this.timerUntil = Infinity
      this.pump()
    }
    this.work.clock.sleep(Math.min(ms, LONGEST_TIMER_MS), timer.signal).then(wake, wake)
  }

  private insertionIndex(pending: Pending<Event>): number {
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
