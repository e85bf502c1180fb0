const MINUTE_MS = 60_000

interface Counted {
  /** ISO 8601, when the minute begins. */
  readonly time: string
  readonly articles: number
}

/** The first of so many whole minutes before a moment, milliseconds since 1970. */
export const firstMinute = (now: number, minutes: number): number =>
  Math.floor(now / MINUTE_MS) * MINUTE_MS - (minutes - 1) * MINUTE_MS

/** Every minute from `from`, those without an article too. */
export function everyMinute(counted: readonly Counted[], from: number, minutes: number): Counted[] {
  const known = new Map(counted.map(({ time, articles }) => [Date.parse(time), articles]))
  return Array.from({ length: minutes }, (_, i) => {
    const at = from + i * MINUTE_MS
    return { time: new Date(at).toISOString(), articles: known.get(at) ?? 0 }
  })
}
