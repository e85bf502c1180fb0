import { articlesClustered } from '../../events/ledger.ts'
import type { ArticleClustered } from '../../events/ledger.ts'
import { vectors } from '../../events/vector.ts'
import type { Row } from '../../ports/store.ts'
import { on } from '../../runtime/shapes.ts'
import type { TableRow, View } from '../../runtime/shapes.ts'
import { instant, instantOrNull } from '../instant.ts'
import { placeOf } from '../place.ts'
import { NOBODY_POLLS_MS } from '../wait.ts'
import { changeRows } from './project-change.ts'
import { decisionCells } from './project-decision.ts'
import { feedRows } from './project-feed.ts'

/** Which article belongs to which story, from when on, and why. */
export const clusters: View = {
  name: 'clusters',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(articlesClustered, (input) => {
      const place = placeOf(input)
      const { event } = input
      const rows = event.change === null ? placingRows(event) : changeRows(event, event.change)
      const feed = feedRows(event).map((row) => ({ table: 'cluster_feed', row }))
      return [...rows, ...feed].map(({ table, row }) => ({ table, row: { ...row, ...place } }))
    }),
  ],
}

/** The decision last: `sources/readable.ts` takes an article as readable once that is there. */
const placingRows = (event: ArticleClustered): TableRow[] => [
  { table: 'members', row: memberRow(event) },
  { table: 'placements', row: placementRow(event) },
  ...(event.subject_id === null ? [] : [{ table: 'subject_listings', row: listingRow(event, event.subject_id) }]),
  ...originRows(event).map((row) => ({ table: 'origins', row })),
  { table: 'cluster_decisions', row: decisionRow(event) },
]

const memberRow = ({ member, ...event }: ArticleClustered): Row => ({
  namespace: event.namespace,
  article_id: event.article_id,
  event_id: event.event_id,
  content_hash: event.content_hash,
  occurred_at: instant(event.occurred_at),
  dated: member.dated,
  title: member.title,
  url: member.url,
  source: member.source,
  publisher: member.publisher,
  publisher_family: member.publisher_family,
  published_date: instantOrNull(member.published_date),
  semantic_hash: member.semantic_hash,
  quality_score: member.quality_score,
  genre: member.genre,
  sentiment_score: member.sentiment_score,
  sentiment_label: member.sentiment_label,
  categories: member.categories,
  entity_ids: member.entities.map(({ entity_id }) => entity_id),
  entity_names: member.entities.map(({ name }) => name),
  entity_types: member.entities.map(({ type }) => type),
  entity_mentions: member.entities.map(({ mention_count }) => mention_count),
  entity_countries: member.entities.map(({ country }) => country ?? ''),
  vector: vectors(member.vector)[0] ?? new Float32Array(),
})

const placementRow = ({ member, ...event }: ArticleClustered): Row => ({
  namespace: event.namespace,
  article_id: event.article_id,
  event_id: event.event_id,
  cluster_id: event.cluster_id,
  action: event.action,
  valid_from: instant(event.occurred_at),
  assignment_confidence: event.assignment_confidence,
  dated: member.dated,
})

const listingRow = ({ member, ...event }: ArticleClustered, subject_id: string): Row => ({
  namespace: event.namespace,
  article_id: event.article_id,
  event_id: event.event_id,
  cluster_id: subject_id,
  valid_from: instant(event.occurred_at),
  dated: member.dated,
})

const decisionRow = ({ decision, ...event }: ArticleClustered): Row => ({
  namespace: event.namespace,
  article_id: event.article_id,
  event_id: event.event_id,
  cluster_id: event.cluster_id,
  action: event.action,
  content_hash: event.content_hash,
  occurred_at: instant(event.occurred_at),
  dated: event.member.dated,
  ...decisionCells(decision),
})

/** None of a decision that is older than the search for origins. */
const originRows = ({ origin, ...event }: ArticleClustered): Row[] =>
  origin === null
    ? []
    : [
        {
          namespace: event.namespace,
          article_id: event.article_id,
          content_hash: event.content_hash,
          event_id: event.event_id,
          occurred_at: instant(event.occurred_at),
          dated: event.member.dated,
          ...origin,
        },
      ]
