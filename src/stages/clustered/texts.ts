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
  /** Where the bands have it; null: too short for them. */
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
