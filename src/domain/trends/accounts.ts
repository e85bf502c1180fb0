/** An article, reduced to what identifies its independent source. */
export interface SourcedArticle {
  /** Event time, milliseconds since 1970. */
  readonly at: number
  readonly article_id: string
  /** Equal for all reprints of one text. */
  readonly text: string
  /** The publisher family, or the outlet if it belongs to none; `null` if it is unknown. */
  readonly house: string | null
}

/**
 * Number of independent sources among some articles. A reprint counts for the publisher of the earliest copy, all
 * articles of one publisher count once, and a text without a known publisher counts as a source of its own.
 */
export const countIndependentSources = (articles: readonly SourcedArticle[]): number =>
  new Set(independentSourceOfEach(articles)).size

/** The independent source of each article, in the same order. */
export function independentSourceOfEach(articles: readonly SourcedArticle[]): readonly string[] {
  const firsts = new Map<string, SourcedArticle>()
  for (const one of articles) {
    const first = firsts.get(one.text)
    if (first === undefined || precedes(one, first)) firsts.set(one.text, one)
  }
  return articles.map(({ text }) => {
    const house = firsts.get(text)?.house ?? null
    return house === null ? `text ${text}` : `house ${house}`
  })
}

const precedes = (one: SourcedArticle, other: SourcedArticle): boolean =>
  one.at < other.at || (one.at === other.at && one.article_id < other.article_id)
