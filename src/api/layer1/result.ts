import { z } from '@hono/zod-openapi'
import type { ArticleAnalyzed, EntityType } from '../../events/articles.ts'
import { vectors } from '../../events/vector.ts'
import { RETURNED_VECTORS } from '../../language/analysis/analyse.ts'
import type { StoredAnalysis } from '../../views/entities/stored-analyses.ts'
import { sentimentScore, timestamp } from '../http/parameters.ts'
import type { AnswerOf } from '../http/route.ts'

const DIM = 384

const embedding = z.array(z.number()).describe(`${DIM} numbers, normalised to length 1.`)
const names = z.array(z.string())

const Entities = z
  .object({ PERSON: names, ORG: names, GPE: names, LOC: names, EVENT: names, DATE: names, MONEY: names })
  .describe('Canonical names by type, without duplicates, in order of first mention.')

const Place = z.object({
  name: z.string(),
  type: z.string(),
  country: z.string().nullable().describe('ISO 3166-1 alpha-2 code. `null` for a sea or a continent.'),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  within: names.describe('Places that contain it, smallest first.'),
})

const Time = z.object({
  name: z.string(),
  start: z.string().describe('First UTC day, `YYYY-MM-DD`.'),
  end: z.string().describe('Last UTC day.'),
})

const Money = z.object({
  name: z.string(),
  amount: z.number(),
  currency: z.string().describe('ISO 4217 code.'),
})

/** Layer 1 processing result. */
export const Layer1Result = z
  .object({
    success: z.literal(true),
    article_id: z.string(),
    processed_at: timestamp,
    stats: z.object({
      sentence_count: z.int(),
      entity_count: z.int().describe('Distinct entities of all types.'),
      location_count: z.int(),
      embedding_dim: z.literal(DIM),
      processing_time_ms: z.number().describe('`0` for a stored result.'),
    }),
    entities: Entities,
    locations: names.describe('Entities of type GPE and LOC.'),
    sentiment_score: sentimentScore,
    sentiment_label: z.enum(['positive', 'neutral', 'negative']),
    article_embedding: embedding,
    semantic_hash: z.string(),
    places: z.array(Place).describe('Locations found in the gazetteer.'),
    times: z.array(Time).describe('Dates resolved from the text and the publication date.'),
    money: z.array(Money).describe('Sums with a known currency.'),
    truncated: z.boolean().describe('`true` if the text is longer than what was analysed.'),
    analyzed_chars: z.int().describe('Characters of the text that were searched for names.'),
    models: z.record(z.string(), z.string()).describe('Models used, each with its hash.'),
    sentences: z
      .array(z.object({ text: z.string(), embedding }))
      .optional()
      .describe(
        `The first ${RETURNED_VECTORS} sentences, each with its vector; \`sentence_count\` counts all. Absent ` +
          'for a stored result.',
      ),
  })
  .openapi('Layer1Result')

export type Layer1Result = AnswerOf<typeof Layer1Result>

/** Data that only a new analysis has. */
export interface Fresh {
  readonly sentences: NonNullable<Layer1Result['sentences']>
  readonly processing_time_ms: number
}

/** The response, from the row of the view. `fresh` is `null` if the analysis already existed. */
export function layer1Result(stored: StoredAnalysis, fresh: Fresh | null): Layer1Result {
  const { sentence_count, entities, ...analysis } = stored
  const locations = [...new Set(namesOf(stored, 'GPE', 'LOC'))]
  return {
    ...analysis,
    success: true,
    stats: {
      sentence_count,
      entity_count: entities.length,
      location_count: locations.length,
      embedding_dim: DIM,
      processing_time_ms: fresh?.processing_time_ms ?? 0,
    },
    entities: byType(stored),
    locations,
    article_embedding: stored.article_embedding.map(shown),
    ...tagged(stored),
    ...(fresh === null ? {} : { sentences: fresh.sentences }),
  }
}

const namesOf = ({ entities }: StoredAnalysis, ...types: readonly EntityType[]): string[] =>
  entities.flatMap(({ name, type }) => (types.includes(type) ? [name] : []))

const byType = (stored: StoredAnalysis): Layer1Result['entities'] => ({
  PERSON: namesOf(stored, 'PERSON'),
  ORG: namesOf(stored, 'ORG'),
  GPE: namesOf(stored, 'GPE'),
  LOC: namesOf(stored, 'LOC'),
  EVENT: namesOf(stored, 'EVENT'),
  DATE: namesOf(stored, 'DATE'),
  MONEY: namesOf(stored, 'MONEY'),
})

const tagged = ({ entities }: StoredAnalysis): Pick<Layer1Result, 'places' | 'times' | 'money'> => ({
  places: entities.flatMap(({ name, type, place }) => (place === null ? [] : [{ name, type, ...place }])),
  times: entities.flatMap(({ name, time }) => (time === null ? [] : [{ name, ...time }])),
  money: entities.flatMap(({ name, money }) => (money === null ? [] : [{ name, ...money }])),
})

/** A float32 with 8 digits: the same number from the model and from the store, which returns fewer digits. */
const shown = (value: number): number => Number(Math.fround(value).toPrecision(8))

/** An analysis in the form in which the view will store it. */
export function asStored(event: ArticleAnalyzed, loggedAt: number): StoredAnalysis {
  const { article_id, semantic_hash, sentiment_score, sentiment_label, truncated, analyzed_chars, models } = event
  return {
    ...{ article_id, semantic_hash, sentiment_score, sentiment_label, truncated, analyzed_chars, models },
    processed_at: new Date(loggedAt).toISOString(),
    sentence_count: event.sentences.length,
    article_embedding: [...(vectors(event.article_embedding)[0] ?? [])],
    entities: event.entities.map(({ entity_id, name, type, wikidata_id, place, time, money }) => ({
      ...{ entity_id, name, type, wikidata_id, time, money },
      place: place === null || isEmpty(place) ? null : place,
    })),
  }
}

const isEmpty = ({ country, latitude, within }: NonNullable<ArticleAnalyzed['entities'][number]['place']>): boolean =>
  country === null && latitude === null && within.length === 0

/** The sentences that have a vector, with their vectors. */
export const encodedSentences = (
  { text, sentences }: ArticleAnalyzed,
  sentenceVectors: readonly Float32Array[],
): Fresh['sentences'] =>
  sentenceVectors.map((vector, i) => ({
    text: text.slice(sentences[i]?.start, sentences[i]?.end),
    embedding: Array.from(vector, shown),
  }))
