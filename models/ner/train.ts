/**
 * Trains the recogniser (a linear-chain CRF over hashed features, AdaGrad) and writes `recogniser.bin.gz`.
 * Usage, some three minutes: `nice -n 10 npx tsx models/ner/train.ts FOLDER_OF_BIO_FILES`.
 */
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { openPlaces } from '../../src/language/places/places.ts'
import { bucketOf, BUCKETS, FEATURES, features, serialize, WIDTH } from '../../src/language/recogniser/tagger.ts'
import { openLexicon } from '../../src/language/recogniser/lexicon.ts'
import { sentenceFacts } from '../../src/language/recogniser/sentence.ts'
import { isLegal, spansOfTags, tagsOfSpans } from '../../src/language/recogniser/tags.ts'
import { seededRandom, shuffle } from '../seeded-random.ts'
import { readLabelled } from './corpus.ts'

const [folder = ''] = process.argv.slice(2)
const option = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)
const EPOCHS = option('EPOCHS', 6)
const RATE = option('RATE', 0.1)
const DROPOUT = option('DROPOUT', 0.35)
const DECAY = option('DECAY', 5e-7)
const RARE = option('RARE', 3)
const SEED = 17
/** Instead of a bucket: the word has no features at all, or this one is left out of this step. */
const PLAIN = -1
const DROPPED = -2

const lexicon = openLexicon()
const places = openPlaces()

const random = seededRandom(SEED)

const SETS = (process.env['SETS'] ?? 'wikigold broad-twitter-corpus wnut17-train uner-ewt crossner-politics').split(' ')
const sentences = SETS.flatMap((name) => readLabelled(`${folder}/${name}.bio.gz`)).map(({ words, tags }) => {
  const buckets = features(sentenceFacts(words, lexicon, places))
  const isPlain = (i: number): boolean => buckets[i * FEATURES] === -1
  // A name written small (tweets) is one that the recogniser will never look for.
  const spans = spansOfTags(tags).filter(({ start, end }) => !tags.some((_, i) => i >= start && i < end && isPlain(i)))
  return { tags: tagsOfSpans(spans, tags.length), buckets }
})
const seen = new Uint8Array(BUCKETS)
for (const { buckets } of sentences)
  for (const bucket of buckets) if ((seen[bucket] ?? 0) < 255) seen[bucket] = (seen[bucket] ?? 0) + 1
console.log(
  `${sentences.length} sentences, ${sentences.reduce((n, { tags }) => n + tags.length, 0)} words, ${seen.filter((n) => n >= RARE).length} features`,
)

const weights = new Float32Array(BUCKETS * WIDTH)
const squares = new Float32Array(BUCKETS * WIDTH).fill(1e-2)
const transitions = new Float32Array(WIDTH * WIDTH)
const transitionSquares = new Float32Array(WIDTH * WIDTH).fill(1e-2)

/** Numbers of a typed array that are read and added to without asking whether they are there. */
type Numbers = Float32Array | Float64Array
const get = (values: Numbers | readonly number[], i: number): number => values[i] ?? 0
const add = (values: Numbers, i: number, more: number): void => {
  values[i] = get(values, i) + more
}

/** exp of the scores of every tag at every word, each word's largest brought to 1. */
function nodes(keep: Int32Array, n: number): Float64Array {
  const potential = new Float64Array(n * WIDTH)
  for (let i = 0; i < n; i++) {
    for (let f = i * FEATURES; f < (i + 1) * FEATURES; f++) {
      const from = (keep[f] ?? DROPPED) * WIDTH
      if (from >= 0)
        for (let t = 0; t < WIDTH; t++) add(potential, i * WIDTH + t, get(weights, from + t) / (1 - DROPOUT))
    }
    const row = potential.subarray(i * WIDTH, (i + 1) * WIDTH)
    const most = Math.max(...row)
    const plain = keep[i * FEATURES] === PLAIN
    row.forEach((value, t) => (row[t] = plain && t > 0 ? 0 : Math.exp(value - most)))
  }
  return potential
}

interface Marginals {
  readonly node: Float64Array
  readonly edge: Float64Array
  readonly alpha: Float64Array
  readonly beta: Float64Array
  readonly sums: Float64Array
}

/** Forward and backward sums, each word's scaled to 1. */
function marginals(keep: Int32Array, n: number): Marginals {
  const node = nodes(keep, n)
  const edge = new Float64Array(WIDTH * WIDTH)
  for (let a = 0; a < WIDTH; a++) {
    for (let b = 0; b < WIDTH; b++) edge[a * WIDTH + b] = isLegal(a, b) ? Math.exp(get(transitions, a * WIDTH + b)) : 0
  }
  const alpha = new Float64Array(n * WIDTH)
  const beta = new Float64Array(n * WIDTH).fill(1)
  const sums = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    for (let t = 0; t < WIDTH; t++) {
      let into = i === 0 ? get(edge, t) : 0
      if (i > 0) for (let a = 0; a < WIDTH; a++) into += get(alpha, (i - 1) * WIDTH + a) * get(edge, a * WIDTH + t)
      alpha[i * WIDTH + t] = into * get(node, i * WIDTH + t)
      add(sums, i, get(alpha, i * WIDTH + t))
    }
    for (let t = 0; t < WIDTH; t++) alpha[i * WIDTH + t] = get(alpha, i * WIDTH + t) / get(sums, i)
  }
  for (let i = n - 2; i >= 0; i--) {
    for (let a = 0; a < WIDTH; a++) {
      let out = 0
      for (let t = 0; t < WIDTH; t++) {
        const next = (i + 1) * WIDTH + t
        out += get(edge, a * WIDTH + t) * get(node, next) * get(beta, next)
      }
      beta[i * WIDTH + a] = out / get(sums, i + 1)
    }
  }
  return { node, edge, alpha, beta, sums }
}

/** One step of AdaGrad on one sentence; its loss. */
function learn({ tags, buckets }: (typeof sentences)[number], rate: number): number {
  const n = tags.length
  const keep = buckets.map((bucket) => {
    if (bucket === PLAIN) return PLAIN
    return (seen[bucket] ?? 0) >= RARE && random() >= DROPOUT ? bucket : DROPPED
  })
  const { node, edge, alpha, beta, sums } = marginals(keep, n)
  const gradient = new Float64Array(WIDTH)
  const edgeGradient = new Float64Array(WIDTH * WIDTH)
  let loss = 0
  for (let i = 0; i < n; i++) {
    const gold = get(tags, i)
    for (let t = 0; t < WIDTH; t++) {
      const j = i * WIDTH + t
      gradient[t] = get(alpha, j) * get(beta, j) - (t === gold ? 1 : 0)
      const out = (get(node, j) * get(beta, j)) / get(sums, i)
      for (let a = 0; a < WIDTH && i > 0; a++) {
        add(edgeGradient, a * WIDTH + t, get(alpha, (i - 1) * WIDTH + a) * get(edge, a * WIDTH + t) * out)
      }
    }
    if (i > 0) add(edgeGradient, get(tags, i - 1) * WIDTH + gold, -1)
    loss -= Math.log(Math.max(1e-12, 1 + get(gradient, gold)))
    if (gradient.some((g) => Math.abs(g) > 1e-4))
      stepWord(keep.subarray(i * FEATURES, (i + 1) * FEATURES), gradient, rate)
  }
  edgeGradient.forEach((g, j) => {
    add(transitionSquares, j, g * g)
    add(transitions, j, (-rate * g) / Math.sqrt(get(transitionSquares, j)))
  })
  return loss
}

function stepWord(keep: Int32Array, gradient: Float64Array, rate: number): void {
  for (const bucket of keep) {
    if (bucket < 0) continue
    for (let t = 0; t < WIDTH; t++) {
      const j = bucket * WIDTH + t
      const g = get(gradient, t) + DECAY * sentences.length * get(weights, j)
      add(squares, j, g * g)
      add(weights, j, (-rate * g) / Math.sqrt(get(squares, j)))
    }
  }
}

const order = sentences.map((_, i) => i)
for (let epoch = 0; epoch < EPOCHS; epoch++) {
  shuffle(order, random)
  const began = performance.now()
  let loss = 0
  order.forEach((index, at) => {
    const sentence = sentences[index]
    const done = (epoch + at / order.length) / EPOCHS
    if (sentence !== undefined) loss += learn(sentence, RATE * (1 - done) + 1e-4)
  })
  console.log(`epoch ${epoch + 1}: loss ${loss.toFixed(0)}, ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

// Tweets hold few names: without this the tagger is too careful for news.
const always = bucketOf(0, 0, 0) * WIDTH
weights[always] = (weights[always] ?? 0) - option('RECALL', 1.25)

// Small weights go, the rest becomes one byte each.
let most = 0
for (const weight of weights) most = Math.max(most, Math.abs(weight))
const scale = Math.min(most, 2) / 127
const quantised = Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / scale))))
const packed = gzipSync(serialize({ weights: quantised, scale, transitions }), { level: 9 })
writeFileSync(process.env['OUT'] ?? new URL('recogniser.bin.gz', import.meta.url), packed)
console.log(`largest weight ${most.toFixed(2)}, file ${packed.length} bytes`)
