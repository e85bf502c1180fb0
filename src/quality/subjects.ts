import { z } from 'zod'
import { ratio } from '../domain/quality/b-cubed.ts'
import { pairsOf } from './labelled-articles.ts'
import { jsonLines } from './labelled-file.ts'
import type { LedgerLine } from './story-replay.ts'

const Label = z.object({
  id: z.string(),
  week: z.string(),
  event: z.string().nullable(),
  subject: z.string().nullable(),
})

/**
 * An annotator's labels of an article, assigned after reading the whole week. `null` if no other article of the week
 * shares its event or subject.
 */
export type SubjectLabel = z.infer<typeof Label>

/** Reads labels from JSON lines. Throws `BadLine`. */
export const subjectLabels = (text: string): readonly SubjectLabel[] => jsonLines(text, Label)

/**
 * Of every four weeks, the first is used for training and the second for measuring: as many articles as can be
 * clustered within minutes.
 */
export function halvesOf(labels: readonly SubjectLabel[]): Readonly<Record<'learn' | 'measure', SubjectLabel[]>> {
  const weeks = [...new Set(labels.map(({ week }) => week))].sort()
  const ofEveryFour = (remainder: number): SubjectLabel[] => {
    const own = new Set(weeks.filter((_, i) => i % 4 === remainder))
    return labels.filter(({ week }) => own.has(week))
  }
  return { learn: ofEveryFour(0), measure: ofEveryFour(1) }
}

/** The subject page of each article that is on one, by article id, at the end of a replay. */
export function pagesOf(ledger: readonly LedgerLine[]): ReadonlyMap<string, string> {
  const pages = new Map<string, string>()
  for (const { event } of ledger) {
    const { article_id, subject_id, change } = event
    if (subject_id !== null) pages.set(article_id, subject_id)
    for (const listed of change?.subjects ?? []) for (const id of listed.article_ids) pages.set(id, listed.subject_id)
  }
  return pages
}

/** The min size of a subject for its page to open. */
interface MinSize {
  readonly min_articles: number
  readonly min_stories: number
}

/**
 * Compares subject pages with labels. Values are shares of pairs of articles of one week, 0 to 1; `n` is the number of
 * pairs. `pageOf`: page by label id. A subject counts towards recall if it is large enough for a page.
 */
export function scoreSubjects(labels: readonly SubjectLabel[], pageOf: ReadonlyMap<string, string>, min: MinSize) {
  const isListed = ([a, b]: QualityPair): boolean => pageOf.has(a.id) && pageOf.get(a.id) === pageOf.get(b.id)
  const count = { listed: 0, right: 0, large: 0, found: 0 }
  for (const some of weeksOf(labels)) {
    const large = largeSubjects(some, min)
    const listed = pairsOf(some).filter(isListed)
    const expected = pairsOf(some).filter((pair) => isSameSubject(pair) && large.has(pair[0].subject ?? ''))
    count.listed += listed.length
    count.right += listed.filter(isSameSubject).length
    count.large += expected.length
    count.found += expected.filter(isListed).length
  }
  return {
    /** Of the pairs on one page, the share that have the same subject. */
    precision: { value: ratio(count.right, count.listed), n: count.listed },
    /** Of the pairs of a subject that is large enough for a page, the share that are on one page. */
    recall: { value: ratio(count.found, count.large), n: count.large },
  }
}

type QualityPair = readonly [SubjectLabel, SubjectLabel]

const isSameSubject = ([a, b]: QualityPair): boolean => a.subject !== null && a.subject === b.subject

function weeksOf(labels: readonly SubjectLabel[]): Iterable<readonly SubjectLabel[]> {
  const weeks = new Map<string, SubjectLabel[]>()
  for (const label of labels) weeks.set(label.week, [...(weeks.get(label.week) ?? []), label])
  return weeks.values()
}

function largeSubjects(some: readonly SubjectLabel[], { min_articles, min_stories }: MinSize): ReadonlySet<string> {
  const subjects = new Set(some.flatMap(({ subject }) => subject ?? []))
  return new Set(
    [...subjects].filter((subject) => {
      const own = some.filter((label) => label.subject === subject)
      return own.length >= min_articles && new Set(own.map(({ id, event }) => event ?? id)).size >= min_stories
    }),
  )
}
