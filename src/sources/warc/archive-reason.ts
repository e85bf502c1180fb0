import type { IntakeRefusal } from '../../domain/intake/articles.ts'
import type { ExtractionFailure } from '../pages/extract-page.ts'

/** Why a record of an archive became no article. Stable names: reports count by them. */
export type ArchiveReason =
  /** A request, metadata or another record without a page. */
  | 'not_response'
  /** An address that is not http(s). */
  | 'not_http'
  | 'http_status'
  | 'not_html'
  /** The crawler stored a part of the page. */
  | 'truncated'
  | 'too_large'
  | 'other_domain'
  | 'out_of_range'
  | 'no_article'
  | 'duplicate'
  | IntakeRefusal
  | ArchiveFailure

/** A record that may contain an article, but could not be read. */
export type ArchiveFailure = 'malformed_record' | ExtractionFailure

const FAILURES: ReadonlySet<string> = new Set<ArchiveFailure>([
  'malformed_record',
  'extraction_failed',
  'extraction_timeout',
])

/** How many records could not be read. */
export const failuresIn = (skipped: ReadonlyMap<string, number>): number =>
  [...skipped].reduce((sum, [reason, count]) => sum + (FAILURES.has(reason) ? count : 0), 0)
