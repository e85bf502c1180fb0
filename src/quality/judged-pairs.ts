import { z } from 'zod'
import { DAY_MS } from '../domain/days.ts'
import { measure, ratio } from '../domain/quality/b-cubed.ts'
import { checkKnown, type LabelledArticle } from './labelled-articles.ts'
import { BadLine, jsonLine, linesOf } from './labelled-file.ts'

/**
 * Two articles and the judgement of an annotator who read both: the same event, the same subject, neither, or
 * undecidable from the texts.
 */
const Line = z.object({
  a: z.string(),
  b: z.string(),
  label: z.enum(['same', 'subject', 'different', 'unsure']),
})

export interface JudgedPair {
  readonly a: string
  readonly b: string
  /** Both report the same event, so they belong in one story. */
  readonly same: boolean
}

/** Reads judged pairs from JSON lines. Pairs labelled `unsure` are skipped. Throws `BadLine`. */
export const judgedPairs = (text: string): readonly JudgedPair[] =>
  linesOf(text).flatMap((line, i) => {
    if (line.trim() === '') return []
    const { a, b, label } = jsonLine(line, i + 1, Line)
    if (a === b) throw new BadLine(i + 1, `${a} is paired with itself`)
    return label === 'unsure' ? [] : [{ a, b, same: label === 'same' }]
  })

/** Throws if a pair names an unknown article. */
export const checkArticles = (pairs: readonly JudgedPair[], known: ReadonlySet<string>): void =>
  checkKnown(
    'judged pairs',
    pairs.flatMap(({ a, b }) => [a, b]),
    known,
  )

/**
 * Precision and recall of "both are in one story" as a prediction of "both report one event". `storyOf`: story by
 * article id.
 */
export function scorePairs(pairs: readonly JudgedPair[], storyOf: ReadonlyMap<string, string>) {
  const inOneStory = pairs.filter(({ a, b }) => storyOf.has(a) && storyOf.get(a) === storyOf.get(b))
  const same = pairs.filter((pair) => pair.same).length
  const right = inOneStory.filter((pair) => pair.same).length
  return { ...measure(ratio(right, inOneStory.length), ratio(right, same)), n: pairs.length }
}

const WEEK_MS = 7 * DAY_MS
/** Weeks begin on Sundays: the first Sunday after 1970-01-01. */
const FIRST_WEEK = 3 * DAY_MS

/**
 * Splits judged pairs by the week of their later article: in alternating weeks they are used to train the weights of
 * the clusterer, or to measure them. Pairs in which an article has no date are used for training.
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
 * Splits pairs by the number of articles published on their days. A pair is busy if one of its articles is from a day
 * with more articles than the mean of the file's days. Pairs without any date are in neither part.
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
  const density = ({ a, b }: JudgedPair): number =>
    Math.max(...[a, b].map((id) => articlesOn.get(dayOf.get(id) ?? NaN) ?? 0))
  const dated = pairs.filter((pair) => density(pair) > 0)
  return { busy: dated.filter((pair) => density(pair) > mean), quiet: dated.filter((pair) => density(pair) <= mean) }
}
