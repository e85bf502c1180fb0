import { PLATFORM_CADENCE_MS } from '../../events/discourse.ts'
import type { Platform } from '../../events/discourse.ts'
import type { Clock } from '../../ports/clock.ts'
import { PlatformUnavailable, isTrouble, Limited, PlatformRefused, type PlatformTrouble } from './platform.ts'

const FIRST_WAIT_MS = 5_000
/** Longest back-off as a share of the cadence, so that a recovered platform is noticed within the same round. */
const LONGEST_WAIT = 1 / 4
/** Consecutive failures of one story before other stories continue: the cause may be that story's own response. */
const ATTEMPTS = 5

/** `left`: the task failed repeatedly and is skipped for now. `over`: the round ends. */
export type RoundEnd = 'done' | 'left' | 'over'

export interface RoundsTask {
  /** Throws a `PlatformTrouble`. */
  attempt(): Promise<void>
  /** Called for each failure. */
  onTrouble(trouble: PlatformTrouble): Promise<void>
}

/** When a platform is polled. Rounds begin at multiples of the cadence, so that a restart continues the same round. */
export class Rounds {
  private readonly cadenceMs: number
  private readonly clock: Clock
  private readonly signal: AbortSignal
  private limit: Limited | null = null
  private restUntil = 0
  private end = 0
  /** Consecutive failures, of any task. */
  private failures = 0

  constructor(platform: Platform, clock: Clock, signal: AbortSignal) {
    this.cadenceMs = PLATFORM_CADENCE_MS[platform]
    this.clock = clock
    this.signal = signal
  }

  /** Starts the current round. Returns its start, milliseconds since 1970. */
  begin(): number {
    const now = this.clock.now()
    const start = now - (now % this.cadenceMs)
    this.end = start + this.cadenceMs
    return start
  }

  /** Resolves when the next round begins, or immediately if the signal aborts. */
  async rest(): Promise<void> {
    await this.sleepUntil(Math.max(this.end, this.restUntil))
  }

  isOver(): boolean {
    return this.signal.aborted
  }

  /** Retries a task until it succeeds, within the platform's limits. */
  async retryUntilDone(task: RoundsTask): Promise<RoundEnd> {
    if (this.limit !== null && this.limitOutlasts()) {
      await task.onTrouble(this.limit)
      return 'over'
    }
    for (let failures = 0; ;) {
      const trouble = await this.tried(task)
      if (trouble === null) return this.done()
      await task.onTrouble(trouble)
      if (trouble instanceof PlatformUnavailable) failures += 1
      if (failures >= ATTEMPTS) return 'left'
      const ending = await this.wait(trouble)
      if (ending !== null) return ending
    }
  }

  /** Runs a skipped task once more. If it fails, it is skipped again, after the usual back-off. */
  async retryOnce(task: RoundsTask): Promise<RoundEnd> {
    const trouble = await this.tried(task)
    if (trouble === null) return this.done()
    await task.onTrouble(trouble)
    return (await this.wait(trouble)) ?? 'left'
  }

  private done(): RoundEnd {
    return this.isOver() ? 'over' : 'done'
  }

  /** `null` if the task may be retried. */
  private async wait(trouble: PlatformTrouble): Promise<RoundEnd | null> {
    if (trouble instanceof PlatformRefused) {
      this.restUntil = this.clock.now() + this.cadenceMs
      return 'over'
    }
    if (trouble instanceof PlatformUnavailable) await this.backOff()
    else if (this.limitOutlasts()) return 'over'
    return this.isOver() || this.clock.now() >= this.end ? 'over' : null
  }

  private limitOutlasts(): boolean {
    return this.limit !== null && this.limit.until >= this.end
  }

  private async tried(task: RoundsTask): Promise<PlatformTrouble | null> {
    try {
      if (this.limit !== null) await this.sleepUntil(this.limit.until)
      if (this.isOver()) return null
      await task.attempt()
      this.failures = 0
      return null
    } catch (cause) {
      if (this.isOver()) return null
      if (!isTrouble(cause)) throw cause
      if (cause instanceof Limited) this.limit = cause
      if (cause instanceof PlatformUnavailable) this.failures += 1
      return cause
    }
  }

  /** Full jitter, at most until the end of the round. */
  private async backOff(): Promise<void> {
    const most = Math.min(this.cadenceMs * LONGEST_WAIT, FIRST_WAIT_MS * 2 ** (this.failures - 1))
    await this.sleepUntil(Math.min(this.end, this.clock.now() + Math.random() * most))
  }

  private async sleepUntil(moment: number): Promise<void> {
    const now = this.clock.now()
    if (moment > now) await this.clock.sleep(moment - now, this.signal)
  }
}
