/** Two keys per article: these are 500,000 articles, about 100 MB. */
const MAX_KEYS = 1_000_000

/** What identifies an article within an import. */
export interface ArticleKeys {
  /** Derived from the canonical address. */
  readonly article_id: string
  /** Hash of the outlet's host and the text, without the title. */
  readonly text_hash: string
}

/** The articles of an import by address, and by outlet and text. Beyond `most` keys the oldest are dropped. */
export class SeenArticles {
  private readonly keys = new Set<string>()
  private readonly most: number

  constructor(most = MAX_KEYS) {
    this.most = most
  }

  has({ article_id, text_hash }: ArticleKeys): boolean {
    return this.keys.has(article_id) || this.keys.has(text_hash)
  }

  add({ article_id, text_hash }: ArticleKeys): void {
    this.keys.add(article_id).add(text_hash)
    for (const oldest of this.keys) {
      if (this.keys.size <= this.most) return
      this.keys.delete(oldest)
    }
  }
}
