import { createHash } from 'node:crypto'

/** Results of one version, by what they are about: two versions of a result have the same name. */
export type Results = ReadonlyMap<string, Profile>

/** How a number lies over all results that both versions have. */
export interface ResultsSpread {
  readonly mean: number
  readonly p10: number
  readonly p50: number
  readonly p90: number
}

export interface FieldDifference {
  readonly field: string
  /** Results in which it is not the same. */
  readonly differ: number
  /** Of a field of numbers; null of others. */
  readonly before: ResultsSpread | null
  readonly after: ResultsSpread | null
}

export interface ResultsComparison {
  /** Results that both versions have. */
  readonly compared: number
  readonly same: number
  readonly differ: number
  /** Results that only one of them has: the other skipped the input, refused it, or has not seen it. */
  readonly only_before: number
  readonly only_after: number
  /** Those that are not the same everywhere, the most often different first. */
  readonly fields: readonly FieldDifference[]
  readonly examples: readonly ResultsExample[]
}

interface ResultsExample {
  readonly of: string
  /** Field to what it was and what it would be. */
  readonly fields: Readonly<Record<string, readonly [before: Value, after: Value]>>
}

type Value = number | string | null

const EXAMPLES = 5

/** What a new version of a stage says otherwise than the old one. */
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

/** Fields in which the two are not the same. */
export const differing = (was: Profile, now: Profile): string[] =>
  [...new Set([...was.keys(), ...now.keys()])].filter((field) => was.get(field) !== now.get(field))

/** Null where not all are numbers. */
function spread(values: readonly Value[]): ResultsSpread | null {
  const numbers = values.filter((value): value is number => typeof value === 'number').sort((a, b) => a - b)
  if (numbers.length === 0 || numbers.length < values.length) return null
  const at = (share: number): number => numbers[Math.floor(share * (numbers.length - 1))] ?? 0
  return { mean: numbers.reduce((sum, one) => sum + one, 0) / numbers.length, p10: at(0.1), p50: at(0.5), p90: at(0.9) }
}

/** What an event says, field by field, small enough to keep of every event of a topic; of long values their hash. */
export type Profile = ReadonlyMap<string, number | string>

/** The origin and the producer of an event, which differ between two versions by their nature. */
const ENVELOPE = new Set(['event_id', 'caused_by', 'produced_by'])

/** Longer texts are kept as a hash. */
const SHORT = 40

/** An event's fields, those of what lies in it one level down as `quality.depth`. */
export function profileOf(event: object): Profile {
  const profile = new Map<string, number | string>()
  for (const [name, value] of Object.entries(event) as [string, unknown][]) {
    if (ENVELOPE.has(name)) continue
    if (!isRecord(value)) profile.set(name, rendered(value))
    else for (const [inner, part] of Object.entries(value)) profile.set(`${name}.${inner}`, rendered(part))
  }
  return profile
}

/** One short text for all that an event says: equal content, equal digest. */
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
