/** Records told at once of one story and platform, at most. */
const MOST = 24

/**
 * The event times a record is told of when something changed at `from`: that moment and those of the posts after it; of
 * many, evenly by rank, the last one always among them. Ascending, each once.
 */
export function moments(times: Iterable<number>, from: number): readonly number[] {
  const all = [...new Set([from, ...[...times].filter((time) => time > from)])].sort((a, b) => a - b)
  if (all.length <= MOST) return all
  return Array.from({ length: MOST }, (_, i) => all[Math.round((i * (all.length - 1)) / (MOST - 1))] ?? from)
}
