import type { TransitionedArticleRecord } from './changelog.ts'

/**
 * Whose independent account each article of a story gives, by article id, as the views show it: re-prints of one text are
 * one; texts that only outlets of one publisher family print are that family's; and what quotes or rewrites a member that
 * had arrived before is that one's.
 */
export function origins(articles: readonly TransitionedArticleRecord[]): ReadonlyMap<string, string> {
  const own = ownOrigins(articles)
  const from = standIns(articles, own)
  const root = (origin: string): string => {
    const next = from.get(origin)
    return next === undefined ? origin : root(next) // ends: each step goes to one that arrived before
  }
  return new Map([...own].map(([article, origin]) => [article, root(origin)]))
}

/** By article id: its syndication group, or the family where all of the group are of that one. */
function ownOrigins(articles: readonly TransitionedArticleRecord[]): ReadonlyMap<string, string> {
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

/** Each origin that derives from another one of the story which arrived before: that one; of several the last by name. */
function standIns(
  articles: readonly TransitionedArticleRecord[],
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
