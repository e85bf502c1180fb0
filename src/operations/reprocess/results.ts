import { createHash } from 'node:crypto'

/** Results of one version by name. Two versions of a result have the same name. */
export type Results = ReadonlyMap<string, Profile>

/** The distribution of a number over all results that both versions have. */
export interface ResultsSpread {
  readonly mean: number
  readonly p10: number
  readonly p50: number
  readonly p90: number
}

export interface FieldDifference {
  readonly field: string
  /** Number of results in which the field differs. */
  readonly differ: number
  /** `null` if the field is not numeric. */
  readonly before: ResultsSpread | null
  readonly after: ResultsSpread | null
}

export interface ResultsComparison {
  /** Results that both versions have. */
  readonly compared: number
  readonly same: number
  readonly differ: number
  /** Results of only one version: the other skipped or rejected the input, or has not read it. */
  readonly only_before: number
  readonly only_after: number
  /** Fields that differ in some results, the most frequent first. */
  readonly fields: readonly FieldDifference[]
  readonly examples: readonly ResultsExample[]
}

interface ResultsExample {
  readonly of: string
  /** Field to its old and new value. */
  readonly fields: Readonly<Record<string, readonly [before: Value, after: Value]>>
}

type Value = number | string | null

const EXAMPLES = 5

/** Compares the results of two versions of a stage. */
export function compareResults(before: Results, after: Results): ResultsComparison {
  const shared = [...after].flatMap(([of, now]) => {
    const was = before.get(of)
    return was === undefined ? [] : [{ of, was, now, fields: differing(was, now) }]
  })
  const changed = shared.filter(({ fields }) => fields.length > 0)
  const counts = new Map<string, number>()
  for (const field of changed.flatMap(({ fields }) => fields)) counts.set(field, (counts.get(field) ?? 0) + 1)
  const numbers = (field: string, of: 'was' | 'now'): ResultsSpread | null =>
    spread(shared.map((one) => one[of].get(field) ?? null))
  return {
    compared: shared.length,
    same: shared.length - changed.length,
    differ: changed.length,
    only_before: [...before.keys()].filter((of) => !after.has(of)).length,
    only_after: [...after.keys()].filter((of) => !before.has(of)).length,
    fields: [...counts]
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .map(([field, differ]) => ({ field, differ, before: numbers(field, 'was'), after: numbers(field, 'now') })),
    examples: changed.slice(0, EXAMPLES).map(({ of, was, now, fields }) => ({
      of,
      fields: Object.fromEntries(fields.map((field) => [field, [was.get(field) ?? null, now.get(field) ?? null]])),
    })),
  }
}

/** The fields that differ. */
export const differing = (was: Profile, now: Profile): string[] =>
  [...new Set([...was.keys(), ...now.keys()])].filter((field) => was.get(field) !== now.get(field))

/** `null` unless all values are numbers. */
function spread(values: readonly Value[]): ResultsSpread | null {
  const numbers = values.filter((value): value is number => typeof value === 'number').sort((a, b) => a - b)
  if (numbers.length === 0 || numbers.length < values.length) return null
  const at = (share: number): number => numbers[Math.floor(share * (numbers.length - 1))] ?? 0
  return { mean: numbers.reduce((sum, one) => sum + one, 0) / numbers.length, p10: at(0.1), p50: at(0.5), p90: at(0.9) }
}

/** The fields of an event, small enough to keep for every event of a topic: long values are replaced by a hash. */
export type Profile = ReadonlyMap<string, number | string>

/** The cause, the producer and the id of an event, which always differ between two versions. */
const ENVELOPE = new Set(['event_id', 'caused_by', 'produced_by'])

/** Longer texts are kept as a hash. */
const SHORT = 40

/** The fields of an event; those of a nested object as `quality.depth`. */
export function profileOf(event: object): Profile {
  const profile = new Map<string, number | string>()
  for (const [name, value] of Object.entries(event) as [string, unknown][]) {
    if (ENVELOPE.has(name)) continue
    if (!isRecord(value)) profile.set(name, rendered(value))
    else for (const [inner, part] of Object.entries(value)) profile.set(`${name}.${inner}`, rendered(part))
  }
  return profile
}

/** A short digest of a profile: equal content has an equal digest. */
export const digestOf = (profile: Profile): string => hash(JSON.stringify([...profile]))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)

function rendered(value: unknown): number | string {
  if (typeof value === 'number') return value
  if (Buffer.isBuffer(value)) return hash(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHORT ? hash(text) : text
}

const hash = (of: string | Buffer): string => createHash('sha256').update(of).digest('base64url').slice(0, 16)
