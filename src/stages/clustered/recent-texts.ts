import { addText, removeText, type RememberedText, type Texts } from './texts.ts'

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

export interface RecentTextsHome {
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
function placeOf(arrivals: readonly RecentTextArrival[], order: number): number {
  let from = 0
  let to = arrivals.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((arrivals[middle]?.order ?? Infinity) < order) from = middle + 1
    else to = middle
  }
  return from
}
