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
  const [fine, coarse] = halvingsOf(a) <= halvingsOf(b) ? [a, b] : [b, a]
  const halvings = halvingsOf(coarse) - halvingsOf(fine)
  const below = fine.subarray(0, HEADER + countBelow(fine, 2 ** (BITS - halvings), HEADER))
  const shorter = shorterOf(below, coarse).length - HEADER
  return shorter === 0 ? 0 : Math.min(1, common(below, coarse, halvings) / shorter)
}

const sizeOf = ([shingles = 0]: ShingleSample): number => shingles
const halvingsOf = ([, halvings = 0]: ShingleSample): number => halvings

/** The sample of the text with fewer shingles; of two as long the smaller sample. */
function shorterOf(a: ShingleSample, b: ShingleSample): ShingleSample {
  const longer = sizeOf(a) - sizeOf(b) || a.length - b.length
  return longer <= 0 ? a : b
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
