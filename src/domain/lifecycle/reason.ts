import { HOUR_MS } from '../days.ts'
import { since, type CountedReception, type Evaluation, type Fired, type LifecycleNumbers } from './lifecycle.ts'

/** Why a story is in its state. */
export interface LifecycleReason {
  readonly rule: string
  /** What the rule looked at; ages in hours. */
  readonly values: Readonly<Record<string, number>>
  /** The same in a sentence. */
  readonly text: string
}

/** What a rule fired on, for people and for the record. */
export function reason(fired: Fired, { facts, at }: Evaluation, numbers: LifecycleNumbers): LifecycleReason {
  const { state, rule, row } = fired
  const first = since(facts.first_published, at)
  const last = since(facts.last_published, at)
  const { recent_origins: origins, recent_articles: articles, peak_day_articles: peak } = facts

  if (state === 'breaking') {
    const window = span(numbers.breaking.windowMs)
    const values = { first_article_age_hours: hours(first), [`origins_${window}`]: origins }
    const text = `its first article is ${ago(first)} old, and ${origins} independent origins reported in the last ${window}`
    return { rule, values, text }
  }
  const window = span(numbers.developing.windowMs)
  const values = {
    last_article_age_hours: hours(last),
    [`articles_${window}`]: articles,
    peak_day_articles: peak,
  }
  if (state === 'developing' || state === 'mature') {
    const text = `its last article is ${ago(last)} old; the last ${window} hold ${articles}, its peak day ${peak}`
    return { rule, values, text }
  }
  const quiet = `no article has come for ${ago(last)}`
  if (row === null) return { rule, values, text: quiet }
  const verb = rule === 'contested' ? 'contests' : 'still contests'
  return {
    rule,
    values: { ...values, ...rowValues(row) },
    text: `${quiet}, but ${row.platform} ${verb} it: ${said(row)}`,
  }
}

const rowValues = (row: CountedReception) => ({
  controversy_score: row.controversy_score,
  counter_narrative_confidence: row.counter_narrative_confidence,
  posts: row.posts,
  newest_post_age_hours: hours(row.silence),
  enrichment_age_hours: hours(row.age),
})

const said = ({ controversy_score, counter_narrative_confidence, posts, silence }: CountedReception): string =>
  `controversy ${round(controversy_score)}, counter-narrative confidence ${round(counter_narrative_confidence)}, ` +
  `${posts} posts, the newest ${ago(silence)} old`

const hours = (ms: number): number => round(ms / HOUR_MS)

const round = (value: number): number => Math.round(value * 100) / 100

/** `2h`. */
const span = (ms: number): string => `${round(ms / HOUR_MS)}h`

/** `40 minutes`, `5.5 hours`, `12 days`. */
function ago(ms: number): string {
  const [days, inHours, minutes] = [ms / (24 * HOUR_MS), ms / HOUR_MS, ms / 60_000]
  if (days >= 4) return `${Math.round(days * 10) / 10} days`
  return inHours >= 2 ? `${Math.round(inHours * 10) / 10} hours` : `${Math.round(minutes)} minutes`
}
