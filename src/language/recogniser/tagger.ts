import { BUCKETS, FEATURES } from './features.ts'
import { isLegal, TAGS } from './tags.ts'

/** Width of a row of weights. */
export const WIDTH = TAGS.length

/** A linear-chain model: what a feature says for each tag, what a tag says for the next. */
export interface TaggerWeights {
  /** int8[BUCKETS x WIDTH], times `scale`. */
  readonly weights: Int8Array
  readonly scale: number
  /** float32[WIDTH x WIDTH], from before to after; a step that no name can make costs more than anything gains. */
  readonly transitions: Float32Array
}

const ILLEGAL = -1e4

/** Scores of every tag for every word, row-major; a word without features is in no name. */
export function emissions(model: TaggerWeights, buckets: Int32Array): Float32Array {
  const words = buckets.length / FEATURES
  const scores = new Float32Array(words * WIDTH)
  const sums = new Int32Array(WIDTH)
  for (let i = 0; i < words; i++) {
    const row = i * WIDTH
    if (buckets[i * FEATURES] === -1) {
      scores.fill(ILLEGAL, row + 1, row + WIDTH)
      continue
    }
    addWeights(model, buckets, { word: i, into: sums })
    for (let t = 0; t < WIDTH; t++) scores[row + t] = (sums[t] ?? 0) * model.scale
  }
  return scores
}

/** Sum of the weights of a word's features, one a tag. */
function addWeights(
  { weights }: TaggerWeights,
  buckets: Int32Array,
  { word, into }: { readonly word: number; readonly into: Int32Array },
): void {
  into.fill(0)
  for (let i = word * FEATURES; i < (word + 1) * FEATURES; i++) {
    const row = (buckets[i] ?? 0) * WIDTH
    for (let t = 0; t < WIDTH; t++) into[t] = (into[t] ?? 0) + (weights[row + t] ?? 0)
  }
}

/** The best legal row of tags (Viterbi): linear in the number of words. */
export function bestTags(scores: Float32Array, transitions: Float32Array): Uint8Array {
  const words = scores.length / WIDTH
  const back = new Uint8Array(scores.length)
  let before = new Float32Array(WIDTH).fill(ILLEGAL)
  let after = new Float32Array(WIDTH)
  before[0] = 0
  for (let i = 0; i < words; i++) {
    const row = i * WIDTH
    const tags = scores[row + 1] === ILLEGAL ? 1 : WIDTH // a word without features can only be in no name
    after.fill(ILLEGAL)
    for (let t = 0; t < tags; t++) {
      const from = bestBefore(before, transitions, t)
      back[row + t] = from
      after[t] = (before[from] ?? 0) + (transitions[from * WIDTH + t] ?? 0) + (scores[row + t] ?? 0)
    }
    ;[before, after] = [after, before]
  }
  return traced(back, before.indexOf(Math.max(...before)), words)
}

function bestBefore(before: Float32Array, transitions: Float32Array, to: number): number {
  let best = 0
  let most = -Infinity
  for (let from = 0; from < WIDTH; from++) {
    const score = (before[from] ?? 0) + (transitions[from * WIDTH + to] ?? 0)
    if (score > most) {
      best = from
      most = score
    }
  }
  return best
}

function traced(back: Uint8Array, last: number, words: number): Uint8Array {
  const tags = new Uint8Array(words)
  let tag = Math.max(0, last)
  for (let i = words - 1; i >= 0; i--) {
    tags[i] = tag
    tag = back[i * WIDTH + tag] ?? 0
  }
  return tags
}

const HEADER = 8 + WIDTH * WIDTH * 4

/** The file: scale (float64), transitions (float32), then one int8 a bucket and tag, all little-endian. */
export function serialize({ weights, scale, transitions }: TaggerWeights): Buffer {
  const file = Buffer.alloc(HEADER + weights.length)
  file.writeDoubleLE(scale, 0)
  transitions.forEach((value, i) => file.writeFloatLE(value, 8 + i * 4))
  file.set(new Uint8Array(weights.buffer, weights.byteOffset, weights.length), HEADER)
  return file
}

export function parseWeights(file: Buffer): TaggerWeights {
  if (file.length !== HEADER + BUCKETS * WIDTH) throw new Error(`The tagger's weights have ${file.length} bytes`)
  const transitions = Float32Array.from({ length: WIDTH * WIDTH }, (_, i) =>
    isLegal(Math.floor(i / WIDTH), i % WIDTH) ? file.readFloatLE(8 + i * 4) : ILLEGAL,
  )
  return { scale: file.readDoubleLE(0), transitions, weights: new Int8Array(file.subarray(HEADER)) }
}
