import type { PlatformAllowance } from './platform.ts'

export interface BudgetRule {
  /** Posts that may be read in a month of UTC; Infinity: as many as one likes. */
  readonly postsPerMonth: number
  /** The platform gives no fewer at once: with less left nothing is asked. */
  readonly least: number
  /** How often the platform is looked at, in milliseconds. */
  readonly cadenceMs: number
}

export const NO_BUDGET = { postsPerMonth: Infinity, least: 1 } as const

/** What posts are gone for is asked with what searches leave over, and with this share that is kept from them. */
const LOOK_AGAIN_SHARE = 0.25
/** A round may spend twice its even share: news come in waves, and what a quiet round leaves goes to all that follow. */
const AHEAD = 2

/** First moment of the UTC month that many months after the one `at` lies in, milliseconds since 1970. */
function monthStart(at: number, monthsLater: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1)
}

export const nextMonth = (at: number): number => monthStart(at, 1)

/** Counts what is read, and says how much one look may read, so that a month's posts last for the month. */
export class Budget implements PlatformAllowance {
  private readonly rule: BudgetRule
  /** The month that is counted ends here. */
  private monthEnd = 0
  private readInMonth = 0
  private roundLeft = 0
  private kept = 0
  private lookLeft = 0
  private isLookAgain = false

  constructor(rule: BudgetRule) {
    this.rule = rule
  }

  /** Posts read in the month of `at` so far. */
  readIn(at: number): number {
    return nextMonth(at) === this.monthEnd ? this.readInMonth : 0
  }

  /** As it was reported before: `posts` in the month of `at`. Reported in any order, the largest holds. */
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

  /** Less was read than an even pace would have by now: a small budget asks now and then, not only as the month ends. */
  private isBehind(at: number): boolean {
    const end = nextMonth(at)
    const start = monthStart(at, 0)
    return this.readIn(at) <= (this.rule.postsPerMonth * (at - start)) / (end - start)
  }

  /** A search, and how many there are still to come with it. It may have twice its even share; false: too little is left. */
  startSearch(searches: number): boolean {
    this.isLookAgain = false
    const left = this.roundLeft - this.kept
    const even = Math.max(this.rule.least, Math.ceil((left / searches) * AHEAD))
    this.lookLeft = Math.min(left, even)
    return this.lookLeft >= this.rule.least
  }

  /** A look at posts that are known: all that the round has left, but for searches that are still to come what was kept. */
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
