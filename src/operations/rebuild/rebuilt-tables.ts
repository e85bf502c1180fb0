/** A table and the topic from which its rows are projected. */
export interface RebuiltTable {
  readonly table: string
  readonly topic: string
}

const of = (topic: string, ...tables: readonly string[]): readonly RebuiltTable[] =>
  tables.map((table) => ({ table, topic }))

/** Every table of every view that has rows of events, also those that expire, in the order in which they are exchanged. */
export const REBUILT = {
  jobs: [
    ...of('articles.ingested', 'jobs_processing', 'submissions'),
    ...of('articles.ingested.dead', 'jobs_failed', 'jobs_retried'),
  ],
  articles: of('articles.scored', 'articles', 'article_vectors', 'tokens', 'jobs_completed'),
  entities: of('articles.analyzed', 'entity_articles', 'mentions', 'analyzed_articles'),
  clusters: of(
    'articles.clustered',
    ...[
      'members',
      'placements',
      'subject_listings',
      'story_changes',
      'settlements',
      'origins',
      'cluster_feed',
      'cluster_decisions',
    ],
  ),
  echo: [...of('stories.enriched', 'enrichments'), ...of('discourse.polled', 'polls')],
  stories: of('stories.transitioned', 'transitions'),
  corrections: of('corrections.requested', 'corrections'),
  graph: [
    ...of('articles.analyzed', 'sentence_relations', 'relation_sentences'),
    ...of('stories.linked', 'relationships', 'thread_places', 'graph_builds'),
  ],
  trends: of('trends.detected', 'detections'),
  feeds: of('documents.fetched', 'fetches'),
  changes: of('changes.published', 'changes'),
  webhooks: of('webhooks.delivered', 'deliveries'),
  monitors: of('stories.matched', 'matches'),
} as const satisfies Readonly<Record<string, readonly RebuiltTable[]>>

export type RebuiltView = keyof typeof REBUILT

export const REBUILT_VIEWS = Object.keys(REBUILT).filter((name): name is RebuiltView => name in REBUILT)

/** The database for the tables of a rebuild and, after the exchange, for the tables they replace. */
export const shadowOf = (database: string): string => `${database}_rebuild`
