/** Records emitted at once of one story and platform, at most. */
const MOST = 24

/**
 * The event times a record is emitted of when something changed at `from`: that moment and those of the posts after it; of
 * many, evenly by rank, the last one always among them. Ascending, each once, as the times of the posts are (more than
 * once where posts share them).
 */
export function moments(times: readonly number[], from: number): readonly number[] {
  const all = [from]
  for (const time of times) if (time > (all.at(-1) ?? from)) all.push(time)
  if (all.length <= MOST) return all
  return Array.from({ length: MOST }, (_, i) => all[Math.round((i * (all.length - 1)) / (MOST - 1))] ?? from)
}
