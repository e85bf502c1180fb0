import { dayName, dayOf } from '../../domain/days.ts'
import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { together } from './crossings.ts'
import { tombstone, articleKey } from '../../state/entry.ts'
import { emptiedBy, evictedArticles, movedArticles } from '../../state/story-index.ts'
import { asRemembered, type DetectedArticle, type DetectedNamespace, type DetectedState } from './memory.ts'
import { crossingsId, crossingsKey, entry, type Crossing, type DetectedUpdate } from './changelog.ts'

const TREND = 'trend.detected'

/**
 * State updates of a change of stories: the new story of each article. The detections of a story that ends, or of one
 * that a new story splits from, pass to the story that now has its articles.
 */
export function moved(
  held: DetectedNamespace,
  event: ArticleClustered,
  change: StoryChange,
): readonly DetectedUpdate[] {
  const { namespace, cluster_id } = event
  const moving = movedArticles(held, { event, change }, ({ story }) => story.id)
  const ended = emptiedBy(
    moving,
    ({ story }) => [story],
    ({ articles }) => articles.length,
  )
  const opened = !held.stories.has(cluster_id)
  const heirs = opened ? [...new Set(moving.map(({ story }) => story))] : ended
  const known = crossingsOf(held, cluster_id)
  const crossings = heirs.reduce((all, { id }) => together(all, crossingsOf(held, id)), known)
  return [
    ...moving.map((article) => entry(namespace, { article: { ...asRemembered(article), cluster_id } })),
    ...(crossings.length === known.length
      ? []
      : [entry(namespace, { told: { type: TREND, subject_id: cluster_id, crossings } })]),
    ...ended
      .filter(({ id }) => held.crossings.has(crossingsId(TREND, id)))
      .map(({ id }) => tombstone(crossingsKey(namespace, TREND, id))),
  ]
}

const crossingsOf = (held: DetectedNamespace, clusterId: string): readonly Crossing[] =>
  held.crossings.get(crossingsId(TREND, clusterId)) ?? []

type DetectedSubject = DetectedArticle['story'] | DetectedArticle['entities'][number]

/** The arriving article in its namespace; `null` in all others. */
interface ArrivedIn {
  readonly namespace: string
  readonly stays: DetectedArticle | null
}

/** What must be evicted to make room for one more article. Days that lost articles no longer count as history. */
export const evict = (state: DetectedState, { namespace: into, stays }: ArrivedIn, budget: number): DetectedUpdate[] =>
  evictedArticles(state, { namespace: into, budget }).flatMap(({ namespace, held, articles }) => {
    const days = new Set(articles.map(({ at }) => dayOf(at)).filter((day) => !held.days.lost.has(day)))
    return [
      ...articles.map(({ id }) => tombstone(articleKey(namespace, id))),
      ...[...days].map((day) => entry(namespace, { lost_day: dayName(day) })),
      ...ended(held, articles, { namespace, stays: namespace === into ? stays : null }),
    ]
  })

/** The crossings of a subject are deleted with its last article. */
export function ended(
  held: DetectedNamespace,
  articles: readonly DetectedArticle[],
  { namespace, stays }: ArrivedIn,
): readonly DetectedUpdate[] {
  if (held.crossings.size === 0) return []
  const kept = new Set<unknown>(stays === null ? [] : [stays.story, ...stays.entities])
  const subjects = emptiedBy<DetectedArticle, DetectedSubject>(
    articles,
    ({ story, entities }) => [story, ...entities],
    (subject) => subject.articles.length,
  )
  return subjects
    .filter((one) => !kept.has(one))
    .flatMap(({ id }) => TYPES.map((type) => ({ type, id })))
    .filter(({ type, id }) => held.crossings.has(crossingsId(type, id)))
    .map(({ type, id }) => tombstone(crossingsKey(namespace, type, id)))
}

const TYPES = ['trend.detected', 'entity.spike', 'sentiment.shift'] as const
