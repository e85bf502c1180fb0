/** A bench cannot measure with the articles it was given. */
export class TooFewArticles extends Error {
  override readonly name = 'TooFewArticles'
}

/** Throws `TooFewArticles` where a bench has fewer articles than it can measure with. */
export function requireArticles(given: number, least: number): void {
  if (given >= least) return
  throw new TooFewArticles(
    `needs ${least} articles or more, and has ${given}: give more with --file FILE --articles ${Math.max(least, 2 * given)}`,
  )
}

/** Throws `TooFewArticles` where a figure is no number: it was measured of nothing, most often because there were too few articles. */
export function requireFigures(figures: unknown, articles: number): void {
  const found = notFinite(figures, '')
  if (found.length === 0) return
  throw new TooFewArticles(
    `nothing was measured for ${found.join(', ')} with ${articles} articles: give more with --file FILE --articles N`,
  )
}

/** Where a value holds numbers that are not finite. */
function notFinite(value: unknown, path: string): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => notFinite(inner, path === '' ? name : `${path}.${name}`))
}
