/** 0 up to `low`, 1 from `high` on, a straight line between. */
export const rise = (value: number, low: number, high: number): number =>
  Math.min(1, Math.max(0, (value - low) / (high - low)))

/** 1 up to `low`, 0 from `high` on. */
export const fall = (value: number, low: number, high: number): number => 1 - rise(value, low, high)

/** Grows from 0 towards 1; at `scale` it is 0.63. */
export const saturate = (value: number, scale: number): number => 1 - Math.exp(-value / scale)

/** Mean that a single zero pulls to zero; the weights sum to 1. */
export const geometric = (parts: readonly (readonly [value: number, weight: number])[]): number =>
  parts.reduce((product, [value, weight]) => product * value ** weight, 1)

/** `part / whole`, 0 of nothing. */
export const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** How often the commonest of them stands there. */
export function mostOf(words: readonly string[]): number {
  const counts = new Map<string, number>()
  let most = 0
  for (const word of words) {
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    if (count > most) most = count
  }
  return most
}
