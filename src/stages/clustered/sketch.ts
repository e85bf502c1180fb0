import { addCross, addLead, type FeatureBlock } from './packed-features.ts'

/** 384 bits per story: which components of a mean vector of its articles are above those of all news. */
export const SKETCH_WORDS = 12
export const SKETCH_BITS = SKETCH_WORDS * 32
/** The first 128 bits of a sketch, by which most stories are left out before the rest of it is read. */
export const BRIEF_WORDS = 4
export const BRIEF_BITS = BRIEF_WORDS * 32

interface SketchPlace {
  readonly into: Uint32Array
  /** In words. */
  readonly offset: number
}

/** Writes the sketch of the mean of some articles' lead vectors. `mu`: the mean of all news. */
export function sketch(articles: readonly FeatureBlock[], mu: Float32Array, place: SketchPlace): void {
  sums.fill(0)
  for (const article of articles) addLead(article, sums)
  writeSigns(place, (i) => articles.length * (mu[i] ?? 0))
}

/** Writes the sketch of the mean of some articles' cross-language title vectors, whose mean over all news is 0. */
export function crossSketch(articles: readonly FeatureBlock[], place: SketchPlace): void {
  sums.fill(0)
  for (const article of articles) addCross(article, sums, 0)
  writeSigns(place, () => 0)
}

/** Writes which sums are above those of all news. */
function writeSigns({ into, offset }: SketchPlace, ofAll: (component: number) => number): void {
  for (let word = 0; word < SKETCH_WORDS; word++) {
    let bits = 0
    for (let bit = 0; bit < 32; bit++) {
      const i = word * 32 + bit
      if ((sums[i] ?? 0) > ofAll(i)) bits |= 1 << bit
    }
    into[offset + word] = bits
  }
}

const sums = new Float64Array(SKETCH_BITS)

/** Number of differing bits of two sketches, 0 to 384. Counts by nibble for three words, then by byte for all. */
export function hamming(a: Uint32Array, sketches: Uint32Array, offset: number): number {
  let bytes = 0
  for (let word = 0; word < SKETCH_WORDS; word += 3) {
    const nibbles =
      inNibbles((a[word] ?? 0) ^ (sketches[offset + word] ?? 0)) +
      inNibbles((a[word + 1] ?? 0) ^ (sketches[offset + word + 1] ?? 0)) +
      inNibbles((a[word + 2] ?? 0) ^ (sketches[offset + word + 2] ?? 0))
    bytes += (nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f)
  }
  return (bytes & 0xff) + ((bytes >>> 8) & 0xff) + ((bytes >>> 16) & 0xff) + (bytes >>> 24)
}

/** Number of bits in which the first words of a sketch differ from those at `offset`, 0 to 128. */
export function briefHamming(a: Uint32Array, briefs: Uint32Array, offset: number): number {
  let bytes = 0
  for (let word = 0; word < BRIEF_WORDS; word += 2) {
    const one = (a[word] ?? 0) ^ (briefs[offset + word] ?? 0)
    const other = (a[word + 1] ?? 0) ^ (briefs[offset + word + 1] ?? 0)
    bytes += inBytes(inNibbles(one) + inNibbles(other))
  }
  return Math.imul(bytes, 0x01010101) >>> 24
}

/** The number of set bits of an integer of 32 bits. */
export const bitCount = (bits: number): number => Math.imul(inBytes(inNibbles(bits)), 0x01010101) >>> 24

const inBytes = (nibbles: number): number => (nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f)

/** The number of set bits in each nibble, at most four. */
function inNibbles(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
}
