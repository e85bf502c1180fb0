/** Which tables belong to which view: what `story hash` reads, and what a rebuild would make again. */
export const TABLES = {
  jobs: ['jobs_processing', 'jobs_failed', 'jobs_retried'],
  articles: ['articles', 'article_vectors', 'tokens', 'jobs_completed'],
  entities: ['analyzed_articles', 'mentions', 'entity_articles'],
  clusters: [
    'members',
    'placements',
    'subject_listings',
    'story_changes',
    'settlements',
    'origins',
    'cluster_decisions',
    'cluster_feed',
  ],
  echo: ['enrichments'],
  stories: ['transitions'],
  corrections: ['corrections'],
  graph: ['relationships', 'thread_places', 'graph_builds', 'sentence_relations', 'relation_sentences'],
  trends: ['detections'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/**
 * No content: rows of `submissions` go after some days; `polls` and `deliveries` record the
 * looking and the sending, and the log keeps them some weeks; `changes` repeats for a month what other tables hold.
 */
export const FLEETING = ['submissions', 'polls', 'deliveries', 'changes']

export type ViewName = keyof typeof TABLES
