import { termsIn, type FeatureBlock, type Section } from '../packed-features.ts'
import { HASH_SHIFT, WEIGHT_BITS, type ClusteredTerms } from '../terms.ts'

/** The terms of one section, scaled to unit length. Hashes have 24 bits. */
export function unitTerms(block: FeatureBlock, section: Section): ClusteredTerms {
  const packed = termsIn(block, section)
  const terms = { hashes: packed.map((term) => term >>> HASH_SHIFT), weights: new Float32Array(packed.length) }
  let squares = 0
  for (const term of packed) squares += (term & WEIGHT_BITS) ** 2
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  for (let i = 0; i < packed.length; i++) terms.weights[i] = ((packed[i] ?? 0) & WEIGHT_BITS) * scale
  return terms
}

/** The sum of two vectors of terms. */
export function sumTerms(one: ClusteredTerms, other: ClusteredTerms): ClusteredTerms {
  const most = one.hashes.length + other.hashes.length
  const [hashes, weights] = [new Uint32Array(most), new Float32Array(most)]
  let [i, j, end] = [0, 0, 0]
  while (i < one.hashes.length || j < other.hashes.length) {
    const [mine, theirs] = [hashAt(one, i), hashAt(other, j)]
    const hash = Math.min(mine, theirs)
    hashes[end] = hash
    weights[end++] = weightIn(one, i, hash) + weightIn(other, j, hash)
    if (mine === hash) i++
    if (theirs === hash) j++
  }
  return { hashes: hashes.slice(0, end), weights: weights.slice(0, end) }
}

const hashAt = ({ hashes }: ClusteredTerms, i: number): number => hashes[i] ?? Infinity
const weightIn = ({ hashes, weights }: ClusteredTerms, i: number, hash: number): number =>
  hashes[i] === hash ? (weights[i] ?? 0) : 0

/** The product of two vectors of terms. Its time depends on the smaller one, and little on the larger one. */
export function dotTerms(one: ClusteredTerms, other: ClusteredTerms): number {
  const [few, many] = one.hashes.length <= other.hashes.length ? [one, other] : [other, one]
  let sum = 0
  let at = 0
  for (let i = 0; i < few.hashes.length && at < many.hashes.length; i++) {
    const hash = few.hashes[i] ?? 0
    at = firstFrom(many.hashes, at, hash)
    if (many.hashes[at] === hash) sum += (few.weights[i] ?? 0) * (many.weights[at] ?? 0)
  }
  return sum
}

/** Position of the first hash that is not below this one, from a position on: steps that double, then halves. */
function firstFrom(hashes: Uint32Array, from: number, hash: number): number {
  let step = 1
  let low = from
  while (low + step < hashes.length && (hashes[low + step - 1] ?? 0) < hash) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, hashes.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[middle] ?? 0) < hash) low = middle + 1
    else high = middle
  }
  return low
}
