import { z } from 'zod'

/** A call of an operation as the contract test makes it. */
export interface RecordedCall {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** An entry of `examples.json`. */
const Example = z.looseObject({
  params: z.record(z.string(), z.string()).optional(),
  query: z.record(z.string(), z.unknown()).optional(),
  body: z.unknown().optional(),
  answer: z.unknown().optional(),
  answers: z.record(z.string(), z.unknown()).optional(),
})
export type Example = z.output<typeof Example>

export const ExampleFile = z.looseObject({ operations: z.record(z.string(), Example) })

/** `art_`, `sto_`, ...: a prefix and base32. */
const ID = /\b([a-z]{3})_([a-z2-7]{16,52})\b/g
const JOB_ID = /\b[0-7][0-9A-HJKMNP-TV-Z]{41}\b/g
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g
const SECRET = /\b(whsec_|pk_live_|token=)[\w+/=-]+/g
const TIMESTAMP = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z/g
const DAY = /^\d{4}-\d{2}-\d{2}$/
const FIRST_MOMENT = Date.UTC(2026, 10, 22, 8)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Durations and ages differ from run to run. */
const MEASURED = /_(ms|seconds|age_hours)$/
const AGE = /\b\d+ (minutes?|hours|days) old\b/g
const CURSORS: ReadonlySet<string> = new Set(['cursor', 'next_cursor'])
const A_CURSOR = 'eyJhIjoxfQ'
const MAX_OBJECTS = 2
const MAX_VALUES = 4

/**
 * Records answers with fixed ids, times and secrets, so that two runs record the same file. The first id of a prefix
 * becomes number 1 wherever it appears; times become minutes in their order within one call; long lists are shortened.
 */
export class ExampleRecorder {
  private readonly numbers = new Map<string, number>()
  private readonly counts = new Map<string, number>()
  private readonly operations: Record<string, Example>
  private readonly calls = new Map<string, number>()

  /** `known`: the examples as they are. Operations that are not recorded keep theirs. */
  constructor(known: Readonly<Record<string, Example>>) {
    this.operations = { ...known }
  }

  /** The second call of an operation counts only if its example has several kinds of answers. */
  add(operationId: string, call: RecordedCall, answer: unknown): void {
    const index = this.calls.get(operationId) ?? 0
    this.calls.set(operationId, index + 1)
    const before = this.operations[operationId] ?? {}
    const kind = before.answers === undefined ? undefined : Object.keys(before.answers)[index]
    if (index > 0 && kind === undefined) return

    const { call: sent, answer: got } = z
      .object({ call: Example, answer: z.unknown() })
      .parse(this.normalised({ call: { ...call, ...typedQuery(call) }, answer }))
    const fresh = index > 0 ? before : { ...before, ...sent }
    this.operations[operationId] =
      kind === undefined ? { ...fresh, answer: got } : { ...fresh, answers: { ...before.answers, [kind]: got } }
  }

  recorded(): Readonly<Record<string, Example>> {
    return this.operations
  }

  private normalised(value: unknown): unknown {
    const short = shortened(value)
    const times = ranks(textsOf(short).flatMap((text) => text.match(TIMESTAMP) ?? []))
    const days = ranks(textsOf(short).filter((text) => DAY.test(text)))
    return mapped(short, (text) => {
      if (DAY.test(text)) return new Date(FIRST_MOMENT + (days.get(text) ?? 0) * DAY_MS).toISOString().slice(0, 10)
      return text
        .replace(TIMESTAMP, (time) => new Date(FIRST_MOMENT + (times.get(time) ?? 0) * MINUTE_MS).toISOString())
        .replace(AGE, '2 $1 old')
        .replace(SECRET, (secret, prefix: string) => prefix + 'x'.repeat(secret.length - prefix.length))
        .replace(ID, (id, prefix: string, rest: string) => `${prefix}_${base32(this.number(prefix, id), rest.length)}`)
        .replace(JOB_ID, (id) => String(this.number('job', id)).padStart(id.length, '0'))
        .replace(UUID, (id) => `00000000-0000-4000-8000-${String(this.number('uuid', id)).padStart(12, '0')}`)
    })
  }

  private number(prefix: string, id: string): number {
    const known = this.numbers.get(id)
    if (known !== undefined) return known
    const next = (this.counts.get(prefix) ?? 0) + 1
    this.counts.set(prefix, next)
    this.numbers.set(id, next)
    return next
  }
}

/** Query values as JSON: a number or boolean stands unquoted in the document. */
const typedQuery = ({ query }: RecordedCall): Pick<Example, 'query'> =>
  query === undefined
    ? {}
    : { query: Object.fromEntries(Object.entries(query).map(([name, text]) => [name, typed(text)])) }

const typed = (text: string): unknown => (/^(true|false|-?\d+(\.\d+)?)$/.test(text) ? JSON.parse(text) : text)

/** `aaaaaaab`, `aaaaaaac`, ... */
function base32(value: number, length: number): string {
  const digits = 'abcdefghijklmnopqrstuvwxyz234567'
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 32)) text = digits.charAt(rest % 32) + text
  return text.padStart(length, 'a')
}

const ranks = (texts: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...new Set(texts)].sort().map((text, rank) => [text, rank]))

/** The same with long lists cut, cursors fixed and durations 1. */
function shortened(value: unknown, name = ''): unknown {
  if (typeof value === 'number') return MEASURED.test(name) ? 1 : value
  if (typeof value === 'string') return CURSORS.has(name) && value !== '' ? A_CURSOR : value
  if (Array.isArray(value)) {
    const most = value.some((one) => typeof one === 'object') ? MAX_OBJECTS : MAX_VALUES
    return value.slice(0, most).map((one) => shortened(one))
  }
  return entriesOf(value)?.(([key, inner]) => [key, shortened(inner, key)]) ?? value
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapped(one, change))
  return entriesOf(value)?.(([key, inner]) => [change(key), mapped(inner, change)]) ?? value
}

type MapEntry = (entry: readonly [string, unknown]) => readonly [string, unknown]

const entriesOf = (value: unknown): ((map: MapEntry) => object) | undefined =>
  typeof value === 'object' && value !== null
    ? (map) => Object.fromEntries(Object.entries(value).map(([key, inner]) => map([key, inner])))
    : undefined

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)])
}
