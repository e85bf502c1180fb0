/** A story as far as its speed goes: how many of its articles are of a window, and what was before it. */
export interface StoryCounts {
  /** Articles in the window. */
  readonly count: number
  /** In the window before, of the same length. */
  readonly previous: number
  /** In all time before the window. */
  readonly before: number
  /** From its first article to where the window begins, in windows; 0 where it begins in the window. */
  readonly windows: number
}

export interface StoryVelocity {
  /** Articles in the window over the baseline. */
  readonly velocity: number
  /** Articles a window before it, 1 at least. */
  readonly baseline: number
  /** Change of the count against the window before, as a fraction of that. */
  readonly growth_rate: number
}

/** How fast a story grows. */
export function storyVelocity({ count, previous, before, windows }: StoryCounts): StoryVelocity {
  const baseline = storyBaseline(before, windows)
  return { velocity: count / baseline, baseline, growth_rate: (count - previous) / Math.max(1, previous) }
}

/**
 * Articles a window: of all before it, one more than there were, in so many windows from the first one on. Below 1 it
 * counts as 1, which is what a story that begins in the window has: else three articles after four quiet days would be
 * 7 times the usual of a day and 144 times that of an hour, ahead of every story that is new or grows all the time.
 */
export const storyBaseline = (articlesBefore: number, windowsBefore: number): number =>
  Math.max(1, (articlesBefore + 1) / (windowsBefore + 1))
