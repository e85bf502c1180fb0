import type { ArticleAnalyzed, Mention } from '../../events/articles.ts'
import type { Member } from '../../events/ledger.ts'
import { vectors } from '../../events/vector.ts'
import { categoriesOf } from '../../language/categories/categories.ts'
import { publisherOf } from '../../language/publishers/publishers.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'

/** The article as its story's views need it. */
export const asMember = (
  article: ArticleAnalyzed,
  model: Pick<ClusteringModel, 'publishers' | 'categories'>,
): Member => ({
  title: article.title,
  url: article.url,
  source: article.source,
  ...publisher(article, model),
  published_date: article.published_date,
  dated: article.dated,
  semantic_hash: article.semantic_hash,
  quality_score: article.quality_score,
  genre: article.genre,
  sentiment_score: article.sentiment_score,
  sentiment_label: article.sentiment_label,
  entities: article.entities.map(({ entity_id, name, type, place, mentions }) => ({
    entity_id,
    name,
    type,
    mention_count: mentions.length,
    country: place?.country ?? null,
    sentiment_score: meanSentiment(mentions),
  })),
  categories: categoriesOf(vectors(article.lead_vector)[0] ?? new Float32Array(), model.categories),
  vector: article.lead_vector,
})

/** To six decimals, as the views have it. */
function meanSentiment(mentions: readonly Mention[]): number | null {
  if (mentions.length === 0) return null
  const sum = mentions.reduce((total, { sentiment_score }) => total + sentiment_score, 0)
  return Math.round((sum / mentions.length) * 1e6) / 1e6
}

function publisher(
  article: ArticleAnalyzed,
  { publishers }: Pick<ClusteringModel, 'publishers'>,
): Pick<Member, 'publisher' | 'publisher_family'> {
  const { publisher, family } = publisherOf(article, publishers)
  return { publisher, publisher_family: family }
}
