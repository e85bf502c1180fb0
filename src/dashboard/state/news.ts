/** A line of the feed, as far as it matters here. */
export interface NewsChange {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What was heard of a story since the page was opened. */
export interface StoryNews {
  readonly kind: 'new' | 'grown' | 'changed' | 'settled'
  /** Articles that came to it meanwhile. */
  readonly articles: number
  /** Lines of the feed about it. */
  readonly lines: number
}

/** By story id, the one heard of last at the end. */
export type DashboardNews = ReadonlyMap<string, StoryNews>

/** So many stories are remembered: more than are shown anywhere. */
const REMEMBERED = 500

/** What is known after some more lines of the feed. A story that opened here stays new however it grows. */
export function fold(news: DashboardNews, changes: readonly NewsChange[]): DashboardNews {
  const after = new Map(news)
  for (const { type, data } of changes) {
    const id = data['cluster_id']
    if (typeof id !== 'string') continue
    const before = after.get(id)
    after.delete(id)
    const { articles, lines } = before ?? { articles: 0, lines: 0 }
    after.set(id, { kind: kindOf(type, before), articles: articles + joined(type, data), lines: lines + 1 })
  }
  return new Map([...after].slice(-REMEMBERED))
}

function kindOf(type: string, before: StoryNews | undefined): StoryNews['kind'] {
  if (type === 'cluster.opened' || before?.kind === 'new') return 'new'
  if (type === 'cluster.grown' || before?.kind === 'grown') return 'grown'
  return type === 'cluster.settled' ? 'settled' : 'changed'
}

const joined = (type: string, { article_ids }: NewsChange['data']): number =>
  (type === 'cluster.opened' || type === 'cluster.grown') && Array.isArray(article_ids) ? article_ids.length : 0
