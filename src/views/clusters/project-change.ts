import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'
import type { Row } from '../../ports/store.ts'
import type { TableRow } from '../../runtime/shapes.ts'
import { ALWAYS, instant } from '../instant.ts'
import { decisionCells } from './project-decision.ts'

/** A change of stories: one row of its own, and one word for each article that belongs elsewhere now. */
export const changeRows = (event: ArticleClustered, change: StoryChange): TableRow[] =>
  event.action === 'settled'
    ? [{ table: 'settlements', row: settlementRow(event, change) }]
    : [
        ...placementRows(event, change).map((row) => ({ table: 'placements', row })),
        ...listingRows(event, change).map((row) => ({ table: 'subject_listings', row })),
        { table: 'story_changes', row: changeRow(event, change) },
      ]

const settlementRow = (event: ArticleClustered, { article_ids }: StoryChange): Row => ({
  namespace: event.namespace,
  cluster_id: event.cluster_id,
  event_id: event.event_id,
  article_count: article_ids.length,
  assignment_confidence: event.assignment_confidence,
  occurred_at: instant(event.occurred_at),
  dated: false,
})

/** A curator's word holds at every moment; what was refused says of no article where it belongs. */
const placementRows = (event: ArticleClustered, { article_ids, correction }: StoryChange): Row[] =>
  event.action === 'rebuilt' || (correction !== null && correction.refused !== null)
    ? []
    : article_ids.map((article_id) => ({
        namespace: event.namespace,
        article_id,
        event_id: event.event_id,
        cluster_id: event.cluster_id,
        action: event.action,
        valid_from: instant(event.action === 'corrected' ? ALWAYS : event.occurred_at),
        assignment_confidence: event.assignment_confidence,
        dated: false,
      }))

const listingRows = (event: ArticleClustered, { subjects }: StoryChange): Row[] =>
  subjects.flatMap(({ subject_id, article_ids }) =>
    article_ids.map((article_id) => ({
      namespace: event.namespace,
      article_id,
      event_id: event.event_id,
      cluster_id: subject_id,
      valid_from: instant(event.occurred_at),
      dated: false,
    })),
  )

const changeRow = ({ decision, ...event }: ArticleClustered, change: StoryChange): Row => ({
  namespace: event.namespace,
  event_id: event.event_id,
  action: event.action,
  cluster_id: event.cluster_id,
  from_cluster_id: change.from_cluster_id,
  article_ids: change.article_ids,
  occurred_at: instant(event.occurred_at),
  dated: false,
  rebuild_day: change.rebuild_day,
  rebuilt_from: change.rebuilt_from,
  ...correctionCells(change),
  ...decisionCells(decision),
})

const correctionCells = ({ correction }: StoryChange): Row => {
  if (correction === null) return NO_CORRECTION
  const { correction_id, action, refused, reason, key_id } = correction
  return { correction_id, correction_action: action, refused, reason, key_id }
}

const NO_CORRECTION: Row = { correction_id: null, correction_action: null, refused: null, reason: null, key_id: null }
