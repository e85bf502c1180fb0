import { countBefore } from '../../state/binary-search.ts'
import { BandTable } from '../../language/near-duplicates/band-table.ts'
import type { Fingerprint } from '../../language/near-duplicates/fingerprint.ts'

/** An article whose text is remembered. */
export interface RememberedText {
  readonly articleId: string
  /** Offset of the record it came from. */
  readonly order: number
  /** Event time, milliseconds since 1970. */
  readonly time: number
  readonly dated: boolean
  readonly group: string
  readonly print: Fingerprint
}

/** One text, and every article that has it word for word, first to arrive first. */
export interface ClusteredBody {
  readonly print: Fingerprint
  /** The bands that hold it; `null` when the text is too short. */
  readonly row: number | null
  readonly articles: RememberedText[]
}

/**
 * The texts of one namespace, found again by their hash and by their bands. A text is kept once, however many articles
 * print it, so that a flood of copies makes no look-up slower. Owned and mutated.
 */
export interface Texts {
  readonly byArticle: Map<string, RememberedText>
  readonly bodies: Map<string, ClusteredBody>
  readonly byRow: (ClusteredBody | undefined)[]
  readonly free: number[]
  readonly bands: BandTable
  /** Articles of each syndication group, first to arrive first. */
  readonly groups: Map<string, RememberedText[]>
}

export const noTexts = (): Texts => ({
  byArticle: new Map(),
  bodies: new Map(),
  byRow: [],
  free: [],
  bands: new BandTable(),
  groups: new Map(),
})

export function addText(texts: Texts, text: RememberedText): void {
  const body = texts.bodies.get(text.print.hash) ?? openBody(texts, text.print)
  const shared = { ...text, print: body.print }
  texts.byArticle.set(text.articleId, shared)
  place(body.articles, shared)
  const group = texts.groups.get(text.group) ?? []
  texts.groups.set(text.group, group)
  place(group, shared)
}

export function removeText(texts: Texts, articleId: string): void {
  const text = texts.byArticle.get(articleId)
  if (text === undefined) return
  texts.byArticle.delete(articleId)
  const body = texts.bodies.get(text.print.hash)
  if (body !== undefined && isLast(body.articles, text)) closeBody(texts, body)
  const group = texts.groups.get(text.group)
  if (group !== undefined && isLast(group, text)) texts.groups.delete(text.group)
}

/** Takes it out; true: nothing is left. */
function isLast(articles: RememberedText[], text: RememberedText): boolean {
  articles.splice(articles.indexOf(text), 1)
  return articles.length === 0
}

function openBody(texts: Texts, print: Fingerprint): ClusteredBody {
  const row = print.shingles.length === 0 ? null : (texts.free.pop() ?? texts.byRow.length)
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

/** Restored entries may come in any order. */
function place(articles: RememberedText[], text: RememberedText): void {
  const after = articles.findLastIndex(({ order }) => order < text.order)
  articles.splice(after + 1, 0, text)
}

export interface TextQuery {
  readonly articleId: string
  readonly time: number
  readonly dated: boolean
  readonly print: Fingerprint
}

/** An article whose text may be near. */
export type ClusteredNear = Pick<RememberedText, 'articleId' | 'order' | 'group' | 'print'>

interface Reach {
  readonly windowMs: number
  /** Texts compared at most. */
  readonly limit: number
}

/**
 * Articles whose texts are worth comparing with one's own: of each such text the first to have arrived that is not the
 * article itself and lies within the window (where both are dated). Those that share most bands come first.
 */
export function nearTexts(texts: Texts, own: TextQuery, { windowMs, limit }: Reach): ClusteredNear[] {
  const found: { near: ClusteredNear; bands: number }[] = []
  const consider = (body: ClusteredBody | undefined, bands: number): void => {
    const near = body?.articles.find((article) => reaches(article, own, windowMs))
    if (near !== undefined) found.push({ near, bands })
  }
  consider(texts.bodies.get(own.print.hash), Infinity)
  if (own.print.shingles.length > 0) {
    for (const [row, bands] of texts.bands.sharing(own.print.bands)) {
      const body = texts.byRow[row]
      if (body?.print.hash !== own.print.hash) consider(body, bands)
    }
  }
  found.sort((a, b) => (a.bands === b.bands ? a.near.order - b.near.order : b.bands - a.bands))
  return found.slice(0, limit).map(({ near }) => near)
}

/** Whether an article is another one, near enough in time: where a date is missing time says nothing. */
export const reaches = (article: RememberedText, own: TextQuery, windowMs: number): boolean =>
  article.articleId !== own.articleId && (!article.dated || !own.dated || Math.abs(article.time - own.time) <= windowMs)

/**
 * Which texts are remembered, over all namespaces of a partition: the newest of each, as members are, so that a busy one
 * never pushes out those of a quiet one. It follows from the members in memory alone, in whatever order they are restored.
 */
export interface RecentTexts {
  size: number
  readonly byNamespace: Map<string, Recent>
}

interface Recent {
  readonly texts: Texts
  /** First to arrive first. */
  readonly arrivals: RecentTextArrival[]
}

type RecentTextArrival = Pick<RememberedText, 'articleId' | 'order'>
export const noRecentTexts = (): RecentTexts => ({ size: 0, byNamespace: new Map() })

interface RecentTextsHome {
  readonly namespace: string
  readonly texts: Texts
  /** Texts remembered, over all namespaces. */
  readonly budget: number
}

interface Came {
  readonly order: number
  /** Called only if the text is remembered: it copies some kilobytes. */
  readonly read: () => RememberedText
}

/** Where it is one too many, the first to have arrived of the largest namespace is forgotten; itself, perhaps. */
export function rememberText(
  recent: RecentTexts,
  { namespace, texts, budget }: RecentTextsHome,
  { order, read }: Came,
): void {
  const own = recent.byNamespace.get(namespace) ?? { texts, arrivals: [] }
  const full = recent.size < budget ? null : largest(recent, namespace)
  if (full === namespace && order < (own.arrivals[0]?.order ?? Infinity)) return

  const text = read()
  addText(texts, text)
  own.arrivals.splice(placeOf(own.arrivals, order), 0, { articleId: text.articleId, order })
  recent.byNamespace.set(namespace, own)
  recent.size++
  if (full !== null) expire(recent, full, 0)
}

/** The namespace with the most texts, one more of `arriving` counted in; of equals the first by name, as members leave. */
function largest({ byNamespace }: RecentTexts, arriving: string): string {
  let name = arriving
  let most = (byNamespace.get(arriving)?.arrivals.length ?? 0) + 1
  for (const [other, { arrivals }] of byNamespace) {
    if (other === arriving) continue
    if (arrivals.length > most || (arrivals.length === most && other < name)) {
      name = other
      most = arrivals.length
    }
  }
  return name
}

export function forgetText(recent: RecentTexts, namespace: string, articleId: string): void {
  const kept = recent.byNamespace.get(namespace)
  const text = kept?.texts.byArticle.get(articleId)
  if (kept !== undefined && text !== undefined) expire(recent, namespace, placeOf(kept.arrivals, text.order))
}

function expire(recent: RecentTexts, namespace: string, at: number): void {
  const kept = recent.byNamespace.get(namespace)
  const [gone] = kept?.arrivals.splice(at, 1) ?? []
  if (kept === undefined || gone === undefined) return
  removeText(kept.texts, gone.articleId)
  recent.size--
  if (kept.arrivals.length === 0) recent.byNamespace.delete(namespace)
}

/** Index of the first that did not arrive before `order`: they are sorted. */
const placeOf = (arrivals: readonly RecentTextArrival[], order: number): number =>
  countBefore(arrivals.length, (i) => (arrivals[i]?.order ?? Infinity) < order)
