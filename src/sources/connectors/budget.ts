import type { PlatformAllowance } from './platform.ts'

export interface BudgetRule {
  /** Posts that may be read per calendar month (UTC); `Infinity` for no limit. */
  readonly postsPerMonth: number
  /** The smallest page of the platform. If less is left, nothing is requested. */
  readonly least: number
  /** The interval of polls, milliseconds. */
  readonly cadenceMs: number
}

export const NO_BUDGET = { postsPerMonth: Infinity, least: 1 } as const

/** Share of a round that is reserved for looking up known posts. They may also use what searches leave over. */
const LOOK_AGAIN_SHARE = 0.25
/**
 * A round may spend twice its even share, because news comes in waves. What it does not use is shared among all later
 * rounds.
 */
const AHEAD = 2

/** Start of the UTC month `monthsLater` months after the month of `at`, milliseconds since 1970. */
function monthStart(at: number, monthsLater: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1)
}

export const nextMonth = (at: number): number => monthStart(at, 1)

/** Counts posts read and limits each request, so that a monthly budget lasts for the month. */
export class Budget implements PlatformAllowance {
  private readonly rule: BudgetRule
  /** End of the month that is counted, milliseconds since 1970. */
  private monthEnd = 0
  private readInMonth = 0
  private roundLeft = 0
  private kept = 0
  private lookLeft = 0
  private isLookAgain = false

  constructor(rule: BudgetRule) {
    this.rule = rule
  }

  /** Posts read in the month of `at`. */
  readIn(at: number): number {
    return nextMonth(at) === this.monthEnd ? this.readInMonth : 0
  }

  /**
   * Restores a recorded count: `posts` in the month of `at`. Records may come in any order; the largest count is used.
   */
  restore(at: number, posts: number): void {
    const end = nextMonth(at)
    if (end < this.monthEnd) return
    this.readInMonth = end > this.monthEnd ? posts : Math.max(this.readInMonth, posts)
    this.monthEnd = end
  }

  count(at: number, posts: number): void {
    this.restore(at, this.readIn(at) + posts)
    this.roundLeft = Math.max(0, this.roundLeft - posts)
    this.lookLeft = Math.max(0, this.lookLeft - posts)
    if (this.isLookAgain) this.kept = Math.max(0, this.kept - posts)
  }

  isUsedUp(at: number): boolean {
    return this.rule.postsPerMonth - this.readIn(at) < this.rule.least
  }

  startRound(at: number): void {
    const { postsPerMonth, cadenceMs, least } = this.rule
    const left = Math.max(0, postsPerMonth - this.readIn(at))
    const rounds = Math.max(1, Math.ceil((nextMonth(at) - at) / cadenceMs))
    const share = Math.ceil((left / rounds) * AHEAD)
    this.roundLeft = Math.min(left, this.isBehind(at) ? Math.max(share, least) : share)
    this.kept = Number.isFinite(left)
      ? Math.max(0, Math.min(this.roundLeft * LOOK_AGAIN_SHARE, this.roundLeft - least))
      : 0
    this.lookLeft = 0
  }

  /**
   * Whether less was read than an even pace would have used by now. Then even a small budget allows one minimal request
   * instead of saving until the end of the month.
   */
  private isBehind(at: number): boolean {
    const end = nextMonth(at)
    const start = monthStart(at, 0)
    return this.readIn(at) <= (this.rule.postsPerMonth * (at - start)) / (end - start)
  }

  /**
   * Starts a search; `searches` is the number still to do, this one included. It may use twice its even share. Returns
   * false if too little is left.
   */
  startSearch(searches: number): boolean {
    this.isLookAgain = false
    const left = this.roundLeft - this.kept
    const even = Math.max(this.rule.least, Math.ceil((left / searches) * AHEAD))
    this.lookLeft = Math.min(left, even)
    return this.lookLeft >= this.rule.least
  }

  /**
   * Starts looking up known posts. They may use all that is left of the round, or only the reserved share if searches
   * are still to come.
   */
  startLookAgain(searchesToCome = 0): boolean {
    this.isLookAgain = true
    const isShared = searchesToCome > 0 && Number.isFinite(this.roundLeft)
    this.lookLeft = isShared ? Math.min(this.kept, this.roundLeft) : this.roundLeft
    return this.lookLeft >= 1
  }

  left(): number {
    return Math.floor(this.lookLeft)
  }
}
