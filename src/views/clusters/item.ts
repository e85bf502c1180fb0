import type { clusterItems } from './queries.ts'

export type ClusterRow = Awaited<ReturnType<ReturnType<typeof clusterItems>>>[number]

/** A cluster as every list shows it. */
export interface ClusterItem {
  readonly id: string
  readonly title: string
  readonly article_count: number
  readonly source_count: number
  readonly confidence: number
  readonly created_at: string
  readonly updated_at: string
  readonly primary_entities: string[]
  readonly sentiment_distribution: { positive: number; neutral: number; negative: number }
  readonly articles: string[]
}

/** How many entities stand for a cluster in a list. */
export const PRIMARY_ENTITIES = 5

export const clusterItem = (row: ClusterRow): ClusterItem => ({
  id: row.cluster_id,
  title: titleOf(row),
  article_count: row.article_count,
  source_count: row.source_count,
  confidence: Math.min(Math.max(row.confidence, 0), 1),
  created_at: row.created_at,
  updated_at: row.updated_at,
  primary_entities: row.entities.slice(0, PRIMARY_ENTITIES).map(({ id }) => id),
  sentiment_distribution: {
    positive: row.positive / row.article_count,
    neutral: row.neutral / row.article_count,
    negative: row.negative / row.article_count,
  },
  articles: row.articles,
})

/** A story none of whose articles has a title is called by whom it is about. */
export const titleOf = ({ title, entities }: Pick<ClusterRow, 'title' | 'entities'>): string =>
  title ??
  entities
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')
