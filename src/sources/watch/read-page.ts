import type { FetchedDocument } from '../../ports/http.ts'
import { noDocumentIn, type NoDocument } from './no-document.ts'
import { attempted, EDITED, hostOf } from '../../domain/feeds/documents.ts'
import type { DueDocument, Fetching } from './due-document.ts'
import { pageResult, type PageAnswer } from './page-result.ts'
import { sizesOf, type WebAnswer } from './web.ts'
import type { DocumentFetched } from '../../events/sources.ts'
import { ingested } from '../ingested-event.ts'

const ACCEPT = { accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1' }

/** Reads a page, publishes its article, and plans the next look. */
export async function readPage({ input, feed, signal }: DueDocument, parts: Fetching): Promise<DocumentFetched> {
  const answer = await parts.web.getAllowed({ url: input.event.url, headers: ACCEPT, signal })
  const read = await pageAnswer(answer, parts)
  signal.throwIfAborted() // a process that stops ends the extraction, which is no failure of the page
  return publishPage({ input, feed }, { read, sizes: sizesOf(answer) }, parts)
}

/** Ends a page that is never requested, because too many wait. The text of its feed is published. */
export const endPage = (page: Omit<DueDocument, 'signal'>, parts: Fetching): Promise<DocumentFetched> =>
  publishPage(page, { read: TOO_MANY, sizes: {} }, parts)

const TOO_MANY: PageAnswer = { kind: 'refused', outcome: 'failed', detail: 'too_many_waiting' }

/**
 * Publishes the edited text of an item if the text of its page was taken from the feed. What a page is known to have
 * given is not replaced by the text of the feed. A page of which nothing was published is read: it may have failed.
 */
export async function publishEdit(due: DueDocument, parts: Fetching): Promise<DocumentFetched> {
  const known = due.input.event.page?.text_source ?? null
  if (known === null) return readOnce(due, parts)
  if (known === 'feed') return publishPage(due, { read: NEW_TEXT, sizes: {} }, parts)
  return attempted(due.input, parts.clock.now(), { outcome: 'cancelled', detail: 'page_is_read', next_fetch_at: null })
}

/** Reads the page of an edit. Later looks are those of the page's own document. */
async function readOnce(due: DueDocument, parts: Fetching): Promise<DocumentFetched> {
  const result = await readPage(due, parts)
  const isDecided = result.page?.first_fetched_at !== null
  return isDecided ? { ...result, next_fetch_at: null } : result
}

const NEW_TEXT: PageAnswer = { kind: 'refused', outcome: 'refused', detail: EDITED }

interface AnsweredPage {
  readonly read: PageAnswer
  readonly sizes: ReturnType<typeof sizesOf>
}

async function publishPage(
  { input, feed }: Omit<DueDocument, 'signal'>,
  { read, sizes }: AnsweredPage,
  { clock, publish, publishers, pages }: Fetching,
): Promise<DocumentFetched> {
  const now = clock.now()
  if (read.kind === 'page' && read.article.publisher !== null)
    publishers.observe(hostOf(read.url), read.article.publisher)
  const site = publishers.of(input.event.host)
  const { change, article } = pageResult(input, read, { source: feed.source, site, now })
  if (article !== null) {
    const { text_source, ...fields } = article
    const origin = { namespace: input.event.namespace, producer: 'feeds', text_source }
    await publish({ articles: [ingested(fields, origin).event], documents: [] })
  }
  const result = attempted(input, now, { ...change, ...sizes })
  pages.observe(result) // the next attempt may begin before this event is read from the log
  return result
}

async function pageAnswer(answer: WebAnswer, parts: Fetching): Promise<PageAnswer> {
  const trouble = noDocumentIn(answer, parts.clock.now())
  if (answer.kind === 'answer' && trouble === null) return extracted(answer.document, parts)
  const { outcome, detail, retryAfterMs } = trouble ?? UNKNOWN
  if (outcome === 'refused' || outcome === 'gone') return { kind: 'refused', outcome, detail }
  return { kind: 'failed', outcome, detail, retryAfterMs }
}

const UNKNOWN: NoDocument = { outcome: 'failed', detail: 'no_document', retryAfterMs: 0 }

/** A page that cannot be extracted is refused, not requested again: the next attempt would fail in the same way. */
async function extracted({ url, headers, body }: FetchedDocument, { extract, clock }: Fetching): Promise<PageAnswer> {
  const page = { url, crawledAt: clock.now(), contentType: headers['content-type'] ?? null, body }
  const extraction = await extract({ ...page, transferEncoding: null, contentEncoding: null })
  if (extraction.kind === 'article') return { kind: 'page', url, article: extraction.article }
  return { kind: 'refused', outcome: 'failed', detail: extraction.reason }
}
