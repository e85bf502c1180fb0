import { z } from 'zod'
import { DAY_MS } from '../domain/days.ts'
import { measure, ratio } from '../domain/quality/b-cubed.ts'
import { checkKnown, type LabelledArticle } from './labelled-articles.ts'
import { BadLine, jsonLine, linesOf } from './labelled-file.ts'

/** Two articles, and what a reader of both said: one event, one subject, neither, or not decidable from the texts. */
const Line = z.object({
  a: z.string(),
  b: z.string(),
  label: z.enum(['same', 'subject', 'different', 'unsure']),
})

export interface JudgedPair {
  readonly a: string
  readonly b: string
  /** One event: they belong to one story. */
  readonly same: boolean
}

/** Pairs of a file of JSON lines; what its reader was unsure of is left out. Throws `BadLine`. */
export const judgedPairs = (text: string): readonly JudgedPair[] =>
  linesOf(text).flatMap((line, i) => {
    if (line.trim() === '') return []
    const { a, b, label } = jsonLine(line, i + 1, Line)
    if (a === b) throw new BadLine(i + 1, `${a} is paired with itself`)
    return label === 'unsure' ? [] : [{ a, b, same: label === 'same' }]
  })

/** Throws where a pair names an article that is not known. */
export const checkArticles = (pairs: readonly JudgedPair[], known: ReadonlySet<string>): void =>
  checkKnown(
    'judged pairs',
    pairs.flatMap(({ a, b }) => [a, b]),
    known,
  )

/** Precision and recall of "both are in one story" against "both report one event". `storyOf`: id of an article to its story. */
export function scorePairs(pairs: readonly JudgedPair[], storyOf: ReadonlyMap<string, string>) {
  const together = pairs.filter(({ a, b }) => storyOf.has(a) && storyOf.get(a) === storyOf.get(b))
  const same = pairs.filter((pair) => pair.same).length
  const right = together.filter((pair) => pair.same).length
  return { ...measure(ratio(right, together.length), ratio(right, same)), n: pairs.length }
}

const WEEK_MS = 7 * DAY_MS
/** Weeks begin on Sundays: the first one after 1970-01-01. */
const FIRST_WEEK = 3 * DAY_MS

/**
 * Judged pairs of every other week, by the later of their articles: from the pairs of one week in two the weights of the
 * clusterer are learned, with those of the other they are measured. Pairs without a date are learned from.
 */
export function byHalf(
  pairs: readonly JudgedPair[],
  publishedOf: ReadonlyMap<string, number | null>,
): Readonly<Record<'learn' | 'measure', readonly JudgedPair[]>> {
  const isMeasured = ({ a, b }: JudgedPair): boolean => {
    const [first, second] = [publishedOf.get(a) ?? null, publishedOf.get(b) ?? null]
    if (first === null || second === null) return false
    return Math.floor((Math.max(first, second) - FIRST_WEEK) / WEEK_MS) % 2 !== 0
  }
  return { learn: pairs.filter((pair) => !isMeasured(pair)), measure: pairs.filter(isMeasured) }
}

/**
 * Pairs by how much was published on the day: busy is a day with more articles than the mean of the file's days, and a pair
 * with an article of such a day. Pairs without any date are in neither.
 */
export function byDensity(
  pairs: readonly JudgedPair[],
  articles: readonly Pick<LabelledArticle, 'id' | 'published'>[],
): Readonly<Record<'busy' | 'quiet', readonly JudgedPair[]>> {
  const dayOf = new Map(
    articles.flatMap(({ id, published }) =>
      published === null ? [] : [[id, Math.floor(published / DAY_MS)] as const],
    ),
  )
  const articlesOn = new Map<number, number>()
  for (const day of dayOf.values()) articlesOn.set(day, (articlesOn.get(day) ?? 0) + 1)
  const mean = dayOf.size / articlesOn.size
  const most = ({ a, b }: JudgedPair): number =>
    Math.max(...[a, b].map((id) => articlesOn.get(dayOf.get(id) ?? NaN) ?? 0))
  const dated = pairs.filter((pair) => most(pair) > 0)
  return { busy: dated.filter((pair) => most(pair) > mean), quiet: dated.filter((pair) => most(pair) <= mean) }
}
