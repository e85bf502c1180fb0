import { articlesClustered } from '../../events/articles.ts'
import type { ArticleClustered, Candidate } from '../../events/articles.ts'
import { vectors } from '../../events/vector.ts'
import type { Row } from '../../ports/store.ts'
import { on } from '../../runtime/shapes.ts'
import type { View } from '../../runtime/shapes.ts'
import { instant, instantOrNull } from '../instant.ts'
import { placeOf } from '../place.ts'
import { NOBODY_POLLS_MS } from '../wait.ts'

/** Which article belongs to which story, from when on, and why. */
export const clusters: View = {
  name: 'clusters',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(articlesClustered, (input) => {
      const place = placeOf(input)
      return [
        { table: 'cluster_decisions', row: { ...decisionRow(input.event), ...place } },
        { table: 'cluster_members', row: { ...memberRow(input.event), ...place } },
        ...originRows(input.event).map((row) => ({ table: 'origins', row: { ...row, ...place } })),
      ]
    }),
  ],
}

const memberRow = ({ member, ...event }: ArticleClustered): Row => ({
  namespace: event.namespace,
  cluster_id: event.cluster_id,
  article_id: event.article_id,
  event_id: event.event_id,
  action: event.action,
  content_hash: event.content_hash,
  valid_from: instant(event.occurred_at),
  dated: member.dated,
  title: member.title,
  url: member.url,
  source: member.source,
  published_date: instantOrNull(member.published_date),
  semantic_hash: member.semantic_hash,
  quality_score: member.quality_score,
  sentiment_score: member.sentiment_score,
  sentiment_label: member.sentiment_label,
  entity_ids: member.entities.map(({ entity_id }) => entity_id),
  entity_names: member.entities.map(({ name }) => name),
  entity_types: member.entities.map(({ type }) => type),
  entity_mentions: member.entities.map(({ mention_count }) => mention_count),
  vector: vectors(member.vector)[0] ?? new Float32Array(),
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
  ...candidateCells('chosen', decision.chosen),
  ...candidateCells('runner_up', decision.runner_up),
  threshold: decision.threshold,
  versions: decision.versions,
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

const candidateCells = (place: 'chosen' | 'runner_up', candidate: Candidate | null): Row => ({
  [`${place}_cluster_id`]: candidate === null ? null : candidate.cluster_id,
  [`${place}_score`]: candidate === null ? null : candidate.score,
  [`${place}_features`]: candidate === null ? {} : candidate.features,
})
