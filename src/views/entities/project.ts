import { articlesAnalyzed, type ArticleAnalyzed, type Entity } from '../../events/articles.ts'
import { rounded } from '../../domain/rounding.ts'
import { vectors } from '../../events/vector.ts'
import type { Row } from '../../ports/store.ts'
import { on, type TableRow, type View } from '../../runtime/shapes.ts'
import { instant, instantOrNull } from '../instant.ts'
import { eachTo, NOBODY_POLLS_MS, pick, withLogPosition } from '../rows.ts'

/** Every article's analysis and entities. */
export const entities: View = {
  name: 'entities',
  maxWaitMs: NOBODY_POLLS_MS,
  projections: [
    on(articlesAnalyzed, (input) => withLogPosition(input, [...mentionRows(input.event), ...entityRows(input.event)])),
    // Inserted last, so that the entities of an analysis are visible as soon as the analysis is.
    eachTo('analyzed_articles', articlesAnalyzed, (event) => analysisRow(event)),
  ],
}

const analysisRow = (event: ArticleAnalyzed): Row => ({
  ...revision(event),
  ...pick(event, 'event_id', 'url', 'title', 'source', 'language', 'semantic_hash', 'sentiment_score'),
  ...pick(event, 'sentiment_label', 'locations', 'truncated', 'analyzed_chars', 'models'),
  published_date: instantOrNull(event.published_date),
  sentence_starts: event.sentences.map(({ start }) => start),
  sentence_ends: event.sentences.map(({ end }) => end),
  sentence_sentiments: event.sentences.map(({ sentiment_score }) => sentiment_score),
  entity_count: event.entities.length,
  mention_count: event.entities.reduce((sum, { mentions }) => sum + mentions.length, 0),
  article_embedding: vectors(event.article_embedding)[0] ?? new Float32Array(),
})

function mentionRows(event: ArticleAnalyzed): TableRow[] {
  const shared = revision(event)
  return event.entities.flatMap(({ entity_id, name, type, mentions }) =>
    mentions.map(({ surface, start, end, sentence, sentiment_score }) => ({
      table: 'mentions',
      row: { ...shared, entity_id, name, type, surface, start, end, sentence, sentiment_score },
    })),
  )
}

/** One row per entity: totals over its mentions, and its attributes from the analysis. */
function entityRows(event: ArticleAnalyzed): TableRow[] {
  const shared = revision(event)
  return event.entities
    .filter(({ mentions }) => mentions.length > 0)
    .map((entity) => ({ table: 'entity_articles', row: { ...shared, language: event.language, ...entityRow(entity) } }))
}

function entityRow({ entity_id, name, type, mentions, wikidata_id, place, time, money }: Entity): Row {
  const surfaces = new Map<string, number>()
  for (const { surface } of mentions) surfaces.set(surface, (surfaces.get(surface) ?? 0) + 1)
  const sentiment = mentions.reduce((sum, { sentiment_score }) => sum + sentiment_score, 0) / mentions.length
  return {
    entity_id,
    name,
    type,
    wikidata_id,
    mention_count: mentions.length,
    sentiment_score: rounded(sentiment), // so that the order of summation cannot move a mean across a label's threshold
    surfaces: [...surfaces.keys()],
    surface_counts: [...surfaces.values()],
    ...(place ?? { country: null, latitude: null, longitude: null, within: [] }),
    ...timeColumns(time),
    ...moneyColumns(money),
  }
}

const timeColumns = (time: Entity['time']): Row => ({ time_start: time?.start ?? null, time_end: time?.end ?? null })

const moneyColumns = (money: Entity['money']): Row => ({
  money_amount: money?.amount ?? null,
  money_currency: money?.currency ?? null,
})

const revision = (event: ArticleAnalyzed): Row => ({
  ...pick(event, 'namespace', 'article_id', 'content_hash', 'direct', 'dated'),
  occurred_at: instant(event.occurred_at),
})
