import type { ArticleAnalyzed } from '../../events/articles.ts'
import {
  NO_MEMBER,
  type ArticleClustered,
  type ChangingAction,
  type Decision,
  type Member,
  type Origin,
  type StoryChange,
} from '../../events/ledger.ts'
import type { CausedBy } from '../../events/envelope.ts'
import { derivedId } from '../../events/ids.ts'
import { STAGES } from '../../events/stages.ts'
import type { ClusteredVerdict } from './verdict.ts'

interface PlacedArticle {
  readonly verdict: Pick<ClusteredVerdict, 'action' | 'cluster_id'>
  readonly decision: Decision
  readonly origin: Origin
  readonly member: Member
  readonly assignment_confidence: number
  readonly subject_id: string | null
}

/** What a line follows from, and where the log has it. */
interface Came<Event> {
  readonly event: Event
  readonly place: CausedBy
}

/** The line of an article that was placed. */
export const articlePlaced = (
  { event: article, place: { topic, partition, offset } }: Came<ArticleAnalyzed>,
  { verdict, ...placed }: PlacedArticle,
): ArticleClustered => ({
  event_id: derivedId(STAGES.clustered, article.event_id),
  namespace: article.namespace,
  occurred_at: article.occurred_at,
  caused_by: { topic, partition, offset },
  produced_by: STAGES.clustered,
  action: verdict.action,
  cluster_id: verdict.cluster_id,
  article_id: article.article_id,
  content_hash: article.content_hash,
  ...placed,
  change: null,
})

export interface ChangedStories {
  readonly action: ChangingAction
  readonly cluster_id: string
  /** Event time from which it holds. */
  readonly occurred_at: number
  readonly decision: Decision
  readonly change: StoryChange
  readonly assignment_confidence: number | null
}

/** The lines of what one tick or one curator changed. They are named after its place: the same tick may be written twice. */
export const storiesChanged = (
  { event, place: { topic, partition, offset } }: Came<{ readonly event_id: string; readonly namespace: string }>,
  changed: readonly ChangedStories[],
): ArticleClustered[] =>
  changed.map((one, ordinal) => ({
    event_id: derivedId(STAGES.clustered, `${event.event_id}@${topic}:${partition}:${offset}`, ordinal),
    namespace: event.namespace,
    caused_by: { topic, partition, offset },
    produced_by: STAGES.clustered,
    article_id: '',
    content_hash: '',
    origin: null,
    member: NO_MEMBER,
    subject_id: null,
    ...one,
  }))

export const NO_CHANGE: StoryChange = {
  from_cluster_id: null,
  article_ids: [],
  rebuild_day: null,
  rebuilt_from: null,
  subjects: [],
  correction: null,
}
