import type { ChangePublished } from '../../events/changes.ts'
import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import { asRemembered, type ChangedArticle, type ChangedNamespace } from './memory.ts'
import { entry, type ChangedUpdate } from './changelog.ts'

export type Certainty = Pick<ChangePublished, 'membership' | 'assignment_confidence'>

/** Of a change that is about no story, or one that is not remembered. */
export const NO_STORY: Certainty = { membership: null, assignment_confidence: null }

type Assigned = Pick<ChangedArticle, 'isSettled' | 'assignmentConfidence'>

/** Of a story with these articles: settled where each of them is, and as certain as the least certain one. */
export function certaintyOf(articles: Iterable<Assigned>): Certainty {
  let isSettled = true
  let lowest: number | null = Infinity
  for (const article of articles) {
    isSettled &&= article.isSettled
    const { assignmentConfidence } = article
    lowest = lowest === null || assignmentConfidence === null ? null : Math.min(lowest, assignmentConfidence)
  }
  if (lowest === Infinity) return NO_STORY
  return { membership: isSettled ? 'settled' : 'provisional', assignment_confidence: lowest }
}

/** What a settled story makes us remember of its articles: those of which that was not known yet. */
export function settled(
  held: ChangedNamespace,
  { namespace, assignment_confidence }: ArticleClustered,
  change: StoryChange,
): ChangedUpdate[] {
  return change.article_ids
    .flatMap((id) => held.articles.get(id) ?? [])
    .filter((one) => !one.isSettled || one.assignmentConfidence !== assignment_confidence)
    .map((one) =>
      entry({ namespace, article: { ...asRemembered(one), settled: true, assignment_confidence }, story: null }),
    )
}
