import { z } from 'zod'

/** One figure of one labelled set. */
export const Figure = z.object({
  /** Name of the labelled set: its file in the data folder. */
  name: z.string(),
  measure: z.string(),
  /** 0 to 1. */
  value: z.number(),
  /** Number of items counted. */
  n: z.int(),
})
export type Figure = z.infer<typeof Figure>

/** The figures of one measurement of the code. */
export const QualityRun = z.object({
  /** A day, `2026-11-21`. */
  measured_at: z.iso.date(),
  /** Names and hashes of the models that were measured. */
  models: z.array(z.string()),
  figures: z.array(Figure),
})
export type QualityRun = z.infer<typeof QualityRun>

/** The figures last measured on the labelled sets, and the versions the service uses now. */
export interface PublishedQuality extends Readonly<Omit<QualityRun, 'figures'>> {
  /** Versions or hashes of the clusterer's rules, weights and tables, as recorded in every decision. */
  readonly versions: Readonly<Record<string, string>>
  readonly sets: readonly Figure[]
}

/** `docs/quality.json`: the complete sets, and the subset that gates every change. */
export const QualityRecord = z.object({ sets: QualityRun, gate: QualityRun })
export type QualityRecord = z.infer<typeof QualityRecord>

/** Measures that may fall by at most 0.005. All others may fall by at most 0.01. */
const SMALL_TOLERANCE: ReadonlySet<string> = new Set(['b_cubed_f1'])

/** How much the figure of a measure may fall. */
export const toleranceOf = (measure: string): number => (SMALL_TOLERANCE.has(measure) ? 0.005 : 0.01)

/** `other_n`: the number of items differs, so the two figures cannot be compared. */
export type QualityVerdict = 'held' | 'dropped' | 'other_n' | 'new' | 'missing'

export interface Comparison {
  readonly name: string
  readonly measure: string
  /** `null` if the figure is new. */
  readonly baseline: number | null
  /** `null` if the figure was not measured. */
  readonly value: number | null
  /** How much the figure may fall. */
  readonly tolerance: number
  readonly verdict: QualityVerdict
}

/** Compares measured figures with the recorded ones, in the order measured; then lists those that were not measured. */
export function compared(recorded: readonly Figure[], measured: readonly Figure[]): readonly Comparison[] {
  const known = new Map(recorded.map((figure) => [keyOf(figure), figure]))
  const seen = new Set(measured.map(keyOf))
  return [
    ...measured.map((figure) => comparison(known.get(keyOf(figure)), figure)),
    ...recorded
      .filter((figure) => !seen.has(keyOf(figure)))
      .map(({ name, measure, value }) => ({
        name,
        measure,
        baseline: value,
        value: null,
        tolerance: toleranceOf(measure),
        verdict: 'missing' as const,
      })),
  ]
}

const keyOf = ({ name, measure }: Figure): string => JSON.stringify([name, measure])

const comparison = (baseline: Figure | undefined, { name, measure, value, n }: Figure): Comparison => ({
  name,
  measure,
  baseline: baseline?.value ?? null,
  value,
  tolerance: toleranceOf(measure),
  verdict:
    baseline === undefined
      ? 'new'
      : baseline.n === n
        ? verdict(baseline.value - value, toleranceOf(measure))
        : 'other_n',
})

/** A fall of exactly the tolerance is accepted; the margin absorbs rounding errors. */
const verdict = (fall: number, tolerance: number): QualityVerdict => (fall > tolerance + 1e-9 ? 'dropped' : 'held')

/** Whether the figure blocks a change: it fell, its number of items changed, or it was not measured. */
export const isFailure = ({ verdict }: Comparison): boolean =>
  verdict === 'dropped' || verdict === 'other_n' || verdict === 'missing'

/** Rounds to four decimals, which is what is recorded and compared. */
export const rounded = (figure: Figure): Figure => ({ ...figure, value: Math.round(figure.value * 1e4) / 1e4 })
