import { isArticleUrl, parseMoment } from '../../domain/intake/articles.ts'
import { parsedUrl } from '../../events/canonical-url.ts'
import type { CrawledPage } from '../pages/extract-page.ts'
import { isMarkup, MAX_PAGE_BYTES } from '../pages/page-bytes.ts'
import { isBeforeRange, isOfDomain, type ArchiveFilter } from './archive-filter.ts'
import type { ArchiveReason } from './archive-reason.ts'
import type { HeaderFields } from './header-block.ts'
import { httpResponse } from './http-response.ts'
import type { WarcRecord } from './warc-records.ts'

export type FoundPage =
  { readonly kind: 'page'; readonly page: CrawledPage } | { readonly kind: 'skipped'; readonly reason: ArchiveReason }

const skipped = (reason: ArchiveReason): FoundPage => ({ kind: 'skipped', reason })

/** An HTTP header of the page may add this to the largest page. */
const MAX_BLOCK_BYTES = MAX_PAGE_BYTES + 512 * 1024

/** Why a record is skipped whose header alone says so; `null` if its block has to be read. */
export function headerReason(headers: HeaderFields, length: number, filter: ArchiveFilter): ArchiveReason | null {
  const type = headers.get('warc-type')
  if (type !== 'response' && type !== 'resource') return 'not_response'
  const url = targetOf(headers)
  const crawledAt = crawledAtOf(headers)
  if (url === null || crawledAt === null) return 'malformed_record'
  return (
    addressReason(url, filter) ?? (isBeforeRange(crawledAt, filter) ? 'out_of_range' : blockReason(headers, length))
  )
}

function addressReason(url: string, { domains }: ArchiveFilter): ArchiveReason | null {
  const protocol = parsedUrl(url)?.protocol ?? ''
  if (!/^https?:$/.test(protocol) || !isArticleUrl(url)) return 'not_http'
  return isOfDomain(url, domains) ? null : 'other_domain'
}

function blockReason(headers: HeaderFields, length: number): ArchiveReason | null {
  if (headers.has('warc-truncated') || headers.has('warc-segment-number')) return 'truncated'
  return length > MAX_BLOCK_BYTES ? 'too_large' : null
}

/** The page of a record, or why there is none. */
export function archivedPage(record: WarcRecord, filter: ArchiveFilter): FoundPage {
  if (record.kind === 'malformed') return skipped('malformed_record')
  const { headers, block } = record
  const reason = headerReason(headers, Number(headers.get('content-length')), filter)
  if (reason !== null || block === null) return skipped(reason ?? 'malformed_record')

  const origin = { url: targetOf(headers) ?? '', crawledAt: crawledAtOf(headers) ?? 0 }
  return headers.get('warc-type') === 'resource'
    ? pageOf(origin, { body: block, headers: NO_HEADERS, type: headers.get('content-type') })
    : pageOfResponse(origin, block, headers)
}

const NO_HEADERS: HeaderFields = new Map()

type CrawlOrigin = Pick<CrawledPage, 'url' | 'crawledAt'>

function pageOfResponse(origin: CrawlOrigin, block: Buffer, warc: HeaderFields): FoundPage {
  const response = httpResponse(block)
  if (response === null) return skipped('malformed_record')
  if (response.status !== 200) return skipped('http_status')
  const { headers, body } = response
  const type = headers.get('content-type') ?? warc.get('warc-identified-payload-type')
  return pageOf(origin, { body, headers, type })
}

interface StoredBody {
  readonly body: Buffer
  readonly headers: HeaderFields
  readonly type: string | undefined
}

function pageOf(origin: CrawlOrigin, { body, headers, type }: StoredBody): FoundPage {
  if (!(type === undefined ? isMarkup(body) : /html/i.test(type))) return skipped('not_html')
  const [transferEncoding, contentEncoding] = ['transfer-encoding', 'content-encoding'].map((name) => headers.get(name))
  return {
    kind: 'page',
    page: {
      ...origin,
      body,
      contentType: type ?? null,
      transferEncoding: transferEncoding ?? null,
      contentEncoding: contentEncoding ?? null,
    },
  }
}

/** Some crawlers write the address in angle brackets. */
const targetOf = (headers: HeaderFields): string | null =>
  headers.get('warc-target-uri')?.replace(/^<(.*)>$/, '$1') ?? null

const crawledAtOf = (headers: HeaderFields): number | null => parseMoment(headers.get('warc-date') ?? '')
