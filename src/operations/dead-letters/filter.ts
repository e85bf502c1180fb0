import { isNamespace } from '../../domain/intake/articles.ts'
import { momentOf } from '../moment.ts'
import { placeName, type DeadRecord } from './letters.ts'

/** As commander reads them from the command line. */
export interface FilterOptions {
  readonly stage?: string
  readonly topic?: string
  readonly reason?: string
  readonly namespace?: string
  readonly since?: string
  readonly until?: string
  readonly id?: readonly string[]
  readonly limit?: string
  readonly settled?: true
}

/** Which letters are meant. */
export interface Filter {
  readonly stage: string | null
  readonly reason: string | null
  readonly namespace: string | null
  /** When it was set aside, milliseconds since 1970: from `since` on, before `until`. */
  readonly since: number
  readonly until: number
  /** Places of letters, or of the records they are about; empty: all. */
  readonly places: ReadonlySet<string>
  readonly limit: number
  /** Also those that were retried or dropped. */
  readonly withSettled: boolean
}

/** Throws a sentence that names the wrong option. */
export function filterOf(options: FilterOptions, now: number): Filter {
  const { stage = null, reason = null, id = [] } = options
  return {
    stage,
    reason,
    namespace: namespaceOf(options.namespace),
    since: moment('--since', options.since, now) ?? -Infinity,
    until: moment('--until', options.until, now) ?? Infinity,
    places: new Set(id.map(place)),
    limit: limitOf(options.limit),
    withSettled: options.settled === true,
  }
}

function namespaceOf(text: string | undefined): string | null {
  if (text !== undefined && !isNamespace(text)) {
    throw new Error(`--namespace ${text}: expected 3 to 40 lower-case letters, digits and hyphens`)
  }
  return text ?? null
}

function moment(option: string, text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const at = momentOf(text, now)
  if (at === null) throw new Error(`${option} ${text}: expected a date (2027-01-31) or how long ago (30m, 12h, 7d)`)
  return at
}

function place(text: string): string {
  if (!/^[^\s:]+:\d+:\d+$/.test(text)) {
    throw new Error(`--id ${text}: expected topic:partition:offset, from \`story dead list\``)
  }
  return text
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return Infinity
  const limit = Number(text)
  if (!Number.isSafeInteger(limit) || limit < 1) throw new Error(`--limit ${text}: expected a whole number, 1 or more`)
  return limit
}

/** Whether a letter is meant, as far as its headers show; its namespace stands in its bytes. */
export function isMeant(letter: DeadRecord, filter: Filter): boolean {
  const { record, stage, reason, settled } = letter
  return (
    (settled === null || filter.withSettled) &&
    isOneOf(stage, filter.stage) &&
    isOneOf(reason, filter.reason) &&
    record.loggedAt >= filter.since &&
    record.loggedAt < filter.until &&
    isAt(letter, filter.places)
  )
}

const isOneOf = (value: string, filter: string | null): boolean => filter === null || filter.split(',').includes(value)

const isAt = ({ record, original }: DeadRecord, places: Filter['places']): boolean =>
  places.size === 0 || places.has(placeName(record)) || places.has(placeName(original))
