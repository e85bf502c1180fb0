const DAY_MS = 86_400_000

export interface StoryVelocity {
  /** Articles in the window over the baseline. */
  readonly velocity: number
  /** Articles a window before it, one more than there were: 1 for a story that begins in the window. */
  readonly baseline: number
  /** Articles in the window. */
  readonly count: number
  /** Change of the count against the window before, as a fraction of that. */
  readonly growth_rate: number
  /** UTC days before the window with an article. */
  readonly days_of_history: number
}

/**
 * How fast a story grows. `times`: event times of its articles up to `at`, milliseconds since 1970, in any order. The
 * window is what follows `at - windowMs`.
 */
export function storyVelocity(times: readonly number[], at: number, windowMs: number): StoryVelocity {
  const begins = at - windowMs
  const before = times.filter((time) => time <= begins)
  const count = times.length - before.length
  const previous = before.filter((time) => time > begins - windowMs).length
  const first = before.reduce((one, other) => Math.min(one, other), begins)
  const baseline = (before.length + 1) / ((begins - first) / windowMs + 1)
  return {
    velocity: count / baseline,
    baseline,
    count,
    growth_rate: (count - previous) / Math.max(1, previous),
    days_of_history: new Set(before.map((time) => Math.floor(time / DAY_MS))).size,
  }
}
