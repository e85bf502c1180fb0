import { DAY_MS } from '../domain/days.ts'
import type { ArticleClustered } from '../events/ledger.ts'
import type { Rate } from './story-rates.ts'
import { articlesOf, type LedgerLine } from './story-replay.ts'

/** That an article stays in a story, as one event of the ledger states it; and whether it was still there 24 hours later. */
export interface AssignmentStatement {
  readonly article: string
  readonly event: ArticleClustered
  readonly held: boolean
}

interface OpenStatement extends Omit<AssignmentStatement, 'held'> {
  readonly at: number
}

/**
 * What a ledger states of its articles: where they are placed when they come, and where they are when their story has
 * settled. Without statements that nothing came after: nobody looked at them again.
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

/** Calibration errors of `assignment_confidence`, against where articles are 24 hours later. */
export function calibrationOf(ledger: readonly LedgerLine[]) {
  const statements = assignmentStatements(ledger)
  return {
    /** Of articles as they were placed when they came; `n` of them. */
    placed: errorOf(statements.filter(({ event }) => event.change === null)),
    /** Of articles in stories that had settled. */
    settled: errorOf(statements.filter(({ event }) => event.change !== null)),
  }
}

function errorOf(statements: readonly AssignmentStatement[]): Rate {
  const forecasts = statements.map(({ event, held }) => ({ probability: event.assignment_confidence ?? 0, held }))
  return { value: calibrationError(forecasts), n: statements.length }
}

/** Something that was said to hold with a probability from 0 to 1, and whether it did. */
interface Forecast {
  readonly probability: number
  readonly held: boolean
}

const BINS = 10

/**
 * Expected calibration error over ten bins of equal width: the mean distance between what was said and what came true, bins
 * weighted by how many forecasts they have. 0 where there are none.
 */
export function calibrationError(forecasts: readonly Forecast[]): number {
  const excess = new Array<number>(BINS).fill(0)
  for (const { probability, held } of forecasts) {
    const bin = Math.min(BINS - 1, Math.floor(probability * BINS))
    excess[bin] = (excess[bin] ?? 0) + probability - Number(held)
  }
  return excess.reduce((sum, each) => sum + Math.abs(each), 0) / Math.max(1, forecasts.length)
}
