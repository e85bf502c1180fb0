/** The facts about an article of a story that determine its independent source. */
export interface OriginArticle {
  readonly article_id: string
  /** Offset in `articles.clustered` at which it was first seen. */
  readonly log_order: number
  readonly syndication_group: string
  readonly publisher_family: string | null
  /** The article it quotes, rewrites or translates; `null` if none is known. */
  readonly derived_from: string | null
}

/**
 * The independent source of each article of a story, by article id, as the views show it. Reprints of one text share a
 * source. Texts printed only by outlets of one publisher family share that family. An article that quotes or rewrites
 * an earlier member shares that member's source.
 */
export function origins(articles: readonly OriginArticle[]): ReadonlyMap<string, string> {
  const own = ownOrigins(articles)
  const from = earlierOrigins(articles, own)
  const root = (origin: string): string => {
    const next = from.get(origin)
    return next === undefined ? origin : root(next) // terminates: each step leads to an earlier arrival
  }
  return new Map([...own].map(([article, origin]) => [article, root(origin)]))
}

/** By article id: its syndication group, or the publisher family if the whole group belongs to one. */
function ownOrigins(articles: readonly OriginArticle[]): ReadonlyMap<string, string> {
  const families = new Map<string, Set<string | null>>()
  for (const { syndication_group: group, publisher_family: family } of articles) {
    families.set(group, (families.get(group) ?? new Set()).add(family))
  }
  return new Map(
    articles.map(({ article_id, syndication_group: group, publisher_family: family }) => [
      article_id,
      family !== null && families.get(group)?.size === 1 ? `family ${family}` : group,
    ]),
  )
}

/**
 * For each origin derived from an earlier origin of the story: that earlier one. If there are several, the last by
 * name.
 */
function earlierOrigins(
  articles: readonly OriginArticle[],
  own: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const originOf = (article: string): string => own.get(article) ?? ''
  const arrived = new Map<string, number>()
  for (const { article_id, log_order } of articles) {
    const origin = originOf(article_id)
    arrived.set(origin, Math.min(log_order, arrived.get(origin) ?? Infinity))
  }
  const isBefore = (one: string, other: string): boolean =>
    (arrived.get(one) ?? Infinity) < (arrived.get(other) ?? Infinity)

  const from = new Map<string, string>()
  for (const { article_id, derived_from } of articles) {
    const [origin, source] = [originOf(article_id), originOf(derived_from ?? '')]
    if (isBefore(source, origin) && source > (from.get(origin) ?? '')) from.set(origin, source)
  }
  return from
}

/** The number of independent sources of a story: an origin that is derived from an earlier one of the story is none. */
export function originCount(articles: readonly OriginArticle[]): number {
  const own = ownOrigins(articles)
  return new Set(own.values()).size - earlierOrigins(articles, own).size
}
