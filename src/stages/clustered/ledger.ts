import type { ArticleAnalyzed, Mention } from '../../events/articles.ts'
import {
  NO_MEMBER,
  type ArticleClustered,
  type StoryChangeAction,
  type Decision,
  type Member,
  type Origin,
  type StoryChange,
} from '../../events/ledger.ts'
import type { CausedBy } from '../../events/envelope.ts'
import { derivedEnvelope, type EventCause } from '../../state/derived-envelope.ts'
import { derivedId } from '../../events/ids.ts'
import { STAGES } from '../../events/stages.ts'
import type { ClusteredVerdict } from './rank.ts'
import { inBytes, vectors } from '../../events/vector.ts'
import { categoriesOf } from '../../language/categories/categories.ts'
import { publisherOf } from '../../language/publishers/publishers.ts'
import type { ClusteringModel } from '../../language/clustering/model.ts'

interface PlacedArticle {
  readonly verdict: Pick<ClusteredVerdict, 'action' | 'cluster_id'>
  readonly decision: Decision
  readonly origin: Origin
  readonly member: Member
  readonly assignment_confidence: number
  readonly subject_id: string | null
}

/** The ledger entry of an assigned article. */
export const articlePlaced = (
  { event: article, place }: { readonly event: ArticleAnalyzed; readonly place: CausedBy },
  { verdict, ...placed }: PlacedArticle,
): ArticleClustered => ({
  ...derivedEnvelope(STAGES.clustered, { event: article, place }),
  action: verdict.action,
  cluster_id: verdict.cluster_id,
  article_id: article.article_id,
  content_hash: article.content_hash,
  ...placed,
  change: null,
})

/** The contents of a ledger entry for a change. `occurred_at` is the event time from which it holds. */
export interface ChangedStories extends Pick<
  ArticleClustered,
  'cluster_id' | 'occurred_at' | 'decision' | 'assignment_confidence'
> {
  readonly action: StoryChangeAction
  readonly change: StoryChange
}

/**
 * The ledger entries for the changes of one tick or one correction. Their ids are derived from its log position, since
 * the same tick may be written twice.
 */
export const storiesChanged = (
  { event, place }: EventCause,
  changed: readonly ChangedStories[],
): ArticleClustered[] => {
  const about = `${event.event_id}@${place.topic}:${place.partition}:${place.offset}`
  return changed.map((one, ordinal) => ({
    event_id: derivedId(STAGES.clustered, about, ordinal),
    namespace: event.namespace,
    caused_by: place,
    produced_by: STAGES.clustered,
    article_id: '',
    content_hash: '',
    origin: null,
    member: NO_MEMBER,
    subject_id: null,
    ...one,
  }))
}

export const NO_CHANGE: StoryChange = {
  from_cluster_id: null,
  article_ids: [],
  rebuild_day: null,
  rebuilt_from: null,
  subjects: [],
  correction: null,
}

/** The article as the views of its story need it. */
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
  language: article.language,
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
  vector: inBytes(article.lead_vector),
  cross_title_vector: article.cross_title_vector,
})

/** Rounded to six decimals, as in the views. */
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
