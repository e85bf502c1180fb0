import { z } from 'zod'
import { ENTITY_TYPES, type Entity } from '../../events/articles.ts'
import type { Store } from '../../ports/store.ts'
import { query, type RowOf } from '../query.ts'
import { KNOWLEDGE, periodAndSum } from './detail.ts'

/** The stored part of an article's analysis; `processed_at` is its log time. */
export interface StoredAnalysis extends Omit<
  RowOf<typeof analysesOf>,
  'content_hash' | 'direct' | 'article_embedding'
> {
  /** 384 components. */
  readonly article_embedding: readonly number[]
  /** Ordered by first mention. */
  readonly entities: readonly StoredEntity[]
}

type StoredEntity = Omit<Entity, 'mentions'>

/**
 * By article: the current analysis. An analysis from the pipeline takes precedence over a direct one, then the newest.
 */
export async function storedAnalyses(
  store: Store,
  namespace: string,
  articleIds: readonly string[],
): Promise<ReadonlyMap<string, StoredAnalysis>> {
  const found = await analysesOf(store)({ namespace, article_ids: [...articleIds] })
  if (found.length === 0) return new Map()
  // Queried second: rows of analyses are inserted last, so their entities are visible by now.
  const named = await entitiesNamed(store)({ namespace, article_ids: found.map(({ article_id }) => article_id) })
  return new Map(
    found.map(({ content_hash, direct, ...analysis }) => {
      const own = named.filter(
        (row) => row.article_id === analysis.article_id && row.content_hash === content_hash && row.direct === direct,
      )
      return [analysis.article_id, { ...analysis, entities: own.map(entityOf) }]
    }),
  )
}

const analysesOf = query({
  name: 'entities.analyses',
  sql: `
    SELECT
      article_id, content_hash, direct, semantic_hash, length(sentence_starts) AS sentence_count, sentiment_score,
      sentiment_label, article_embedding, truncated, analyzed_chars, models, _log_at AS processed_at
    FROM analyzed_articles FINAL
    WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
    ORDER BY article_id, direct, _offset DESC
    LIMIT 1 BY article_id`,
  params: z.object({ article_ids: z.array(z.string()) }),
  row: z.object({
    article_id: z.string(),
    content_hash: z.string(),
    direct: z.boolean(),
    semantic_hash: z.string(),
    sentence_count: z.number(),
    sentiment_score: z.number(),
    sentiment_label: z.enum(['positive', 'neutral', 'negative']),
    article_embedding: z.array(z.number()),
    truncated: z.boolean(),
    analyzed_chars: z.number(),
    models: z.record(z.string(), z.string()),
    processed_at: z.string(),
  }),
})

/** Finds the entities through `mentions`, which is sorted by article; `entity_articles` is sorted by entity. */
const entitiesNamed = query({
  name: 'entities.of_analyses',
  sql: `
    WITH named AS (
      SELECT article_id, content_hash, direct, entity_id, min(start) AS first
      FROM mentions FINAL
      WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
      GROUP BY article_id, content_hash, direct, entity_id
    ),
    known AS (
      SELECT
        article_id, content_hash, direct, entity_id, name, type, wikidata_id, country, latitude, longitude, within,
        time_start, time_end, money_amount, money_currency
      FROM entity_articles FINAL
      WHERE namespace = {namespace: String} AND article_id IN {article_ids: Array(String)}
        AND entity_id IN (SELECT entity_id FROM named)
    )
    SELECT *
    FROM known INNER JOIN named USING (article_id, content_hash, direct, entity_id)
    ORDER BY first, entity_id`,
  params: z.object({ article_ids: z.array(z.string()) }),
  row: z.object({
    article_id: z.string(),
    content_hash: z.string(),
    direct: z.boolean(),
    entity_id: z.string(),
    name: z.string(),
    type: z.enum(ENTITY_TYPES),
    ...KNOWLEDGE,
  }),
})

type EntityRow = RowOf<typeof entitiesNamed>

function entityOf({ entity_id, name, type, wikidata_id, ...row }: EntityRow): StoredEntity {
  const { country, latitude, longitude, within } = row
  const isPlace = country !== null || latitude !== null || within.length > 0
  const place = isPlace ? { country, latitude, longitude, within } : null
  return { entity_id, name, type, wikidata_id, place, ...periodAndSum(row) }
}
