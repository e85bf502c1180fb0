import { parseMoment } from '../../domain/intake/articles.ts'

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const LONGEST_OVERLAP_MS = 90 * 86_400_000

/** When a key ends (milliseconds since 1970), from `30d` or a date. Throws when it is neither, or over. */
export function expiry(text: string, now: number): number {
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1]
  const at = days === undefined ? parseMoment(text) : now + Number(days) * 86_400_000
  if (at === null) throw new Error(`--expires ${text}: expected days (30d) or a date (2027-01-31)`)
  if (at <= now) throw new Error(`--expires ${text} is in the past`)
  return at
}

/** How long two keys live side by side, in milliseconds: `7d`, `12h`, `30m`, or `0`. */
export function overlap(text: string): number {
  if (text === '0') return 0
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS[unit] ?? NaN)
  if (Number.isNaN(ms)) throw new Error(`--overlap ${text}: expected days, hours or minutes (7d, 12h, 30m), or 0`)
  if (ms > LONGEST_OVERLAP_MS) throw new Error(`--overlap ${text}: expected 90 days at most`)
  return ms
}
