import type { ArticleFacts } from '../../events/articles.ts'

/** What every later event repeats, and nothing else of the event that brought it. */
export const factsOf = (event: ArticleFacts): ArticleFacts => ({
  article_id: event.article_id,
  content_hash: event.content_hash,
  url: event.url,
  title: event.title,
  source: event.source,
  author: event.author,
  published_date: event.published_date,
  dated: event.dated,
  text: event.text,
  language: event.language,
  quality_score: event.quality_score,
  genre: event.genre,
  semantic_hash: event.semantic_hash,
  title_vector: event.title_vector,
  lead_vector: event.lead_vector,
})
