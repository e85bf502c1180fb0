import {
  type Origin,
  articlesClustered,
  type ArticleClustered,
  type Candidate,
  type Decision,
  type StoryChange,
} from '../../events/ledger.ts'
import { vectors } from '../../events/vector.ts'
import type { Row } from '../../ports/store.ts'
import { on, type TableRow, type View } from '../../runtime/shapes.ts'
import { instant, instantOrNull, ALWAYS } from '../instant.ts'
import { NOBODY_POLLS_MS, pick, withLogPosition } from '../rows.ts'
import { derivedStories } from './derived-keeper.ts'
import { ledgerChange } from '../../events/ledger-change.ts'

/** Assigns articles to stories, with the start of validity and the decision. */
export const clusters: View = {
  name: 'clusters',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(articlesClustered, (input) => {
      const { event } = input
      const rows = event.change === null ? placingRows(event) : changeRows(event, event.change)
      return withLogPosition(input, [...rows, ...feedRows(event).map((row) => ({ table: 'cluster_feed', row }))])
    }),
  ],
  derived: derivedStories,
}

/** The decision is the last row: `sources/readable.ts` treats an article as readable once it is visible. */
const placingRows = (event: ArticleClustered): TableRow[] => [
  { table: 'members', row: memberRow(event) },
  { table: 'placements', row: placementRow(event, event.article_id) },
  ...(event.subject_id === null ? [] : [listing(event, event.subject_id, event.article_id)]),
  ...(event.origin === null ? [] : [{ table: 'origins', row: originRow(event, event.origin) }]),
  { table: 'cluster_decisions', row: decisionRow(event) },
]

/** The columns that identify one revision of an article. */
const revisionRow = (event: ArticleClustered): Row => ({
  ...pick(event, 'namespace', 'article_id', 'event_id', 'content_hash'),
  occurred_at: instant(event.occurred_at),
  dated: event.member.dated,
})

const originRow = (event: ArticleClustered, { translation, ...origin }: Origin): Row => ({
  ...revisionRow(event),
  ...origin,
  translation: { ...translation },
})

const memberRow = ({ member, ...event }: ArticleClustered): Row => ({
  ...revisionRow({ member, ...event }),
  ...pick(member, 'title', 'url', 'source', 'publisher', 'publisher_family', 'semantic_hash', 'quality_score'),
  ...pick(member, 'genre', 'language', 'sentiment_score', 'sentiment_label', 'categories'),
  published_date: instantOrNull(member.published_date),
  entity_ids: member.entities.map(({ entity_id }) => entity_id),
  entity_names: member.entities.map(({ name }) => name),
  entity_types: member.entities.map(({ type }) => type),
  entity_mentions: member.entities.map(({ mention_count }) => mention_count),
  entity_countries: member.entities.map(({ country }) => country ?? ''),
  vector: vectors(member.vector)[0] ?? new Float32Array(),
})

/** A change of stories has no article with an event time, so it counts as undated. */
const isDated = ({ change, member }: ArticleClustered): boolean => change === null && member.dated

/** A curator's correction is valid at every point in time. */
const placementRow = (event: ArticleClustered, article_id: string): Row => ({
  ...pick(event, 'namespace', 'event_id', 'cluster_id', 'action', 'assignment_confidence'),
  article_id,
  valid_from: instant(event.action === 'corrected' ? ALWAYS : event.occurred_at),
  dated: isDated(event),
})

function listing(event: ArticleClustered, cluster_id: string, article_id: string): TableRow {
  const valid_from = instant(event.occurred_at)
  const row = { ...pick(event, 'namespace', 'event_id'), article_id, cluster_id, valid_from, dated: isDated(event) }
  return { table: 'subject_listings', row }
}

const decisionRow = (event: ArticleClustered): Row => ({
  ...revisionRow(event),
  ...pick(event, 'cluster_id', 'action'),
  ...decisionCells(event.decision),
})

/** The rows of a change of stories: one for the change, and one placement per moved article. */
function changeRows(event: ArticleClustered, change: StoryChange): TableRow[] {
  if (event.action === 'settled') return [{ table: 'settlements', row: settlementRow(event, change) }]
  const { article_ids, subjects } = change
  return [
    ...(movesArticles(event, change) ? article_ids : []).map((article_id) => ({
      table: 'placements',
      row: placementRow(event, article_id),
    })),
    ...subjects.flatMap(({ subject_id, article_ids: listed }) =>
      listed.map((article_id) => listing(event, subject_id, article_id)),
    ),
    { table: 'story_changes', row: changeRow(event, change) },
  ]
}

/** A refused correction and the event of a whole recluster move no articles. */
const movesArticles = ({ action }: ArticleClustered, { correction }: StoryChange): boolean =>
  action !== 'rebuilt' && (correction?.refused ?? null) === null

const settlementRow = (event: ArticleClustered, { article_ids }: StoryChange): Row => ({
  ...pick(event, 'namespace', 'cluster_id', 'event_id', 'assignment_confidence'),
  article_count: article_ids.length,
  occurred_at: instant(event.occurred_at),
  dated: false,
})

const changeRow = (event: ArticleClustered, change: StoryChange): Row => ({
  ...pick(event, 'namespace', 'event_id', 'action', 'cluster_id'),
  ...pick(change, 'from_cluster_id', 'article_ids', 'rebuild_day', 'rebuilt_from'),
  occurred_at: instant(event.occurred_at),
  dated: false,
  ...correctionCells(change),
  ...decisionCells(event.decision),
})

const correctionCells = ({ correction }: StoryChange): Row => {
  if (correction === null) return NO_CORRECTION
  return { ...pick(correction, 'correction_id', 'refused', 'reason', 'key_id'), correction_action: correction.action }
}

const NO_CORRECTION: Row = { correction_id: null, correction_action: null, refused: null, reason: null, key_id: null }

/** The input of a decision, as stored in both `cluster_decisions` and `story_changes`. */
const decisionCells = ({ chosen, runner_up, ...decision }: Decision): Row => ({
  ...pick(decision, 'rule', 'threshold', 'versions'),
  ...candidateCells('chosen', chosen),
  ...candidateCells('runner_up', runner_up),
})

const candidateCells = (place: 'chosen' | 'runner_up', candidate: Candidate | null): Row => ({
  [`${place}_cluster_id`]: candidate?.cluster_id ?? null,
  [`${place}_score`]: candidate?.score ?? null,
  [`${place}_features`]: candidate?.features ?? {},
})

/** The changes that subscribers to all stories receive. */
export function feedRows(event: ArticleClustered): Row[] {
  const change = ledgerChange(event)
  if (change === null) return []
  const row = {
    ...pick(event, 'namespace', 'event_id'),
    type: change.type.slice('cluster.'.length),
    occurred_at: instant(event.occurred_at),
    dated: isDated(event),
    ...change.data,
  }
  return [row]
}
