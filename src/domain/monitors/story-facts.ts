import { DAY_MS } from '../days.ts'
import { storyVelocity } from '../trends/velocity.ts'

/** The mean of a story's articles, to 6 decimals, so that it does not depend on their order. */
export function meanSentiment(articles: readonly { readonly sentiment_score: number }[]): number {
  const sum = articles.reduce((total, { sentiment_score }) => total + sentiment_score, 0)
  return Math.round((sum / Math.max(1, articles.length)) * 1e6) / 1e6
}

/** Articles of the 24 hours up to a point in time as a multiple of the usual number, see `storyVelocity`. */
export function velocityAt(times: readonly number[], at: number): number {
  const until = times.filter((time) => time <= at)
  const from = at - DAY_MS
  const before = until.filter((time) => time <= from).length
  const first = until.reduce((least, time) => Math.min(least, time), from)
  const counts = { count: until.length - before, previous: 0, before, windows: (from - first) / DAY_MS }
  return storyVelocity(counts).velocity
}
