import { articlesAnalyzed } from '../../events/articles.ts'
import type { ArticleAnalyzed } from '../../events/articles.ts'
import { vectors } from '../../events/vector.ts'
import type { Cell, Row } from '../../ports/store.ts'
import { on } from '../../runtime/shapes.ts'
import type { TableRow, View } from '../../runtime/shapes.ts'
import { instant, instantOrNull } from '../instant.ts'
import { placeOf } from '../place.ts'
import { NOBODY_POLLS_MS } from '../wait.ts'

/** What every article says, and whom it names. */
export const entities: View = {
  name: 'entities',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(articlesAnalyzed, (input) => {
      const place = placeOf(input)
      return [
        ...mentionRows(input.event, place),
        { table: 'analyzed_articles', row: { ...analysisRow(input.event), ...place } },
      ]
    }),
  ],
}

const analysisRow = (event: ArticleAnalyzed): Row => ({
  ...revision(event),
  event_id: event.event_id,
  url: event.url,
  title: event.title,
  source: event.source,
  published_date: instantOrNull(event.published_date),
  language: event.language,
  semantic_hash: event.semantic_hash,
  sentiment_score: event.sentiment_score,
  sentiment_label: event.sentiment_label,
  sentence_starts: event.sentences.map(({ start }) => start),
  sentence_ends: event.sentences.map(({ end }) => end),
  sentence_sentiments: event.sentences.map(({ sentiment_score }) => sentiment_score),
  entity_count: event.entities.length,
  mention_count: event.entities.reduce((sum, { mentions }) => sum + mentions.length, 0),
  locations: event.locations,
  article_embedding: vectors(event.article_embedding)[0] ?? new Float32Array(),
  truncated: event.truncated,
  analyzed_chars: event.analyzed_chars,
  models: event.models,
})

function mentionRows(event: ArticleAnalyzed, place: Readonly<Record<string, Cell>>): TableRow[] {
  const shared = { ...revision(event), ...place }
  return event.entities.flatMap(({ entity_id, name, type, mentions }) =>
    mentions.map(({ surface, start, end, sentence, sentiment_score }) => ({
      table: 'mentions',
      row: { ...shared, entity_id, name, type, surface, start, end, sentence, sentiment_score },
    })),
  )
}

const revision = (event: ArticleAnalyzed) => ({
  namespace: event.namespace,
  article_id: event.article_id,
  content_hash: event.content_hash,
  direct: event.direct,
  occurred_at: instant(event.occurred_at),
  dated: event.dated,
})
