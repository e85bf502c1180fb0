import type { IntakeRefusal } from '../domain/intake/articles.ts'
import type { Ingested } from './ingested-event.ts'
import type { SourceRecord } from './records.ts'

export type SourceReason = IntakeRefusal | Extract<SourceRecord, { kind: 'malformed' }>['reason']

export interface RefusedLine {
  /** Starts at 1; the first line if the record spans several. */
  readonly line: number
  readonly reason: SourceReason
  /** The reason for people, including what was expected. */
  readonly message: string
  /** The invalid field and its value. */
  readonly field?: string
  readonly value?: string
  /** Title of a feed item. */
  readonly title?: string
  /** Set if several sources are imported at once. */
  readonly file?: string
}

export interface RefusedArticle {
  readonly article_id: string
  readonly reason: string
}

/** Counts of the records of an import. `accepted` = articles + revisions + repeats. */
export class SourceTally {
  accepted = 0
  /** Different articles. */
  articles = 0
  /** A known article with new content. */
  revisions = 0
  /** A known article with known content. */
  repeats = 0
  /** Articles that are new to the service; `null` if not checked. */
  added: number | null = null
  readonly refusals: RefusedLine[] = []
  /** Accepted by the import, then rejected by a stage; filled only if the import waits. */
  readonly refusedLater: RefusedArticle[] = []
  /** Article id to the hashes of its contents in this import. */
  readonly contents = new Map<string, Set<string>>()

  /**
   * Recounts, given what the service had before (article id to content hashes). Then accepted = added + revisions +
   * repeats.
   */
  compareWith(known: ReadonlyMap<string, ReadonlySet<string>>): void {
    this.added = this.contents.size
    for (const [id, before] of known) {
      const contents = this.contents.get(id)
      if (contents === undefined || before.size === 0) continue
      const again = [...contents].filter((content) => before.has(content)).length
      this.added -= 1
      this.repeats += again
      this.revisions += 1 - again // its first content no longer counts as a new article
    }
  }

  accept({ article_id, content_hash }: Pick<Ingested, 'article_id' | 'content_hash'>): void {
    this.accepted += 1
    const known = this.contents.get(article_id)
    if (known === undefined) {
      this.articles += 1
      this.contents.set(article_id, new Set([content_hash]))
    } else if (known.has(content_hash)) {
      this.repeats += 1
    } else {
      this.revisions += 1
      known.add(content_hash)
    }
  }
}
