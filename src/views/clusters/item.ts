import type { clusterItems } from './items.ts'
import { independent } from './independent-origins.ts'
import type { RowOf } from '../query.ts'

export type ClusterRow = RowOf<typeof clusterItems>

/** A cluster as every list shows it. */
export interface ClusterItem {
  readonly id: string
  readonly title: string
  readonly article_count: number
  readonly source_count: number
  readonly origin_count: number
  readonly publisher_count: number
  readonly confidence: number
  readonly membership: 'provisional' | 'settled'
  readonly created_at: string
  readonly updated_at: string
  readonly primary_entities: string[]
  readonly sentiment_distribution: { positive: number; neutral: number; negative: number }
  readonly categories: string[]
  readonly geographic_spread: string[]
  readonly articles: string[]
}

/** How many entities stand for a cluster in a list. */
export const PRIMARY_ENTITIES = 5

export const clusterItem = (row: ClusterRow): ClusterItem => ({
  id: row.cluster_id,
  title: titleOf(row),
  article_count: row.article_count,
  source_count: row.source_count,
  publisher_count: row.publisher_count,
  ...standing(row.texts),
  membership: row.is_settled === 1 ? 'settled' : 'provisional',
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
  articles: row.articles,
})

/** How many independent accounts there are, and how near to the centre they stand, each counted once: 0 to 1. */
function standing(texts: ClusterRow['texts']): Pick<ClusterItem, 'origin_count' | 'confidence'> {
  const roots = independent(texts.map(([origin, from_origin]) => ({ origin, from_origin })))
  const similarities = new Map<string, number[]>()
  for (const [origin, , similarity] of texts) {
    const root = roots.get(origin) ?? origin
    const ofRoot = similarities.get(root) ?? []
    similarities.set(root, ofRoot)
    ofRoot.push(similarity)
  }
  const confidence = mean([...similarities.values()].map(mean))
  return { origin_count: similarities.size, confidence: Math.min(Math.max(confidence, 0), 1) }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** A story without any article title is called by its entities. */
export const titleOf = ({ title, entities }: Pick<ClusterRow, 'title' | 'entities'>): string =>
  title ??
  entities
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')
