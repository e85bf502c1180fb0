import { articlesAnalyzed } from '../../events/articles.ts'
import type { ArticleAnalyzed, Entity } from '../../events/articles.ts'
import { vectors } from '../../events/vector.ts'
import type { Cell, Row } from '../../ports/store.ts'
import { on } from '../../runtime/shapes.ts'
import type { TableRow, View } from '../../runtime/shapes.ts'
import { instant, instantOrNull } from '../instant.ts'
import { placeOf } from '../place.ts'
import { NOBODY_POLLS_MS } from '../wait.ts'

/** Every article's analysis and entities. */
export const entities: View = {
  name: 'entities',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(articlesAnalyzed, (input) => {
      const place = placeOf(input)
      return [...mentionRows(input.event, place), ...entityRows(input.event, place)]
    }),
    // Inserted last: the entities of an analysis are there when it can be read.
    on(articlesAnalyzed, (input) => [
      { table: 'analyzed_articles', row: { ...analysisRow(input.event), ...placeOf(input) } },
    ]),
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

/** One row an entity: what its mentions come to, and what the analysis knows of it. */
function entityRows(event: ArticleAnalyzed, place: Readonly<Record<string, Cell>>): TableRow[] {
  const shared = { ...revision(event), ...place }
  return event.entities
    .filter(({ mentions }) => mentions.length > 0)
    .map((entity) => ({ table: 'entity_articles', row: { ...shared, ...entityRow(entity) } }))
}

function entityRow({ entity_id, name, type, mentions, wikidata_id, place, time, money }: Entity): Row {
  const surfaces = new Map<string, number>()
  for (const { surface } of mentions) surfaces.set(surface, (surfaces.get(surface) ?? 0) + 1)
  const sentiment = mentions.reduce((sum, { sentiment_score }) => sum + sentiment_score, 0) / mentions.length
  return {
    ...{ entity_id, name, type, wikidata_id },
    mention_count: mentions.length,
    sentiment_score: Math.round(sentiment * SENTIMENT_DECIMALS) / SENTIMENT_DECIMALS,
    surfaces: [...surfaces.keys()],
    surface_counts: [...surfaces.values()],
    ...placeColumns(place),
    ...timeColumns(time),
    ...moneyColumns(money),
  }
}

const placeColumns = (place: Entity['place']): Row => {
  const { country, latitude, longitude, within } = place ?? {
    country: null,
    latitude: null,
    longitude: null,
    within: [],
  }
  return { country, latitude, longitude, within }
}

const timeColumns = (time: Entity['time']): Row => {
  const { start, end } = time ?? { start: null, end: null }
  return { time_start: start, time_end: end }
}

const moneyColumns = (money: Entity['money']): Row => {
  const { amount, currency } = money ?? { amount: null, currency: null }
  return { money_amount: amount, money_currency: currency }
}

/** Six decimals: a mean that is at a label's threshold is there in every sum. */
const SENTIMENT_DECIMALS = 1e6

const revision = (event: ArticleAnalyzed) => ({
  namespace: event.namespace,
  article_id: event.article_id,
  content_hash: event.content_hash,
  direct: event.direct,
  occurred_at: instant(event.occurred_at),
  dated: event.dated,
})
