import type { Clock } from '../ports/clock.ts'
import type { RecordPart } from './consume-parts.ts'
import { GivenUp, Stale } from './retry.ts'
import type { Limits } from './running.ts'

/** So long after a partition seems lost it is: by then the broker has given it to somebody. */
const LOST_FOR_GOOD_MS = 120_000

interface HoldOptions {
  readonly clock: Clock
  readonly limits: Pick<Limits, 'heartbeatMs'>
  /** Something of the partition is in hand. */
  readonly isBusy: () => boolean
  readonly onLost: () => void
  readonly onBack: () => void
}

/**
 * Whether a partition is ours, watched while something of it is in hand. A member that was not heard for a while may find
 * itself a member still, without a notice: then it goes on.
 */
export class Hold {
  /** Of the last batch, which knows. */
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

  /** Throws where it is not. */
  async ours(): Promise<void> {
    if (this.isLost) throw new Stale('the partition was revoked')
    await this.part.ours()
  }

  /** Somebody has found out. */
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
