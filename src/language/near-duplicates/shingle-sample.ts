/**
 * A sample of a text's shingles, from which containment is estimated (FracMinHash): those whose hash is below a bound,
 * which is halved until at most `MOST_KEPT` are left. `[distinct shingles, number of halvings, 16 bits of each kept hash
 * below the bound, ascending]`; empty if there are no shingles.
 */
export type ShingleSample = Uint16Array

const MOST_KEPT = 160
const HEADER = 2
const BITS = 16

/** Takes distinct hashes of 32 bits in ascending order. */
export function sampleShingles(shingles: Uint32Array): ShingleSample {
  if (shingles.length === 0) return new Uint16Array()
  let halvings = 0
  let kept = shingles.length
  while (kept > MOST_KEPT && halvings < BITS) kept = countBelow(shingles, 2 ** (32 - ++halvings))
  const sample = new Uint16Array(HEADER + kept)
  sample[0] = Math.min(shingles.length, 0xffff)
  sample[1] = halvings
  for (let i = 0; i < kept; i++) sample[HEADER + i] = (shingles[i] ?? 0) >>> (BITS - halvings)
  return sample
}

function countBelow(ascending: ArrayLike<number>, bound: number, from = 0): number {
  let count = from
  while (count < ascending.length && (ascending[count] ?? 0) < bound) count++
  return count - from
}

/**
 * The share of the shorter text's shingles that the longer one contains, 0 to 1: exact if neither was sampled, but for
 * one in some hundred pairs of different shingles with equal bits. The samples are compared below the smaller bound.
 */
export function sampledContainment(a: ShingleSample, b: ShingleSample): number {
  if (a.length === 0 || b.length === 0) return 0
  const [fine, coarse] = (a[1] ?? 0) <= (b[1] ?? 0) ? [a, b] : [b, a]
  const halvings = (coarse[1] ?? 0) - (fine[1] ?? 0)
  const ofFine = countBelow(fine, 2 ** (BITS - halvings), HEADER)
  const ofCoarse = coarse.length - HEADER
  const longer = (fine[0] ?? 0) - (coarse[0] ?? 0)
  const shorter = longer === 0 ? Math.min(ofFine, ofCoarse) : longer < 0 ? ofFine : ofCoarse
  return shorter === 0 ? 0 : Math.min(1, common(fine.subarray(0, HEADER + ofFine), coarse, halvings) / shorter)
}

function common(fine: ShingleSample, coarse: ShingleSample, halvings: number): number {
  let shared = 0
  let [i, j] = [HEADER, HEADER]
  while (i < fine.length && j < coarse.length) {
    const mine = fine[i] ?? 0
    const theirs = (coarse[j] ?? 0) >>> halvings
    if (mine === theirs) shared++
    if (mine <= theirs) i++
    if (theirs <= mine) j++
  }
  return shared
}
