import { z } from 'zod'

/** One figure of one labelled set. */
export const Figure = z.object({
  /** The set: its file in the data folder. */
  name: z.string(),
  measure: z.string(),
  /** 0 to 1. */
  value: z.number(),
  /** Things counted. */
  n: z.int(),
})
export type Figure = z.infer<typeof Figure>

/** Figures of one run of today's code. */
export const QualityRun = z.object({
  /** A day, `2026-11-21`. */
  measured_at: z.iso.date(),
  /** Names and hashes of the models it was measured with. */
  models: z.array(z.string()),
  figures: z.array(Figure),
})
export type QualityRun = z.infer<typeof QualityRun>

/** What was measured last on the labelled sets, and what the service decides with now. */
export interface PublishedQuality extends Readonly<Omit<QualityRun, 'figures'>> {
  /** The clusterer's rules, weights and tables, each by its version or hash: as they stand in every decision. */
  readonly versions: Readonly<Record<string, string>>
  readonly sets: readonly Figure[]
}

/** `docs/quality.json`: all sets whole, and the subset that guards every change. */
export const QualityRecord = z.object({ sets: QualityRun, gate: QualityRun })
export type QualityRecord = z.infer<typeof QualityRecord>

/** Measures that may fall by half a point of a hundred; the others, whose sets are larger and models others', by one. */
const HALF_A_POINT: ReadonlySet<string> = new Set(['b_cubed_f1'])

/** A figure may fall by so much. */
export const toleranceOf = (measure: string): number => (HALF_A_POINT.has(measure) ? 0.005 : 0.01)

/** `other_n`: another number of things was counted, so the two say nothing about each other. */
export type QualityVerdict = 'held' | 'dropped' | 'other_n' | 'new' | 'missing'

export interface Comparison {
  readonly name: string
  readonly measure: string
  /** `null` when new. */
  readonly baseline: number | null
  /** `null` when missing. */
  readonly value: number | null
  /** It may fall by so much. */
  readonly tolerance: number
  readonly verdict: QualityVerdict
}

/** Measured figures beside the recorded ones, in the order measured; then those that were not measured again. */
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

/** What fell by exactly the tolerance has held, whatever binary fractions make of it. */
const verdict = (fall: number, tolerance: number): QualityVerdict => (fall > tolerance + 1e-9 ? 'dropped' : 'held')

/** Whether a change may go in: nothing fell, and everything that was guarded still is. */
export const isFailure = ({ verdict }: Comparison): boolean =>
  verdict === 'dropped' || verdict === 'other_n' || verdict === 'missing'

/** Four places: what is recorded, and so what is compared. */
export const rounded = (figure: Figure): Figure => ({ ...figure, value: Math.round(figure.value * 1e4) / 1e4 })
