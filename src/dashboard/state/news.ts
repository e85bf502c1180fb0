/** The fields of a feed event that are used here. */
export interface NewsChange {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The changes of a story since the page was opened. */
export interface StoryNews {
  readonly kind: 'new' | 'grown' | 'changed' | 'settled'
  /** Number of articles that joined. */
  readonly articles: number
  /** Number of feed events about the story. */
  readonly lines: number
}

/** By story id, least recently changed first. */
export type DashboardNews = ReadonlyMap<string, StoryNews>

/** More stories than any page shows. */
const MAX_STORIES = 500

/** Adds feed events. A story that opened since the page was opened stays `new` as it grows. */
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
  return new Map([...after].slice(-MAX_STORIES))
}

function kindOf(type: string, before: StoryNews | undefined): StoryNews['kind'] {
  if (type === 'cluster.opened' || before?.kind === 'new') return 'new'
  if (type === 'cluster.grown' || before?.kind === 'grown') return 'grown'
  return type === 'cluster.settled' ? 'settled' : 'changed'
}

const joined = (type: string, { article_ids }: NewsChange['data']): number =>
  (type === 'cluster.opened' || type === 'cluster.grown') && Array.isArray(article_ids) ? article_ids.length : 0
