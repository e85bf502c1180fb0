import type { SentenceFacts } from './sentence.ts'
import { CASE, isCapitalised, NO_SPELLING } from './shapes.ts'

/** Features a word: its position in the row is the template. */
export const FEATURES = 77
/** Buckets that features are hashed into. */
export const BUCKETS = 1 << 18

/** Template, first and second part to a bucket. */
export function bucketOf(template: number, a: number, b: number): number {
  let hash = Math.imul(template + 1, 0x9e3779b1) ^ a
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  hash = Math.imul(hash ^ b ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) & (BUCKETS - 1)
}

/** Words that cannot be part of a name by their looks and their neighbours' looks; most of a text, and never scored. */
const isPlain = ({ kind }: SentenceFacts, i: number): boolean =>
  !isCapitalised(at(kind, i)) && !isCapitalised(at(kind, i - 1)) && !isCapitalised(at(kind, i + 1))

/** All features of a sentence, row-major: `FEATURES` buckets a word; a plain word has none, its row begins with -1. */
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

/** Where the next feature goes. */
interface Cursor {
  readonly row: Int32Array
  readonly next: number
}

/** Value of a word, or a mark of the sentence's edge. (An index below 0 is asked of no array: that is slow.) */
const at = (values: Int32Array, i: number): number => (i >= 0 && i < values.length ? (values[i] ?? EDGE) : EDGE)
const EDGE = -7

/** Writes pairs of parts, one template each, and says where the next goes. */
function put({ row, next }: Cursor, parts: readonly number[]): number {
  for (let j = 0; j < parts.length; j += 2) {
    const template = next + (j >> 1)
    row[template] = bucketOf(template, parts[j] ?? 0, parts[j + 1] ?? 0)
  }
  return next + (parts.length >> 1)
}

function wordFeatures({ lower, shape }: SentenceFacts, i: number, row: Int32Array): number {
  const [w2, w1, w, v1, v2] = [at(lower, i - 2), at(lower, i - 1), at(lower, i), at(lower, i + 1), at(lower, i + 2)]
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
  const [c2, c1, c, d1, d2] = [-2, -1, 0, 1, 2].map((j) => at(cluster, i + j)) as [
    number,
    number,
    number,
    number,
    number,
  ]
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

/** 1 at the first word, also after an opening quotation mark. */
function sentenceStart({ kind }: SentenceFacts, i: number): number {
  if (i === 0) return 1
  return i < 3 && kind.subarray(0, i).every((each) => each === CASE.sign) ? 1 : 0
}
