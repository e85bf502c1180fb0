import type { Clock } from '../ports/clock.ts'
import type { RecordPart } from './consume-parts.ts'
import { GivenUp, Stale } from './retry.ts'
import type { Limits } from './running.ts'

/** A partition that seems lost for this long is lost: by then the broker has assigned it to another consumer. */
const LOST_FOR_GOOD_MS = 120_000

interface HoldOptions {
  readonly clock: Clock
  readonly limits: Pick<Limits, 'heartbeatMs'>
  /** Whether an attempt of the partition is in progress. */
  readonly isBusy: () => boolean
  readonly onLost: () => void
  readonly onBack: () => void
}

/**
 * Whether a partition is still assigned, checked while an attempt is in progress. A consumer whose heartbeats failed for a
 * while may still be a member of the group: then it continues.
 */
export class Hold {
  /** The last part, which knows whether the partition is assigned. */
  part: RecordPart
  private readonly holding: HoldOptions
  private watching = false
  private ended = false
  private lostForMs = 0

  constructor(part: RecordPart, holding: HoldOptions) {
    this.part = part
    this.holding = holding
  }

  get isLost(): boolean {
    return this.ended || this.lostForMs > 0
  }

  end(): void {
    this.ended = true
    this.holding.onLost()
  }

  /** Throws if the partition is not assigned. */
  async ours(): Promise<void> {
    if (this.isLost) throw new Stale('the partition was revoked')
    await this.part.ours()
  }

  /** Takes in a new observation. */
  heard(ours: boolean): void {
    if (this.ended || ours !== this.isLost) return
    this.lostForMs = ours ? 0 : this.holding.limits.heartbeatMs
    if (ours) this.holding.onBack()
    else this.holding.onLost()
  }

  async watch(): Promise<void> {
    if (this.watching) return
    this.watching = true
    const { clock, limits } = this.holding
    while (this.isWorthWatching()) {
      await clock.sleep(limits.heartbeatMs)
      if (this.lostForMs > 0) this.lostForMs += limits.heartbeatMs
      this.heard(await this.isOurs())
    }
    this.watching = false
  }

  private isWorthWatching(): boolean {
    if (this.ended || this.lostForMs > LOST_FOR_GOOD_MS) return false
    return this.lostForMs > 0 || this.holding.isBusy()
  }

  private async isOurs(): Promise<boolean> {
    return this.part.ours().then(
      () => true,
      (cause: unknown) => !(cause instanceof GivenUp),
    )
  }
}
