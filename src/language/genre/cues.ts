/** An article, as its genre is read from it. */
export interface GenreText {
  readonly url: string | null
  readonly title: string | null
  readonly source: string | null
  readonly author: string | null
  /** Without a leading copy of the title. */
  readonly body: string
  /** ISO 639-1, or `und`. */
  readonly language: string
}

/** Named evidence: true or 0 to 1. */
export type Cues = Readonly<Record<string, boolean | number>>
