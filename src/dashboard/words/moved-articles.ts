import { counted } from './format.ts'
import type { DashboardStory } from './story.ts'

export type HistoryEvent = DashboardStory['history'][number]

/** Which articles moved: their headlines (an id where there is none), and how many more. */
export function movedArticles({ articles, moved = [] }: Pick<HistoryEvent, 'articles' | 'moved'>): string {
  if (moved.length === 0) return counted(articles, 'article')
  const names = moved.map(({ article_id, title }) => `“${title ?? article_id}”`).join(', ')
  const more = articles - moved.length
  return more > 0 ? `${names} and ${more} more` : names
}
