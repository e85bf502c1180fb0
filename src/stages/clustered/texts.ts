import { BandTable } from '../../language/near-duplicates/band-table.ts'
import type { Outline } from '../../language/near-duplicates/outline.ts'
import type { Fingerprint } from '../../language/near-duplicates/fingerprint.ts'
import { pickOldest, type EvictableState } from '../../state/eviction.ts'
import { allSteps, type Steps } from '../../state/steps.ts'
import type { Arrival } from './arrival-heap.ts'
import { Arrivals } from './arrivals.ts'

/** An article whose text is kept. */
export interface RememberedText {
  readonly articleId: string
  /** Offset of its source record. */
  readonly order: number
  /** Event time, milliseconds since 1970. */
  readonly time: number
  readonly dated: boolean
  readonly group: string
  readonly print: Fingerprint
  readonly outline: Outline
  /** The article that it translates; `null` if it was recognised as no translation. */
  readonly translates: string | null
}

/** One text and every article with exactly this text, in order of arrival. */
export interface ClusteredBody {
  readonly print: Fingerprint
  /** Its row in the bands; `null` if the text is too short. */
  readonly row: number | null
  readonly articles: RememberedText[]
}

/**
 * The texts of one namespace, indexed by hash and by MinHash bands. A text is stored once, however many articles print
 * it, so that many copies do not slow down a lookup. Owned and mutated.
 */
export interface Texts {
  readonly byArticle: Map<string, RememberedText>
  /** Not yet in the other fields. */
  readonly unindexed: Set<RememberedText>
  readonly bodies: Map<string, ClusteredBody>
  readonly byRow: (ClusteredBody | undefined)[]
  readonly free: number[]
  readonly bands: BandTable
  /** Articles of each syndication group, in order of arrival. */
  readonly groups: Map<string, RememberedText[]>
}

export const noTexts = (): Texts => ({
  byArticle: new Map(),
  unindexed: new Set(),
  bodies: new Map(),
  byRow: [],
  free: [],
  bands: new BandTable(),
  groups: new Map(),
})

/** The text is indexed at the next search: a restore reads many texts that are evicted before. */
export function addText(texts: Texts, text: RememberedText): void {
  texts.byArticle.set(text.articleId, text)
  texts.unindexed.add(text)
}

/** Texts that are indexed in one step, about 10 ms. */
const STEP = 500

/** Indexes the texts that were added, which the next search would do. */
export function* indexTexts(texts: Texts): Steps<void> {
  texts.bands.expect(texts.byRow.length + texts.unindexed.size)
  let done = 0
  for (const text of texts.unindexed) {
    texts.unindexed.delete(text)
    indexText(texts, text)
    if (++done % STEP === 0) yield
  }
}

function indexText(texts: Texts, text: RememberedText): void {
  const body = texts.bodies.get(text.print.hash) ?? openBody(texts, text.print)
  const shared = { ...text, print: body.print }
  texts.byArticle.set(text.articleId, shared)
  insertInOrder(body.articles, shared)
  const group = texts.groups.get(text.group) ?? []
  texts.groups.set(text.group, group)
  insertInOrder(group, shared)
}

export function removeText(texts: Texts, articleId: string): void {
  const text = texts.byArticle.get(articleId)
  if (text === undefined) return
  texts.byArticle.delete(articleId)
  if (texts.unindexed.delete(text)) return
  const body = texts.bodies.get(text.print.hash)
  if (body !== undefined && isLast(body.articles, text)) closeBody(texts, body)
  const group = texts.groups.get(text.group)
  if (group !== undefined && isLast(group, text)) texts.groups.delete(text.group)
}

/** Removes the article. Returns `true` if none is left. */
function isLast(articles: RememberedText[], text: RememberedText): boolean {
  articles.splice(articles.indexOf(text), 1)
  return articles.length === 0
}

function openBody(texts: Texts, print: Fingerprint): ClusteredBody {
  const row = print.sample.length === 0 ? null : (texts.free.pop() ?? texts.byRow.length)
  const body: ClusteredBody = { print, row, articles: [] }
  texts.bodies.set(print.hash, body)
  if (row !== null) {
    texts.byRow[row] = body
    texts.bands.add(row, print.bands)
  }
  return body
}

function closeBody(texts: Texts, { print, row }: ClusteredBody): void {
  texts.bodies.delete(print.hash)
  if (row === null) return
  texts.byRow[row] = undefined
  texts.bands.remove(row)
  texts.free.push(row)
}

/** Keeps the order of arrival, since restored entries may come in any order. */
function insertInOrder(articles: RememberedText[], text: RememberedText): void {
  const after = articles.findLastIndex(({ order }) => order < text.order)
  articles.splice(after + 1, 0, text)
}

export interface TextQuery {
  readonly articleId: string
  readonly time: number
  readonly dated: boolean
  readonly print: Fingerprint
}

/** An article whose text may be similar. */
export type ClusteredNear = Pick<RememberedText, 'articleId' | 'order' | 'group' | 'print'>

interface Reach {
  readonly windowMs: number
  /** Maximum number of texts compared. */
  readonly limit: number
}

/**
 * Articles whose texts are worth comparing with the given text: for each similar text, the first article to arrive,
 * except the article itself and those outside the window (if both are dated). Texts that share most bands come first.
 */
export function nearTexts(texts: Texts, own: TextQuery, { windowMs, limit }: Reach): ClusteredNear[] {
  allSteps(indexTexts(texts))
  const found: { near: ClusteredNear; bands: number }[] = []
  const consider = (body: ClusteredBody | undefined, bands: number): void => {
    const near = body?.articles.find((article) => reaches(article, own, windowMs))
    if (near !== undefined) found.push({ near, bands })
  }
  consider(texts.bodies.get(own.print.hash), Infinity)
  if (own.print.sample.length > 0) {
    for (const [row, bands] of texts.bands.sharing(own.print.bands)) {
      const body = texts.byRow[row]
      if (body?.print.hash !== own.print.hash) consider(body, bands)
    }
  }
  found.sort((a, b) => (a.bands === b.bands ? a.near.order - b.near.order : b.bands - a.bands))
  return found.slice(0, limit).map(({ near }) => near)
}

/** Whether it is another article and near enough in time. If a date is missing, time does not count. */
export const reaches = (article: RememberedText, own: TextQuery, windowMs: number): boolean =>
  article.articleId !== own.articleId && (!article.dated || !own.dated || Math.abs(article.time - own.time) <= windowMs)

/**
 * Which texts are kept, over all namespaces of a partition: the newest of each, so that a busy namespace never evicts
 * the texts of a quiet one. Depends only on the members in memory, not on the order in which they are restored.
 */
export interface RecentTexts {
  size: number
  readonly byNamespace: Map<string, Recent>
}

interface Recent {
  readonly texts: Texts
  readonly arrivals: Arrivals
}

export const noRecentTexts = (): RecentTexts => ({ size: 0, byNamespace: new Map() })

interface RecentTextsHome {
  readonly namespace: string
  readonly texts: Texts
  /** Texts kept, over all namespaces. */
  readonly budget: number
}

interface ArrivingText {
  readonly order: number
  /** Called only if the text is kept: it copies half a kilobyte. */
  readonly read: () => RememberedText
}

/** If the budget is exceeded, evicts the earliest text of the largest namespace, which may be the new one. */
export function rememberText(
  recent: RecentTexts,
  { namespace, texts, budget }: RecentTextsHome,
  { order, read }: ArrivingText,
): void {
  const own = recent.byNamespace.get(namespace) ?? { texts, arrivals: arrivalsOf(texts) }
  const isFull = recent.size >= budget
  const [evicted] = isFull ? pickOldest(statesOf(recent, namespace, own), { namespace, size: recent.size, budget }) : []
  if (isFull && (evicted === undefined || (evicted.namespace === namespace && order < evicted.thing.order))) return

  const text = read()
  addText(texts, text)
  own.arrivals.add({ id: text.articleId, order }, texts.byArticle.size)
  recent.byNamespace.set(namespace, own)
  recent.size++
  if (evicted !== undefined) forgetText(recent, evicted.namespace, evicted.thing.id)
}

/** The texts of each namespace. One arrival evicts one text. */
const statesOf = ({ byNamespace }: RecentTexts, arriving: string, own: Recent): EvictableState<Arrival>[] =>
  [...new Map(byNamespace).set(arriving, own)].map(([namespace, { texts, arrivals }]) => ({
    namespace,
    size: texts.byArticle.size,
    oldest: () => [arrivals.first() ?? []].flat(),
  }))

const arrivalsOf = ({ byArticle }: Texts): Arrivals =>
  new Arrivals(({ id, order }) => byArticle.get(id)?.order === order)

export function forgetText(recent: RecentTexts, namespace: string, articleId: string): void {
  const kept = recent.byNamespace.get(namespace)
  if (kept?.texts.byArticle.has(articleId) !== true) return
  removeText(kept.texts, articleId)
  recent.size--
  if (kept.texts.byArticle.size === 0) recent.byNamespace.delete(namespace)
}
