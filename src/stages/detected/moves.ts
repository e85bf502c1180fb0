import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { together } from './crossings.ts'
import { tombstone } from '../../state/entry.ts'
import { asRemembered, type DetectedArticle, type DetectedNamespace, type DetectedStory } from './memory.ts'
import { crossingsId, crossingsKey, entry, type Crossing, type DetectedUpdate } from './changelog.ts'

const TREND = 'trend.detected'

/**
 * What a change of stories makes us remember: where their articles are now. What was detected of a story that ends, or of
 * one out of which a new one opens, was detected of the story that has its articles then.
 */
export function moved(
  held: DetectedNamespace,
  { namespace, cluster_id }: ArticleClustered,
  change: StoryChange,
): readonly DetectedUpdate[] {
  const moving = change.article_ids
    .flatMap((id) => held.articles.get(id) ?? [])
    .filter(({ story }) => story.id !== cluster_id)
  const ended = emptiedBy(moving)
  const opened = !held.stories.has(cluster_id)
  const heirs = opened ? [...new Set(moving.map(({ story }) => story))] : ended
  const known = crossingsOf(held, cluster_id)
  const crossings = heirs.reduce((all, { id }) => together(all, crossingsOf(held, id)), known)
  return [
    ...moving.map((article) =>
      entry({ namespace, article: { ...asRemembered(article), cluster_id }, told: null, lost_day: null }),
    ),
    ...(crossings.length === known.length
      ? []
      : [
          entry({ namespace, article: null, told: { type: TREND, subject_id: cluster_id, crossings }, lost_day: null }),
        ]),
    ...ended
      .filter(({ id }) => held.crossings.has(crossingsId(TREND, id)))
      .map(({ id }) => tombstone(crossingsKey(namespace, TREND, id))),
  ]
}

/** Stories all of whose articles leave. */
function emptiedBy(moving: readonly DetectedArticle[]): readonly DetectedStory[] {
  const gone = new Set(moving)
  const concerned = new Set(moving.map(({ story }) => story))
  return [...concerned].filter(({ articles }) => articles.every((article) => gone.has(article)))
}

const crossingsOf = (held: DetectedNamespace, clusterId: string): readonly Crossing[] =>
  held.crossings.get(crossingsId(TREND, clusterId)) ?? []
