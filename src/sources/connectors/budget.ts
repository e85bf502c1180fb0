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
const LOOK_UP_SHARE = 0.25
/**
 * A round may read this many times its even share, because news comes in waves. What it does not use is shared among
 * all later rounds.
 */
const MAX_SHARES = 2

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
  private reserved = 0
  private requestLeft = 0
  private isLookUp = false

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
    this.requestLeft = Math.max(0, this.requestLeft - posts)
    if (this.isLookUp) this.reserved = Math.max(0, this.reserved - posts)
  }

  isUsedUp(at: number): boolean {
    return this.rule.postsPerMonth - this.readIn(at) < this.rule.least
  }

  startRound(at: number): void {
    const { postsPerMonth, cadenceMs, least } = this.rule
    const left = Math.max(0, postsPerMonth - this.readIn(at))
    const rounds = Math.max(1, Math.ceil((nextMonth(at) - at) / cadenceMs))
    const share = Math.ceil((left / rounds) * MAX_SHARES)
    this.roundLeft = Math.min(left, this.isBehind(at) ? Math.max(share, least) : share)
    this.reserved = Number.isFinite(left)
      ? Math.max(0, Math.min(this.roundLeft * LOOK_UP_SHARE, this.roundLeft - least))
      : 0
    this.requestLeft = 0
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
    this.isLookUp = false
    const left = this.roundLeft - this.reserved
    const even = Math.max(this.rule.least, Math.ceil((left / searches) * MAX_SHARES))
    this.requestLeft = Math.min(left, even)
    return this.requestLeft >= this.rule.least
  }

  /**
   * Starts looking up known posts. They may use all that is left of the round, or only the reserved share if searches
   * are still to come.
   */
  startLookUp(searchesToCome = 0): boolean {
    this.isLookUp = true
    const isShared = searchesToCome > 0 && Number.isFinite(this.roundLeft)
    this.requestLeft = isShared ? Math.min(this.reserved, this.roundLeft) : this.roundLeft
    return this.requestLeft >= 1
  }

  left(): number {
    return Math.floor(this.requestLeft)
  }
}
