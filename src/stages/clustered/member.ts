import type { ArticleAnalyzed, Member } from '../../events/articles.ts'

/** The article as its story's views need it. */
export const asMember = (article: ArticleAnalyzed): Member => ({
  title: article.title,
  url: article.url,
  source: article.source,
  publisher: article.source?.toLowerCase() ?? '',
  publisher_family: null,
  published_date: article.published_date,
  dated: article.dated,
  semantic_hash: article.semantic_hash,
  quality_score: article.quality_score,
  sentiment_score: article.sentiment_score,
  sentiment_label: article.sentiment_label,
  entities: article.entities.map(({ entity_id, name, type, place, mentions }) => ({
    entity_id,
    name,
    type,
    mention_count: mentions.length,
    country: place?.country ?? null,
  })),
  categories: [],
  vector: article.lead_vector,
})
