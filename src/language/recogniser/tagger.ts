import type { SentenceFacts } from './sentence.ts'
import { CASE, isCapitalised, NO_SPELLING } from './shapes.ts'
import { isLegal, TAGS } from './tags.ts'

/** Number of features per word; the position in the row identifies the template. */
export const FEATURES = 77
/** Number of buckets that features are hashed into. */
export const BUCKETS = 1 << 18

/** The bucket of a feature: a template and its two values. */
export function bucketOf(template: number, a: number, b: number): number {
  let hash = Math.imul(template + 1, 0x9e3779b1) ^ a
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  hash = Math.imul(hash ^ b ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) & (BUCKETS - 1)
}

/** Whether neither the word nor a neighbour is capitalised. Most words are plain; they are in no name, so not scored. */
const isPlain = ({ kind }: SentenceFacts, i: number): boolean =>
  !isCapitalised(at(kind, i)) && !isCapitalised(at(kind, i - 1)) && !isCapitalised(at(kind, i + 1))

/** All features of a sentence, row-major: `FEATURES` buckets per word; all -1 for a plain word. */
export function features(facts: SentenceFacts): Int32Array {
  const out = new Int32Array(facts.length * FEATURES).fill(-1)
  for (let i = 0; i < facts.length; i++) {
    if (isPlain(facts, i)) continue
    const row = out.subarray(i * FEATURES, (i + 1) * FEATURES)
    let next = wordFeatures(facts, i, row)
    next = spellingFeatures(facts, i, { row, next })
    next = classFeatures(facts, i, { row, next })
    next = listFeatures(facts, i, { row, next })
    next = runFeatures(facts, i, { row, next })
    if (next !== FEATURES) throw new Error(`${next} features were written where ${FEATURES} fit`)
  }
  return out
}

interface Cursor {
  readonly row: Int32Array
  readonly next: number
}

/** Value of a word, or `EDGE` beyond the sentence. Indices below 0 are tested first, because reading them is slow. */
const at = (values: Int32Array, i: number): number => (i >= 0 && i < values.length ? (values[i] ?? EDGE) : EDGE)
const EDGE = -7

/** Values of a word and of the two words to either side. */
const around = (values: Int32Array, i: number) =>
  [at(values, i - 2), at(values, i - 1), at(values, i), at(values, i + 1), at(values, i + 2)] as const

/** Writes the feature of each pair of values; returns the index of the next feature. */
function put({ row, next }: Cursor, parts: readonly number[]): number {
  for (let j = 0; j < parts.length; j += 2) {
    const template = next + (j >> 1)
    row[template] = bucketOf(template, parts[j] ?? 0, parts[j + 1] ?? 0)
  }
  return next + (parts.length >> 1)
}

function wordFeatures({ lower, shape }: SentenceFacts, i: number, row: Int32Array): number {
  const [w2, w1, w, v1, v2] = around(lower, i)
  const [s1, s, t1] = [at(shape, i - 1), at(shape, i), at(shape, i + 1)]
  return put(
    { row, next: 0 },
    // prettier-ignore
    [0, 0, w, 0, w1, 0, v1, 0, w2, 0, v2, 0, w1, w, w, v1, w1, v1, w2, w1, v1, v2, w, s, s, 0, s1, s, s, t1, s1 ^ (s << 3), t1],
  )
}

function spellingFeatures({ spellings, kind, shape }: SentenceFacts, i: number, cursor: Cursor): number {
  const { length, begins, ends } = spellings[i] ?? NO_SPELLING
  const before = (i > 0 ? spellings[i - 1] : undefined) ?? NO_SPELLING
  const after = spellings[i + 1] ?? NO_SPELLING
  const k = at(kind, i)
  return put(
    cursor,
    // prettier-ignore
    [begins[0], k, begins[1], k, begins[2], k, ends[0], k, ends[1], k, ends[2], k, ends[3], k,
      before.ends[2], at(kind, i - 1), after.ends[2], at(kind, i + 1), Math.min(length, 12), at(shape, i)],
  )
}

function classFeatures({ cluster, coarse, kind }: SentenceFacts, i: number, cursor: Cursor): number {
  const [c2, c1, c, d1, d2] = around(cluster, i)
  const [b1, b, e1] = [at(coarse, i - 1), at(coarse, i), at(coarse, i + 1)]
  const k = at(kind, i)
  return put(
    cursor,
    // prettier-ignore
    [c, 0, c1, 0, d1, 0, c2, 0, d2, 0, c, k, c1, k, d1, k, c1, c, c, d1, c1, d1, c2, c1, d1, d2, b, k, b1, b, b, e1, b1 * 64 + b, e1],
  )
}

function listFeatures(facts: SentenceFacts, i: number, cursor: Cursor): number {
  const { known, place, lowered, kind, runStart } = facts
  const [q1, q, r1] = [at(known, i - 1), at(known, i), at(known, i + 1)]
  const [p1, p, o1] = [at(place, i - 1), at(place, i), at(place, i + 1)]
  const [k1, k, l1] = [at(kind, i - 1), at(kind, i), at(kind, i + 1)]
  const start = sentenceStart(facts, i) + (facts.shouted ? 2 : 0)
  const usual = at(lowered, i)
  const first = i === at(runStart, i) ? 1 : 0
  return put(
    cursor,
    // prettier-ignore
    [q, k, q1, q, q, r1, q1, k, r1, k, q1 * 128 + q, r1, p, k, p, usual, p1, p, p, o1, p, q,
      usual, k * 4 + start, at(lowered, i - 1), k1 * 16 + k, at(lowered, i + 1), l1 * 16 + k, k, start, k1 * 16 + k, l1, usual * 16 + k, at(lowered, i + 1) * 16 + l1, first, q],
  )
}

function runFeatures(facts: SentenceFacts, i: number, cursor: Cursor): number {
  const { runStart, runEnd, lower, cluster, known, kind, place } = facts
  const [start, end, k] = [at(runStart, i), at(runEnd, i), at(kind, i)]
  const length = Math.min(end - start, 5)
  const where = length * 8 + Math.min(i - start, 4)
  const [left, right] = [start - 1, end]
  const [head, tail] = [at(cluster, start), at(cluster, end - 1)]
  let lists = 0
  for (let j = start; j < end && j < start + 6; j++) lists |= known[j] ?? 0
  return put(
    cursor,
    // prettier-ignore
    [at(lower, left), where, at(lower, right), where, at(cluster, left), where, at(cluster, right), where,
      at(cluster, left), at(cluster, right), at(lower, end - 1), where, at(lower, start), where, head, where, tail, where,
      at(cluster, left), tail, at(cluster, right), head, at(known, end - 1), where, at(known, start), where, lists, k, where, k,
      at(place, start), where],
  )
}

/** 1 at the first word, even after one or two signs such as an opening quotation mark; otherwise 0. */
function sentenceStart({ kind }: SentenceFacts, i: number): number {
  if (i === 0) return 1
  return i < 3 && kind.subarray(0, i).every((each) => each === CASE.sign) ? 1 : 0
}

/** Number of tags: the width of a row of weights. */
export const WIDTH = TAGS.length

/** A linear-chain model: the score of each tag for a feature, and for the previous tag. */
export interface TaggerWeights {
  /** int8[BUCKETS x WIDTH], times `scale`. */
  readonly weights: Int8Array
  readonly scale: number
  /** float32[WIDTH, WIDTH]: one row per previous tag; `ILLEGAL` for tags that cannot follow each other. */
  readonly transitions: Float32Array
}

const ILLEGAL = -1e4

/** Scores of every tag for every word, row-major; a word without features can only be tagged O. */
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

/** Writes the sum of the weights of a word's features, one per tag. */
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

/** The best legal sequence of tags (Viterbi); linear in the number of words. */
export function bestTags(scores: Float32Array, transitions: Float32Array): Uint8Array {
  const words = scores.length / WIDTH
  const back = new Uint8Array(scores.length)
  let before = new Float32Array(WIDTH).fill(ILLEGAL)
  let after = new Float32Array(WIDTH)
  before[0] = 0
  for (let i = 0; i < words; i++) {
    const row = i * WIDTH
    const tags = scores[row + 1] === ILLEGAL ? 1 : WIDTH // a word without features is tagged O
    after.fill(ILLEGAL)
    for (let t = 0; t < tags; t++) {
      const from = bestBefore(before, transitions, t)
      back[row + t] = from
      after[t] = (before[from] ?? 0) + (transitions[from * WIDTH + t] ?? 0) + (scores[row + t] ?? 0)
    }
    ;[before, after] = [after, before]
  }
  return backtraced(back, before.indexOf(Math.max(...before)), words)
}

function bestBefore(before: Float32Array, transitions: Float32Array, to: number): number {
  let best = 0
  let highest = -Infinity
  for (let from = 0; from < WIDTH; from++) {
    const score = (before[from] ?? 0) + (transitions[from * WIDTH + to] ?? 0)
    if (score > highest) {
      best = from
      highest = score
    }
  }
  return best
}

function backtraced(back: Uint8Array, last: number, words: number): Uint8Array {
  const tags = new Uint8Array(words)
  let tag = Math.max(0, last)
  for (let i = words - 1; i >= 0; i--) {
    tags[i] = tag
    tag = back[i * WIDTH + tag] ?? 0
  }
  return tags
}

const HEADER = 8 + WIDTH * WIDTH * 4

/** The file: scale (float64), transitions (float32), then one int8 per bucket and tag, all little-endian. */
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
