/** Which tables belong to which view: what `story hash` reads, and what a rebuild would make anew. */
export const TABLES = {
  jobs: ['jobs_processing', 'jobs_failed', 'submissions'],
  articles: ['articles', 'article_vectors', 'tokens', 'jobs_completed'],
  entities: ['analyzed_articles', 'mentions'],
  clusters: ['cluster_members', 'cluster_decisions', 'origins'],
  echo: ['enrichments'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ViewName = keyof typeof TABLES
