import { intake, type Fields } from '../../domain/intake/articles.ts'
import type { TextSource } from '../../events/articles.ts'
import type { DocumentOutcome, PageReading } from '../../events/sources.ts'
import { bodyOf, semanticHash } from '../../language/body-text.ts'
import type { ExtractedArticle } from '../../language/extraction/extract-article.ts'
import { plainText } from '../../language/plain-text.ts'
import { hostOf, unreadPage, type DocumentChange, type DocumentInput } from '../../domain/feeds/documents.ts'
import { articleOfItem, articleOfPage, NO_ITEM, type KnownOutlet } from './article-fields.ts'

/** What a request for a page gave. */
export type PageAnswer =
  | { readonly kind: 'page'; readonly url: string; readonly article: ExtractedArticle }
  /** There will be no answer with an article: forbidden, refused, removed, or not requested at all. */
  | { readonly kind: 'refused'; readonly outcome: 'refused' | 'gone' | 'failed'; readonly detail: string }
  /** The next attempt may succeed. */
  | {
      readonly kind: 'failed'
      readonly outcome: 'limited' | 'failed'
      readonly detail: string
      /** Milliseconds; 0 if the server requested no delay. */
      readonly retryAfterMs: number
    }

export interface PageResult {
  readonly change: DocumentChange
  /** The article to publish; `null` if there is none, or its text did not change. */
  readonly article: (Fields & { readonly text_source: TextSource }) | null
}

export interface PageContext extends KnownOutlet {
  /** Milliseconds since 1970. */
  readonly now: number
}

type Context = PageContext & { readonly url: string }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** When a page is read again after the first time. Outlets edit most articles within a day. */
const LOOKS_MS = [HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS]
/** Of a page, whatever titles its item has had. */
const MOST_REVISIONS = 5
/** Waits after a failed attempt. After the last, the text of the feed is published. */
const RETRIES_MS = [MINUTE_MS, 10 * MINUTE_MS]
const LONGEST_RETRY_MS = HOUR_MS
/** The text of the feed is taken if the page's is so much shorter. */
const MUCH_SHORTER = 0.7

/**
 * Decides what is published of a page and when it is read next. A page that cannot be read is tried three times within
 * some ten minutes; then the text of the feed is published, and a later look may replace it. A page that is refused is
 * not read again; if its item has no text to publish, it is tried three times, too.
 */
export function pageResult({ event }: DocumentInput, answer: PageAnswer, given: PageContext): PageResult {
  const page = event.page ?? unreadPage(NO_ITEM)
  const context = { ...given, url: event.url }
  if (answer.kind === 'page') return ofPage(page, answer, context)

  const failures = event.failures + 1
  const wait = isRetried(page, answer, context) ? RETRIES_MS[failures - 1] : undefined
  const { outcome, detail } = answer
  if (wait === undefined) {
    const next_fetch_at = answer.kind === 'refused' ? null : nextLook(page, context.now)
    return withoutPage(page, { outcome, detail, failures, next_fetch_at }, context)
  }
  const retryAfterMs = answer.kind === 'refused' ? 0 : answer.retryAfterMs
  const next_fetch_at = context.now + Math.max(wait, Math.min(retryAfterMs, LONGEST_RETRY_MS))
  return { change: { outcome, detail, failures, next_fetch_at }, article: null }
}

/** Whether the first text and all revisions of the page are published. */
export const hasAllRevisions = ({ published: count }: PageReading): boolean => count > MOST_REVISIONS

/** Answers that may be those of a cache, or of a protection against bots, for a minute. */
const MAY_PASS: ReadonlySet<string> = new Set(['http_401', 'http_403', 'http_404'])

/** A page that is refused is requested again only if nothing would be published otherwise. */
function isRetried(page: PageReading, answer: Exclude<PageAnswer, { kind: 'page' }>, context: Context): boolean {
  const isPublished = page.published > 0
  if (isPublished && page.first_fetched_at !== null) return false
  if (answer.kind === 'failed') return true
  return !isPublished && MAY_PASS.has(answer.detail) && ofItem(page, context).kind === 'refused'
}

function ofPage(page: PageReading, { url, article }: Extract<PageAnswer, { kind: 'page' }>, context: Context) {
  const address = page.article_url ?? article.canonical_url ?? url
  const found = intake(articleOfPage(page.item, { ...article, url: address }, context))
  const read = { ...page, method: article.method, paywalled: article.paywalled }
  if (found.kind === 'refused' || isMuchShorter(article.text, page)) {
    const detail = found.kind === 'refused' ? found.reason : 'shorter_than_feed'
    const next_fetch_at = nextLook(page, context.now)
    return withoutPage(read, { outcome: 'not_an_article', detail, failures: 0, next_fetch_at }, context)
  }
  return published(read, { ...found.fields, text_source: 'page' }, { outcome: 'ok', context })
}

/**
 * Publishes the text of the feed if it is accepted, at the first look of a document. What the page gave, as another
 * document of it, is not replaced.
 */
function withoutPage(page: PageReading, change: DocumentChange, context: Context): PageResult {
  const isFirst = page.first_fetched_at === null && page.text_source !== 'page'
  const found = isFirst ? ofItem(page, context) : null
  if (found?.kind !== 'article') {
    const first_fetched_at = page.first_fetched_at ?? context.now
    return { change: { ...change, page: { ...page, first_fetched_at } }, article: null }
  }
  const result = published(page, { ...found.fields, text_source: 'feed' }, { outcome: change.outcome, context })
  return { ...result, change: { ...result.change, ...change } }
}

const ofItem = ({ item, article_url }: PageReading, context: Context) =>
  intake(articleOfItem(item, { ...context, url: article_url ?? context.url, host: hostOf(context.url) }))

interface Publishing {
  readonly outcome: DocumentOutcome
  readonly context: Context
}

function published(
  page: PageReading,
  article: Fields & { readonly text_source: TextSource },
  { outcome, context: { now } }: Publishing,
): PageResult {
  const semantic_hash = semanticHash(bodyOf(article.title, plainText(article.text)))
  const isSame = page.semantic_hash === semantic_hash
  const count = page.published + (isSame ? 0 : 1)
  const { text_source } = article
  // the text of the feed is needed for comparison until the page itself was published
  const item = text_source === 'page' ? { ...page.item, text: '' } : page.item
  const read: PageReading = {
    ...{ ...page, semantic_hash, text_source, published: count, item },
    ...{ article_url: article.url, first_fetched_at: page.first_fetched_at ?? now },
  }
  const next_fetch_at = nextLook(read, now)
  const change = { outcome: isSame ? ('unchanged' as const) : outcome, failures: 0, next_fetch_at, page: read }
  return { change, article: isSame ? null : article }
}

/** The next look after now; `null` after the last one. */
function nextLook(page: PageReading, now: number): number | null {
  if (hasAllRevisions(page)) return null
  const first = page.first_fetched_at ?? now
  return LOOKS_MS.map((ms) => first + ms).find((look) => look > now + MINUTE_MS) ?? null
}

const isMuchShorter = (text: string, { text_source, item }: PageReading): boolean =>
  text_source !== 'page' && text.length < MUCH_SHORTER * plainText(item.text).length
