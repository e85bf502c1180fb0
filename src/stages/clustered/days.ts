import { dayOf } from '../../domain/days.ts'
import type { RebuiltDay } from './changelog.ts'

export const dayNamed = (name: string): number => dayOf(Date.parse(`${name}T00:00:00Z`))

/**
 * Which event days of a namespace were rebuilt, and which articles arrived since. Depends only on the articles in
 * memory, not on their order.
 */
export interface RebuiltDays {
  /** Event day to the offset up to which it was rebuilt. */
  readonly upTo: Map<number, number>
  /** Event day to the articles that arrived since the rebuild; no entry for a day without such articles. */
  readonly unsettled: Map<number, Map<string, DayArticle>>
}

/** An article that waits for the rebuild of its day. */
export interface DayArticle {
  readonly articleId: string
  readonly order: number
  readonly loggedAt: number
  readonly features: { readonly time: number }
}

export const noDays = (): RebuiltDays => ({ upTo: new Map(), unsettled: new Map() })

export function articleArrived({ upTo, unsettled }: RebuiltDays, article: DayArticle): void {
  const day = dayOf(article.features.time)
  if (article.order < (upTo.get(day) ?? 0)) return
  const waiting = unsettled.get(day) ?? new Map<string, DayArticle>()
  unsettled.set(day, waiting.set(article.articleId, article))
}

export function articleRemoved({ unsettled }: RebuiltDays, { articleId, features }: DayArticle): void {
  const day = dayOf(features.time)
  const waiting = unsettled.get(day)
  waiting?.delete(articleId)
  if (waiting?.size === 0) unsettled.delete(day)
}

/** The last article of a day was evicted. */
export function dayEvicted({ upTo }: RebuiltDays, name: string): void {
  upTo.delete(dayNamed(name))
}

export function dayRebuilt({ upTo, unsettled }: RebuiltDays, { day: name, up_to }: RebuiltDay): void {
  const day = dayNamed(name)
  upTo.set(day, up_to)
  const waiting = [...(unsettled.get(day)?.values() ?? [])].filter(({ order }) => order >= up_to)
  if (waiting.length === 0) unsettled.delete(day)
  else unsettled.set(day, new Map(waiting.map((article) => [article.articleId, article])))
}

/** When days are rebuilt, in minutes. */
export interface RebuildDelays {
  /** Rebuild after this long without a new article. */
  readonly quiet_minutes: number
  /** Rebuild once an article has waited this long, even if more articles keep arriving. */
  readonly most_minutes: number
}

/**
 * Event days to rebuild, in order: all with waiting articles, or none while articles keep arriving and none has waited
 * too long.
 */
export function daysDue(
  { unsettled }: RebuiltDays,
  now: { readonly loggedAt: number; readonly flush: boolean },
  patience: RebuildDelays,
): number[] {
  let first = Infinity
  let last = -Infinity
  for (const waiting of unsettled.values()) {
    for (const { loggedAt } of waiting.values()) {
      first = Math.min(first, loggedAt)
      last = Math.max(last, loggedAt)
    }
  }
  const isQuiet = now.loggedAt - last >= patience.quiet_minutes * 60_000
  const waitedLong = now.loggedAt - first >= patience.most_minutes * 60_000
  return now.flush || isQuiet || waitedLong ? [...unsettled.keys()].sort((a, b) => a - b) : []
}
