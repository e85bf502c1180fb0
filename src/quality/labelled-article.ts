/** An article of a labelled file. */
export interface LabelledArticle {
  readonly id: string
  readonly title: string | null
  readonly text: string
  readonly url: string | null
  readonly source: string | null
  /** Milliseconds since 1970. */
  readonly published: number | null
  readonly story: string | null
}
