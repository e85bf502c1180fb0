import type { Agreement } from './agreement.ts'
import type { FieldDifference, ResultsComparison } from './results.ts'

/** Totals of a switch: published results or ledger entries, and state updates of the stage. */
export interface ReprocessTotals {
  readonly events: number
  readonly entries: number
  /** Number of attempts over all partitions. An attempt fails if the running stage takes its partition back. */
  readonly attempts: number
  /** Milliseconds from fencing the running stage to the last commit, for the slowest partition; 0 without state. */
  readonly took_ms: number
}

/** The result of a reprocessing. */
export interface ReprocessReport {
  readonly stage: string
  /** Versions in the live results and in those of the shadow run. */
  readonly versions_before: readonly string[]
  readonly versions_after: readonly string[]
  /** Only for the clusterer. */
  readonly stories: Agreement | null
  /** For all other stages. */
  readonly results: ResultsComparison | null
  /** `null` if nothing was switched. */
  readonly switched: ReprocessTotals | null
  /** Why a requested switch was not done. */
  readonly held: string | null
  /** Number of deleted topics. */
  readonly dropped: number
}

export const linesOf = (report: ReprocessReport): readonly string[] => [
  `${report.stage}: ${named(report.versions_before)} in the log, ${named(report.versions_after)} in the shadow run`,
  ...(report.stories === null ? [] : storyLines(report.stories)),
  ...(report.results === null ? [] : resultLines(report.results)),
  endLine(report),
  ...(report.dropped === 0 ? [] : [`${report.dropped} topics of the shadow run deleted`]),
]

const named = (versions: readonly string[]): string =>
  versions.length === 0 ? 'no results' : `version ${versions.join(', ')}`

const endLine = ({ switched, held }: ReprocessReport): string => {
  if (switched === null) return held === null ? 'not switched (--dry-run)' : `not switched: ${held}`
  const { events, entries, attempts, took_ms } = switched
  const memory = entries === 0 ? '' : `, ${entries} state updates`
  const fenced = took_ms === 0 ? '' : ` in ${Math.round(took_ms)} ms (${attempts} attempt(s))`
  return `switched: ${events} events emitted${memory}${fenced}`
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`

const storyLines = (found: Agreement): readonly string[] => [
  `${found.articles} articles (${found.only_before} only before, ${found.only_after} only after)`,
  `${found.stories_before} stories before, ${found.stories_after} after: ${found.opened} new ids, ${found.merged} merged`,
  `${found.moved} articles reassigned; ${found.split} stories split, ${found.joined} receive articles from several stories`,
  `${percent(found.kept_share)} of the article pairs stay in one story (${found.pairs_kept} of ${found.pairs})`,
  `B-cubed compared with before: precision ${percent(found.b_cubed.precision)}, recall ${percent(found.b_cubed.recall)}`,
  ...found.examples.map(({ article, from, to, namespace }) => `  ${namespace} ${article}: ${from} -> ${to}`),
]

const resultLines = (found: ResultsComparison): readonly string[] => [
  `${found.compared} results compared: ${found.same} equal, ${found.differ} different`,
  `${found.only_before} only before, ${found.only_after} only after`,
  ...found.fields.map(fieldLine),
  ...found.examples.map(({ of, fields }) => `  ${of}: ${Object.keys(fields).join(', ')}`),
]

const fieldLine = ({ field, differ, before, after }: FieldDifference): string => {
  if (before === null || after === null) return `  ${field.padEnd(28)} ${differ}`
  const [was, now] = [before, after].map(({ mean, p10, p50, p90 }) => [mean, p10, p50, p90].map(short).join(' '))
  return `  ${field.padEnd(28)} ${differ}  mean, 10th, 50th, 90th: ${was ?? ''} -> ${now ?? ''}`
}

const short = (value: number): string => String(Number(value.toPrecision(4)))
