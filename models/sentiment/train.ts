/**
 * Trains the sentiment model (multinomial logistic regression over the encoder's sentence vector and hashed words) and
 * writes `sentiment.bin.gz`. Usage, some three minutes, most of it the encoder:
 * `nice -n 10 npx tsx models/sentiment/train.ts FOLDER_OF_LABELLED_FILES FOLDER_OF_THE_MODEL`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync, gunzipSync } from 'node:zlib'
import { z } from 'zod'
import {
  sentimentLabel,
  CLASSES,
  probabilities,
  type SentimentWeights,
  TEXT_BUCKETS,
  textFeatures,
  serializeSentiment,
} from '../../src/language/sentiment/sentiment.ts'
import { macroScore } from '../../src/quality/macro-score.ts'
import { seededRandom, shuffle } from '../seeded-random.ts'
import { openEncoder } from './encoder.ts'

interface JudgedMention {
  readonly sentence: string
  /** Index into CLASSES: negative, neutral, positive. */
  readonly label: number
  /** What it counts in training. */
  readonly weight: number
}

const lines = (path: string): unknown[] =>
  gunzipSync(readFileSync(path))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line))

/** NewsMTSC: a sentence of political news and the feeling towards one mention in it. */
function readNewsMtsc(path: string, weight: number): JudgedMention[] {
  const Row = z.object({ sentence: z.string(), polarity: z.number().int().min(-1).max(1) })
  return lines(path).map((line) => {
    const { sentence, polarity } = Row.parse(line)
    return { sentence, label: polarity + 1, weight }
  })
}

/** SEntFiN: a headline of financial news and the feeling towards each of its companies, `{'SpiceJet': 'neutral'}`. */
function readSentfin(path: string, weight: number): JudgedMention[] {
  const Row = z.object({ title: z.string(), decisions: z.string() })
  const labels = ['negative', 'neutral', 'positive']
  return lines(path).flatMap((line) => {
    const { title, decisions } = Row.parse(line)
    const found = [...decisions.matchAll(/: ?["'](negative|neutral|positive)["']/g)].map(([, word = '']) =>
      labels.indexOf(word),
    )
    return found.map((label) => ({ sentence: title, label, weight: weight / found.length }))
  })
}

const [folder = '', model = ''] = process.argv.slice(2)
const option = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)
const EPOCHS = option('EPOCHS', 12)
const RATE = option('RATE', 0.03)
const VECTOR_DECAY = option('VECTOR_DECAY', 1e-4)
const TEXT_DECAY = option('TEXT_DECAY', 1e-3)
const FINANCE = option('FINANCE', 0.5)
const SEED = 7

const train = [
  ...readNewsMtsc(`${folder}/newsmtsc-train.jsonl.gz`, 1),
  ...readSentfin(`${folder}/sentfin-70pct.jsonl.gz`, FINANCE),
]
const dev = readNewsMtsc(`${folder}/newsmtsc-dev.jsonl.gz`, 1)

const texts = [...new Set([...train, ...dev].map(({ sentence }) => sentence))]
const encoder = await openEncoder(model)
const vectors = await encodeAll()
await encoder.close()

/** One vector a text; kept in a file for the next experiment when `CACHE` names one. */
async function encodeAll(): Promise<Map<string, Float32Array>> {
  const cache = process.env['CACHE']
  const { dim } = encoder
  if (cache !== undefined && existsSync(cache)) {
    const kept = readFileSync(cache)
    const all = new Float32Array(kept.buffer, kept.byteOffset, kept.length / 4)
    return new Map(texts.map((text, i) => [text, all.subarray(i * dim, (i + 1) * dim)]))
  }
  const found = new Map<string, Float32Array>()
  for (let i = 0; i < texts.length; i += 64) {
    const part = texts.slice(i, i + 64)
    const made = await encoder.sentences(part)
    part.forEach((text, j) => found.set(text, made[j] ?? new Float32Array(dim)))
    if (i % 3200 === 0) console.log(`${i} of ${texts.length} encoded`)
  }
  if (cache !== undefined)
    writeFileSync(
      cache,
      Buffer.concat([...found.values()].map((v) => Buffer.from(v.buffer, v.byteOffset, v.byteLength))),
    )
  return found
}

const random = seededRandom(SEED)

const get = (values: ArrayLike<number> | undefined, i: number): number => values?.[i] ?? 0
const vectorOf = (sentence: string): Float32Array => vectors.get(sentence) ?? new Float32Array(encoder.dim)

/** Components of unit vectors are small: with this they learn as fast as the words do. */
const SCALE = Math.sqrt(encoder.dim)

function fit(samples: readonly JudgedMention[]): SentimentWeights {
  const dim = encoder.dim
  const width = 1 + dim + TEXT_BUCKETS
  const weights = CLASSES.map(() => new Float32Array(width))
  const squares = CLASSES.map(() => new Float32Array(width).fill(1e-1))
  const share = CLASSES.map((_, label) => samples.reduce((sum, s) => sum + (s.label === label ? s.weight : 0), 0))
  const total = share.reduce((sum, value) => sum + value, 0)
  const order = samples.map((_, i) => i)
  const views = {
    vector: weights.map((row) => row.subarray(1, 1 + dim)),
    text: weights.map((row) => row.subarray(1 + dim)),
  }
  const now = (): SentimentWeights => ({ dim, bias: weights.map((row) => get(row, 0)), ...views })
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random)
    const rate = RATE * (1 - epoch / EPOCHS)
    for (const index of order) {
      const sample = samples[index]
      if (sample === undefined) continue
      const vector = vectorOf(sample.sentence).map((value) => value * SCALE)
      const given = probabilities(now(), vector, sample.sentence)
      const balance = (total / (CLASSES.length * get(share, sample.label))) * sample.weight
      const text = textFeatures(sample.sentence)
      CLASSES.forEach((_, label) => {
        const miss = (get(given, label) - (label === sample.label ? 1 : 0)) * balance
        const row = weights[label] ?? new Float32Array()
        const past = squares[label] ?? new Float32Array()
        const step = (at: number, g: number): void => {
          past[at] = get(past, at) + g * g
          row[at] = get(row, at) - (rate * g) / Math.sqrt(get(past, at))
        }
        step(0, miss)
        for (let i = 0; i < dim; i++) step(1 + i, miss * get(vector, i) + VECTOR_DECAY * get(row, 1 + i))
        for (const { bucket, value } of text)
          step(1 + dim + bucket, miss * value + TEXT_DECAY * get(row, 1 + dim + bucket))
      })
    }
  }
  return { ...now(), vector: views.vector.map((row) => row.map((value) => value * SCALE)) }
}

/** Cools the probabilities and moves the middle so that ±0.15 parts the classes best on sentences not trained on. */
function calibrated(
  weights: SentimentWeights,
  held: readonly JudgedMention[],
): { heat: number; shift: number; middle: number } {
  let best = { heat: 1, shift: 0, middle: 0, f1: 0 }
  for (const heat of [0.5, 0.75, 1, 1.5, 2, 3]) {
    for (const middle of [-0.3, 0, 0.3, 0.6, 0.9, 1.2]) {
      for (const shift of [-0.4, -0.2, 0, 0.2]) {
        const { f1 } = measured(adjusted(weights, { heat, shift, middle }), held)
        if (f1 > best.f1) best = { heat, shift, middle, f1 }
      }
    }
  }
  console.log('calibration', best)
  return best
}

function adjusted(weights: SentimentWeights, by: { heat: number; shift: number; middle: number }): SentimentWeights {
  const bias = [get(weights.bias, 0) - by.shift, get(weights.bias, 1) + by.middle, get(weights.bias, 2) + by.shift]
  return {
    dim: weights.dim,
    bias: bias.map((value) => value * by.heat),
    vector: weights.vector.map((row) => row.map((value) => value * by.heat)),
    text: weights.text.map((row) => row.map((value) => value * by.heat)),
  }
}

function measured(weights: SentimentWeights, samples: readonly JudgedMention[]): ReturnType<typeof macroScore> {
  const answers = samples.map(({ sentence }) => {
    const [negative = 0, , positive = 0] = probabilities(weights, vectorOf(sentence), sentence)
    return sentimentLabel(positive - negative)
  })
  return macroScore(
    samples.map(({ label }) => CLASSES[label] ?? 'neutral'),
    answers,
  )
}

// Sentences of one text go all to one side: NewsMTSC repeats a sentence once a mention.
const isHeld = (sentence: string): boolean =>
  Array.from(sentence, (letter) => letter.codePointAt(0) ?? 0).reduce((sum, code) => sum + code, 0) % 8 === 0
const politics = train.filter(({ weight }) => weight === 1)
const part = fit(train.filter(({ sentence }) => !isHeld(sentence)))
const held = politics.filter(({ sentence }) => isHeld(sentence))
const calibration = calibrated(part, held)
console.log('held out', measured(adjusted(part, calibration), held))
const whole = adjusted(fit(train), calibration)
console.log('NewsMTSC dev', measured(whole, dev))
const file = gzipSync(serializeSentiment(whole), { level: 9 })
writeFileSync(process.env['OUT'] ?? new URL('sentiment.bin.gz', import.meta.url), file)
console.log(`${file.length} bytes`)
