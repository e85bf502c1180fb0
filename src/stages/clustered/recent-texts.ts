import { addText, removeText, type RememberedText, type Texts } from './texts.ts'

/**
 * Which texts are remembered, over all namespaces of a partition: those of the newest so many records of the log. So it
 * follows from the members in memory alone, in whatever order they are restored.
 */
export interface RecentTexts {
  /** Offset of the newest member. */
  newest: number
  readonly byOrder: Map<number, { readonly texts: Texts; readonly articleId: string }>
}

export const noRecentTexts = (): RecentTexts => ({ newest: -Infinity, byOrder: new Map() })

interface Came {
  readonly text: RememberedText
  /** Texts `budget` records older than the newest member are forgotten. */
  readonly budget: number
}

export function rememberText(recent: RecentTexts, texts: Texts, { text, budget }: Came): void {
  if (text.order > recent.newest) advance(recent, text.order, budget)
  if (text.order <= recent.newest - budget || text.print.hash === '') return
  addText(texts, text)
  recent.byOrder.set(text.order, { texts, articleId: text.articleId })
}

function advance(recent: RecentTexts, order: number, budget: number): void {
  const last = order - budget
  const steps = last - Math.max(recent.newest - budget, -1)
  recent.newest = order
  if (steps > recent.byOrder.size) {
    for (const old of recent.byOrder.keys()) if (old <= last) expire(recent, old)
  } else for (let old = last; old > last - steps; old--) expire(recent, old)
}

export function forgetText(recent: RecentTexts, texts: Texts, articleId: string): void {
  const text = texts.byArticle.get(articleId)
  if (text !== undefined) expire(recent, text.order)
}

function expire({ byOrder }: RecentTexts, order: number): void {
  const old = byOrder.get(order)
  if (old === undefined) return
  removeText(old.texts, old.articleId)
  byOrder.delete(order)
}
