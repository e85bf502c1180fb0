import { GivenUp } from './retry.ts'
import type { Limits } from './running.ts'
import type { StageOutcome } from './shapes.ts'

/** A stage refuses most of what it reads: more likely our bug than the world's. */
export class RejectFlood extends GivenUp {
  override readonly name = 'RejectFlood'
}

/**
 * Watches what a stage itself decides (bytes that are no event never come here), so that a bad deploy stops and does
 * not drain a topic into the dead letters.
 */
export class FloodGate {
  private readonly stage: string
  private readonly limits: Limits
  private recent: readonly boolean[] = []

  constructor(stage: string, limits: Limits) {
    this.stage = stage
    this.limits = limits
  }

  /** Throws when these outcomes would be a flood; call before anything is written. */
  check(outcomes: readonly StageOutcome<unknown>[]): void {
    const window = this.windowWith(outcomes)
    const rejects = window.filter(Boolean).length
    const { floodRejects } = this.limits
    if (floodRejects === 0 || rejects < floodRejects || rejects * 2 <= window.length) return
    throw new RejectFlood(`${this.stage} refused ${rejects} of its last ${window.length} inputs and has stopped itself`)
  }

  /** Call once they are written. */
  remember(outcomes: readonly StageOutcome<unknown>[]): void {
    this.recent = this.windowWith(outcomes)
  }

  private windowWith(outcomes: readonly StageOutcome<unknown>[]): readonly boolean[] {
    return [...this.recent, ...outcomes.map(isOurs)].slice(-this.limits.floodWindow)
  }
}

/** What breaks a published rule is the producer's doing, however often. */
const isOurs = (outcome: StageOutcome<unknown>): boolean => outcome.kind === 'reject' && outcome.fault !== 'producer'
