import { DAY_MS, HOUR_MS } from '../../domain/days.ts'
import { independentSourceOfEach } from '../../domain/trends/accounts.ts'
import { expectedCount, hasLowSupport } from '../../domain/trends/velocity.ts'
import { mentionsIn, priorOf, type NamingHistory, accountOf, ORIGINS, type Figures, type Level } from './level.ts'
import { sentimentOf, type DetectedEntity, type DetectedArticle } from './memory.ts'
import { allIn, countIn, type TimelineSpan } from './timeline.ts'

const HOURS = 6
/** Window lengths before a point in time, milliseconds. */
export const SHIFT_SPANS = [HOURS * HOUR_MS, 2 * HOURS * HOUR_MS]
const CHANGE = 0.3
/** A detection continues above this change. */
const CONTINUES = 0.15

/**
 * An entity trends if the articles of the last 24 hours name it at least this many times as often as on its mean day.
 */
const TRENDING = 1.5

/** A change must also be this many standard errors, so that disagreement between sources is not taken for a change. */
const ERRORS = 2

/** How much the tone towards a trending entity changed in the hours before an article. `null` if it hardly changed. */
export function shift(naming: NamingHistory): Level | null {
  const { arrival, at, entity } = naming
  const recent = { after: at - HOURS * HOUR_MS, until: at }
  const before = { after: recent.after - HOURS * HOUR_MS, until: recent.after }
  if (Math.min(countIn(arrival, recent), countIn(arrival, before)) < ORIGINS || !isTrending(naming)) return null

  const [then, now] = [tone(naming, before), tone(naming, recent)]
  const change = Math.abs(now.mean - then.mean)
  if (Math.min(then.origins, now.origins) < ORIGINS || change <= CONTINUES) return null
  const isReal = change > CHANGE && change >= ERRORS * Math.sqrt(then.error + now.error)
  return {
    isHigh: true,
    crossed: () => (isReal ? crossing(naming, { then, now }, mentionsIn(entity, allIn(arrival, recent))) : null),
  }
}

function isTrending(naming: NamingHistory): boolean {
  const { arrival, at, days } = naming
  const { articles } = priorOf(naming)
  return articles > 0 && countIn(arrival, { after: at - DAY_MS, until: at }) * days.length >= TRENDING * articles
}

interface Tone {
  /** Independent sources with a tone of their own. */
  readonly origins: number
  /** Each source counts once, regardless of how much it publishes. */
  readonly mean: number
  /** The variance of the mean. */
  readonly error: number
}

function tone({ entity, arrival }: NamingHistory, span: TimelineSpan): Tone {
  const means = accountMeans(entity, allIn(arrival, span))
  const mean = means.reduce((sum, one) => sum + one, 0) / Math.max(1, means.length)
  const squares = means.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  const origins = means.length
  return { origins, mean, error: squares / Math.max(1, origins - 1) / Math.max(1, origins) }
}

function accountMeans(entity: DetectedEntity, articles: readonly DetectedArticle[]): readonly number[] {
  const known = articles.filter((article) => sentimentOf(article, entity) !== null)
  const accounts = independentSourceOfEach(known.map(accountOf))
  const scores = new Map<string, { sum: number; articles: number }>()
  for (const [i, article] of known.entries()) {
    const score = scores.get(accounts[i] ?? '') ?? { sum: 0, articles: 0 }
    score.sum += sentimentOf(article, entity) ?? 0
    score.articles += 1
    scores.set(accounts[i] ?? '', score)
  }
  return [...scores.values()].map(({ sum, articles: count }) => sum / count)
}

function crossing(
  naming: NamingHistory,
  { then, now }: Readonly<Record<'then' | 'now', Tone>>,
  count: number,
): Figures {
  const { mentions, namedOn } = priorOf(naming)
  const baseline = expectedCount({ count: mentions, hours: 24 * naming.days.length }, HOURS)
  const origins = Math.min(then.origins, now.origins)
  return {
    velocity: count / baseline,
    baseline,
    window_hours: HOURS,
    count,
    origins,
    p_value: null,
    sentiment_before: then.mean,
    sentiment_after: now.mean,
    low_support: hasLowSupport({ origins, days_of_history: namedOn }),
  }
}
