import { SourceTally } from '../tally.ts'
import type { ArchivePosition, ImportedArticle } from './archive-checkpoint.ts'
import type { ArchiveReason } from './archive-reason.ts'

export interface FailedArchive {
  readonly file: string
  readonly error: string
}

/** The outcome of a record, after duplicates were found. */
export type CountedOutcome =
  | { readonly kind: 'article'; readonly article: Pick<ImportedArticle, 'article_id' | 'content_hash'> }
  | { readonly kind: 'skipped'; readonly reason: ArchiveReason }

/** Counts of the records of one archive. */
export class ArchiveCounts {
  records: number
  accepted: number
  readonly skipped: Map<string, number>

  constructor({ records, accepted, skipped }: Pick<ArchivePosition, 'records' | 'accepted' | 'skipped'> = NOTHING) {
    this.records = records
    this.accepted = accepted
    this.skipped = new Map(Object.entries(skipped))
  }

  add(outcome: CountedOutcome): void {
    this.records += 1
    if (outcome.kind === 'article') this.accepted += 1
    else this.skipped.set(outcome.reason, (this.skipped.get(outcome.reason) ?? 0) + 1)
  }
}

const NOTHING = { records: 0, accepted: 0, skipped: {} }

/** Counts of all archives of an import. Refusals are counted by reason, because an archive has many. */
export class ArchiveTally extends SourceTally {
  /** Of the archives that were begun. */
  readonly archives: ArchiveCounts[] = []
  /** Archives that could not be read to their end. */
  readonly failed: FailedArchive[] = []
  private readonly keepsContents: boolean

  /** `keepsContents`: for an import that waits until its articles can be queried. */
  constructor({ keepsContents }: { readonly keepsContents: boolean }) {
    super()
    this.keepsContents = keepsContents
  }

  get records(): number {
    return this.archives.reduce((sum, { records }) => sum + records, 0)
  }

  /** Records that became no article, by reason; the most frequent first. */
  get skipped(): ReadonlyMap<string, number> {
    const all = new Map<string, number>()
    for (const [reason, count] of this.archives.flatMap(({ skipped }) => [...skipped]))
      all.set(reason, (all.get(reason) ?? 0) + count)
    return new Map([...all].sort(([, a], [, b]) => b - a))
  }

  /** Duplicates were skipped before: each article is a different one. */
  override accept(article: Pick<ImportedArticle, 'article_id' | 'content_hash'>): void {
    if (this.keepsContents) {
      super.accept(article)
      return
    }
    this.accepted += 1
    this.articles += 1
  }
}
