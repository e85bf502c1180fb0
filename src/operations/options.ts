import { isNamespace, parseMoment } from '../domain/intake/articles.ts'

/** Options of nearly every command. */
export interface CommandOptions {
  /** Print JSON. */
  readonly json?: true
  /** Print what would be done and change nothing. */
  readonly dryRun?: true
}

const DAY_MS = 86_400_000
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS }
const LONGEST_OVERLAP_MS = 90 * DAY_MS

/** Milliseconds of `30m`, `12h` or `7d`; `null` for any other text. */
function durationOf(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (UNIT_MS[unit] ?? 0)
}

/** A time in milliseconds since 1970, from a date or an age (`30m`, `12h`, `7d`); `null` if the text is neither. */
export function momentOf(text: string, now: number): number | null {
  const age = durationOf(text)
  return age === null ? parseMoment(text) : now - age
}

/**
 * When a key expires, milliseconds since 1970, from `30d` or a date. Throws if the text is neither, or is in the past.
 */
export function expiry(text: string, now: number): number {
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1]
  const at = days === undefined ? parseMoment(text) : now + Number(days) * DAY_MS
  if (at === null) throw new Error(`--expires ${text}: expected days (30d) or a date (2027-01-31)`)
  if (at <= now) throw new Error(`--expires ${text} is in the past`)
  return at
}

/** How long two keys are both valid, in milliseconds: `7d`, `12h`, `30m`, or `0`. */
export function overlap(text: string): number {
  const ms = text === '0' ? 0 : durationOf(text)
  if (ms === null) throw new Error(`--overlap ${text}: expected days, hours or minutes (7d, 12h, 30m), or 0`)
  if (ms > LONGEST_OVERLAP_MS) throw new Error(`--overlap ${text}: expected 90 days at most`)
  return ms
}

/** Returns the text. Throws if it is not a valid namespace. */
export function checkedNamespace(text: string): string {
  if (isNamespace(text)) return text
  throw new Error(`--namespace ${text}: expected 3 to 40 lower-case letters, digits and hyphens`)
}
