/** A line of the feed, as far as it matters here. */
export interface Told {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What was heard of a story since the page was opened. */
export interface StoryNews {
  readonly kind: 'new' | 'grown' | 'changed'
  /** Articles that came to it meanwhile. */
  readonly articles: number
}

/** By story id, the one heard of last at the end. */
export type News = ReadonlyMap<string, StoryNews>

/** So many stories are remembered: more than are shown anywhere. */
const REMEMBERED = 500

/** What is known after some more lines of the feed. A story that opened here stays new however it grows. */
export function fold(news: News, told: readonly Told[]): News {
  const after = new Map(news)
  for (const { type, data } of told) {
    const id = data['cluster_id']
    if (typeof id !== 'string') continue
    const before = after.get(id)
    after.delete(id)
    after.set(id, { kind: kindOf(type, before), articles: (before?.articles ?? 0) + joined(type, data) })
  }
  return new Map([...after].slice(-REMEMBERED))
}

function kindOf(type: string, before: StoryNews | undefined): StoryNews['kind'] {
  if (type === 'cluster.opened' || before?.kind === 'new') return 'new'
  return type === 'cluster.grown' || before?.kind === 'grown' ? 'grown' : 'changed'
}

const joined = (type: string, { article_ids }: Told['data']): number =>
  (type === 'cluster.opened' || type === 'cluster.grown') && Array.isArray(article_ids) ? article_ids.length : 0
