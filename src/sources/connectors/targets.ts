/** What is known of a story that may be looked for; made by `echoTargets` of the view `echo`. */
export interface ConnectorTargetFacts {
  readonly cluster_id: string
  readonly title: string
  readonly article_count: number
  /** Independent texts. */
  readonly origins: number
  /** Milliseconds since 1970. */
  readonly last_published: number
  /** Names of people, organisations, places and events, the most named first. */
  readonly entities: readonly string[]
  /** Addresses of its articles, the newest first. */
  readonly urls: readonly string[]
}

export type Priority = 'high' | 'medium' | 'low'

/** A story that is looked for, and with what words. */
export interface StoryTarget extends ConnectorTargetFacts {
  readonly namespace: string
  readonly priority: Priority
  /** What identifies it in a search: names first, then words of the title. */
  readonly terms: readonly string[]
}
