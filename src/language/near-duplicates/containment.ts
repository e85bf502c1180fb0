/**
 * |A ∩ B| / min(|A|, |B|), 0 to 1: how much of the shorter text the longer one holds (Broder 1997). Both sets ascending,
 * each hash once; an empty set is contained in nothing.
 */
export function containment(a: Uint32Array, b: Uint32Array): number {
  const smaller = Math.min(a.length, b.length)
  return smaller === 0 ? 0 : common(a, b) / smaller
}

function common(a: Uint32Array, b: Uint32Array): number {
  let shared = 0
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const mine = a[i] ?? 0
    const theirs = b[j] ?? 0
    if (mine === theirs) shared++
    if (mine <= theirs) i++
    if (theirs <= mine) j++
  }
  return shared
}
