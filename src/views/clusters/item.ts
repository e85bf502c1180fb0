import { groupBy } from '../../domain/group-by.ts'
import { independent } from './as-of.ts'
import type { clusterItems } from './items.ts'
import type { RowOf } from '../query.ts'

export type ClusterRow = RowOf<typeof clusterItems>

/** Number of entities per cluster in a list. */
export const PRIMARY_ENTITIES = 5

/** A cluster as every list shows it. */
export const clusterItem = (row: ClusterRow) => ({
  id: row.cluster_id,
  title: titleOf(row),
  article_count: row.article_count,
  source_count: row.source_count,
  publisher_count: row.publisher_count,
  ...sourceFigures(row.texts),
  membership: row.is_settled === 1 ? ('settled' as const) : ('provisional' as const),
  created_at: row.created_at,
  updated_at: row.updated_at,
  primary_entities: row.entities.slice(0, PRIMARY_ENTITIES).map(({ id }) => id),
  sentiment_distribution: {
    positive: row.positive / row.article_count,
    neutral: row.neutral / row.article_count,
    negative: row.negative / row.article_count,
  },
  categories: row.categories,
  geographic_spread: row.geographic_spread,
  languages: row.languages,
  articles: row.articles,
})

/** The number of independent sources, and the mean of their cosines to the centre, 0 to 1. */
function sourceFigures(texts: ClusterRow['texts']) {
  const roots = independent(texts.map(([origin, from_origin]) => ({ origin, from_origin })))
  const sources = [...groupBy(texts, ([origin]) => roots.get(origin)).values()]
  const confidence = mean(sources.map((source) => mean(source.map(([, , similarity]) => similarity))))
  return { origin_count: sources.length, confidence: Math.min(Math.max(confidence, 0), 1) }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** A story whose articles have no title is named after its first three entities. */
export const titleOf = ({ title, entities }: Pick<ClusterRow, 'title' | 'entities'>): string =>
  title ??
  entities
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')
