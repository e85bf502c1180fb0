import { DAY_MS } from '../domain/days.ts'
import type { ArticleClustered } from '../events/ledger.ts'
import type { Rate } from './story-rates.ts'
import { articlesOf, type LedgerLine } from './story-replay.ts'

/** An assignment that a ledger event states, and whether it still held 24 hours later (or at the end of the ledger). */
export interface AssignmentStatement {
  readonly article: string
  readonly event: ArticleClustered
  readonly held: boolean
}

interface OpenStatement extends Omit<AssignmentStatement, 'held'> {
  readonly at: number
}

/**
 * The assignments that a ledger states: when an article arrives, and when its story settles. Assignments at the time of
 * the last event are omitted, since no later event re-evaluated them.
 */
export function assignmentStatements(ledger: readonly LedgerLine[]): AssignmentStatement[] {
  const storyOf = new Map<string, string>()
  const statements: AssignmentStatement[] = []
  let open: OpenStatement[] = []
  const close = (until: number): void => {
    const due = open.filter(({ at }) => at < until)
    if (due.length === 0) return
    open = open.filter(({ at }) => at >= until)
    for (const { article, event } of due) {
      statements.push({ article, event, held: storyOf.get(article) === event.cluster_id })
    }
  }
  for (const { event, at } of ledger) {
    close(at - DAY_MS)
    const articles = articlesOf(event)
    for (const article of articles) storyOf.set(article, event.cluster_id)
    if (event.change === null || event.action === 'settled') {
      open.push(...articles.map((article) => ({ article, event, at })))
    }
  }
  close(ledger.at(-1)?.at ?? -Infinity)
  return statements
}

/** Calibration errors of `assignment_confidence`, measured against the assignments 24 hours later. */
export function calibrationOf(ledger: readonly LedgerLine[]) {
  const statements = assignmentStatements(ledger)
  return {
    /** Assignments made when the article arrived; `n` is their number. */
    placed: errorOf(statements.filter(({ event }) => event.change === null)),
    /** Assignments in stories that had settled. */
    settled: errorOf(statements.filter(({ event }) => event.change !== null)),
  }
}

function errorOf(statements: readonly AssignmentStatement[]): Rate {
  const forecasts = statements.map(({ event, held }) => ({ probability: event.assignment_confidence ?? 0, held }))
  return { value: calibrationError(forecasts), n: statements.length }
}

/** A predicted probability, 0 to 1, and whether the outcome occurred. */
interface Forecast {
  readonly probability: number
  readonly held: boolean
}

const BINS = 10

/**
 * Expected calibration error over ten bins of equal width: the absolute difference between the predicted probability
 * and the observed frequency, averaged over the bins and weighted by their number of forecasts. 0 if there are no
 * forecasts.
 */
export function calibrationError(forecasts: readonly Forecast[]): number {
  const excess = new Array<number>(BINS).fill(0)
  for (const { probability, held } of forecasts) {
    const bin = Math.min(BINS - 1, Math.floor(probability * BINS))
    excess[bin] = (excess[bin] ?? 0) + probability - Number(held)
  }
  return excess.reduce((sum, each) => sum + Math.abs(each), 0) / Math.max(1, forecasts.length)
}
