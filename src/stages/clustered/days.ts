import { dayOf } from '../../domain/days.ts'
import type { Weights } from '../../language/clustering/model.ts'
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
  /** Rebuild after this long without a new article; longer for large windows (`delaysOf`). */
  readonly quiet_minutes: number
  /** Rebuild once an article has waited this long, even if more articles keep arriving. */
  readonly most_minutes: number
}

/**
 * Event days to rebuild, in order: all with waiting articles, or none while articles keep arriving and none has waited
 * too long. A rebuild costs the same for one new article as for a hundred.
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

/** The number of articles on a day. */
type ArticlesOn = (day: number) => number

/**
 * Days, each with the later days with articles whose window includes it. A window has `width` days and ends with its own
 * day.
 */
export const daysTouched = (days: Iterable<number>, articlesOn: ArticlesOn, width: number): ReadonlySet<number> =>
  new Set(
    [...days].flatMap((day) =>
      Array.from({ length: width }, (_, i) => day + i).filter((other) => other === day || articlesOn(other) > 0),
    ),
  )

/** The articles of the window of `width` days that ends with a day. */
export function articlesAround(day: number, articlesOn: ArticlesOn, width: number): number {
  let articles = 0
  for (let d = day - width + 1; d <= day; d++) articles += articlesOn(d)
  return articles
}

/** Articles that a rebuild may read after `quiet_minutes`, and for each article that waits. Reading one takes about 1.5 ms. */
const READ_AT_ONCE = 1_000
const READ_EACH = 50

/**
 * How long the articles that wait now wait for their rebuild. Where few of them meet a large window, it waits for a longer
 * quiet time: else a steady feed would rebuild its whole window for nearly each article. So rebuilds take at most about
 * 2.5 % of a core, or 0.08 s for each article.
 */
export function delaysOf(
  { unsettled }: RebuiltDays,
  articlesOn: ArticlesOn,
  { window_days, most_articles, quiet_minutes, most_minutes }: Weights['rebuild'],
): RebuildDelays {
  const windows = [...daysTouched(unsettled.keys(), articlesOn, window_days)]
  const read = windows.reduce(
    (sum, day) => sum + Math.min(most_articles, articlesAround(day, articlesOn, window_days)),
    0,
  )
  const waiting = [...unsettled.values()].reduce((sum, { size }) => sum + size, 0)
  const isWorthIt = read <= READ_EACH * waiting
  return { quiet_minutes: quiet_minutes * (isWorthIt ? 1 : Math.max(1, read / READ_AT_ONCE)), most_minutes }
}
