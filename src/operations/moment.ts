import { parseMoment } from '../domain/intake/articles.ts'

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A moment (milliseconds since 1970) from a date, or from how long ago it was (`30m`, `12h`, `7d`). Null: neither. */
export function momentOf(text: string, now: number): number | null {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  return count === undefined ? parseMoment(text) : now - Number(count) * (UNIT_MS[unit] ?? 0)
}
