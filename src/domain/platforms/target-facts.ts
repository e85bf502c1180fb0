/** A story that may be looked for on public platforms. */
export interface TargetFacts {
  readonly cluster_id: string
  readonly title: string
  readonly article_count: number
  /** Independent sources. */
  readonly origins: number
  /** Event time of its last article, milliseconds since 1970. */
  readonly last_published: number
  /** Names of people, organisations, places and events, those that most articles name first. */
  readonly entities: readonly string[]
  /** URLs of its articles, the newest first. */
  readonly urls: readonly string[]
}
