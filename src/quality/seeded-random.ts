/** A generator of numbers in [0, 1), deterministic for a seed: mulberry32 over the FNV-1a hash of the seed. */
export function seeded(seed: string): () => number {
  let state = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193)
  return mulberry32(state)
}

/** A generator of numbers in [0, 1) from a 32-bit seed. */
export function mulberry32(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A random element. */
export const pick = <T>(random: () => number, from: readonly [T, ...T[]]): T =>
  from[Math.floor(random() * from.length)] ?? from[0]

/** The same elements in a random order. */
export const shuffled = <T>(random: () => number, from: readonly T[]): T[] =>
  from
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)

/** Samples `count` elements without replacement. They keep their order. */
export const sample = <T>(random: () => number, from: readonly T[], count: number): T[] =>
  shuffled(random, [...from.entries()])
    .slice(0, count)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)
