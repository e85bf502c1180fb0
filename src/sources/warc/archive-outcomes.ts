import { pMapIterable } from 'p-map'
import { hostOf } from '../../domain/feeds/documents.ts'
import { intake, type Fields } from '../../domain/intake/articles.ts'
import { contentHash } from '../../events/ids.ts'
import type { ExtractedArticle } from '../../language/extraction/extract-article.ts'
import { plainText } from '../../language/plain-text.ts'
import { registrableHost } from '../../language/registrable-host.ts'
import { ingested, type Ingested } from '../ingested-event.ts'
import type { CrawledPage, PageExtractor } from '../pages/extract-page.ts'
import { articleOfPage, NO_ITEM } from '../watch/article-fields.ts'
import { type ArchiveFilter, isInRange } from './archive-filter.ts'
import type { ArchiveReason } from './archive-reason.ts'
import { archivedPage, headerReason } from './archived-page.ts'
import type { ArticleKeys } from './seen-articles.ts'
import { type WarcRecord, warcRecords } from './warc-records.ts'

export type ArchivedArticle = Ingested & ArticleKeys

/** What became of a record of an archive. */
export type ArchiveOutcome =
  | { readonly kind: 'article'; readonly article: ArchivedArticle }
  | { readonly kind: 'skipped'; readonly reason: ArchiveReason }

export interface ArchiveReading {
  readonly bytes: AsyncIterable<Buffer>
  /** Records that are only passed over, because an earlier import read them. */
  readonly done: number
  readonly namespace: string
  readonly filter: ArchiveFilter
}

/** Pages that wait for a worker while the next records are read. Each holds at most `MAX_PAGE_BYTES`. */
const PAGES_AHEAD_PER_WORKER = 2
/** Outcomes that wait for an earlier, slower page. */
const OUTCOMES_AHEAD_PER_WORKER = 16

/**
 * The outcome of each record after the first `done`, in the order of the archive. Pages are extracted by all workers at
 * once; few are held, whatever the size of the archive.
 */
export function archiveOutcomes(reading: ArchiveReading, extractor: PageExtractor): AsyncIterable<ArchiveOutcome> {
  const { workers } = extractor
  return pMapIterable(recordsAfter(reading), (record) => outcomeOf(record, reading, extractor), {
    concurrency: PAGES_AHEAD_PER_WORKER * workers,
    backpressure: OUTCOMES_AHEAD_PER_WORKER * workers,
  })
}

async function* recordsAfter({ bytes, done, filter }: ArchiveReading): AsyncGenerator<WarcRecord> {
  let records = 0
  const readsBlock = (headers: Parameters<typeof headerReason>[0], length: number): boolean =>
    records >= done && headerReason(headers, length, filter) === null
  for await (const record of warcRecords(bytes, { readsBlock })) {
    records += 1
    if (records > done) yield record
  }
}

async function outcomeOf(
  record: WarcRecord,
  reading: ArchiveReading,
  extractor: PageExtractor,
): Promise<ArchiveOutcome> {
  const found = archivedPage(record, reading.filter)
  if (found.kind === 'skipped') return found
  const extraction = await extractor.extract(found.page)
  return extraction.kind === 'skipped' ? extraction : articleOf(found.page, extraction.article, reading)
}

/** The same fields as those of a watched page. */
function articleOf(
  page: CrawledPage,
  extracted: ExtractedArticle,
  { namespace, filter }: Pick<ArchiveReading, 'namespace' | 'filter'>,
): ArchiveOutcome {
  if (extracted.text === '') return { kind: 'skipped', reason: 'no_article' }
  const found = intake(
    articleOfPage(NO_ITEM, { ...extracted, url: extracted.canonical_url ?? page.url }, { source: null, site: null }),
  )
  if (found.kind === 'refused') return { kind: 'skipped', reason: found.reason }
  if (!isInRange(found.fields.published_date ?? page.crawledAt, filter))
    return { kind: 'skipped', reason: 'out_of_range' }
  const article = ingested(found.fields, { namespace, producer: 'import-warc', text_source: 'page' })
  return { kind: 'article', article: { ...article, text_hash: textOfOutlet(found.fields) } }
}

/** One text of several outlets, such as a wire report, is several articles: stories count them. */
const textOfOutlet = ({ url, text }: Fields): string => {
  const outlet = url === null ? '' : registrableHost(hostOf(url))
  return contentHash(outlet, plainText(text))
}
