import { z } from 'zod'
import type { SentenceSentiment } from '../../ports/reader.ts'
import { modelFile, versionOf } from '../model-files.ts'
import {
  attend,
  bucket,
  type AttentionHead,
  type AttentionSentence,
  dense,
  gelu,
  normalise,
  softmax,
  transposed,
  type Dense,
} from './attention.ts'
import { place, products, freeAfter } from './products.ts'
import { MIN_POLARITY, CLASSES } from './sentiment.ts'

/**
 * A small network over the states of one sentence's pieces. It predicts the sentiment towards a target: negative,
 * neutral or positive.
 */
interface TargetedWeights {
  /** Components of a state. */
  readonly width: number
  /**
   * The part that the reader's session computes: an ONNX message to merge into the model, which outputs the states of
   * pieces.
   */
  readonly graph: Uint8Array
  readonly attention: readonly AttentionHead[]
  readonly hidden: Dense
  /** Three calibrated logits: negative, neutral, positive. */
  readonly output: Dense
  /** Direct contribution of the features to the logits, in addition to the hidden layer: float32[3, features]. */
  readonly direct: Float32Array
}

export interface TargetedSentiment extends Pick<TargetedWeights, 'width' | 'graph'> {
  /** Name and hash of the weights, recorded in every event that used them. */
  readonly model: string
  /**
   * Scores from -1 to 1: for the whole sentence, and towards each target. `states` is float32[position, width]. A
   * target is given by its positions; a target without positions gets the sentence's score. Only the first 1,024
   * positions are read.
   */
  read(states: Float32Array, targets: readonly (readonly number[])[]): SentenceSentiment
}

const targetedSentiment = (model: string, weights: TargetedWeights): TargetedSentiment => ({
  model,
  width: weights.width,
  graph: weights.graph,
  read: (states, targets) => {
    if (states.length === 0) return { sentence: 0, targets: targets.map(() => 0) }
    const sentence = states.subarray(0, MOST.positions * weights.width)
    const length = sentence.length / weights.width
    const everything = Array.from({ length }, (_, position) => position)
    const known = targets.map((target) => target.filter((position) => position < length))
    const [whole = 0, ...scores] = scoresOf(weights, sentence, [everything, ...known.filter((one) => one.length > 0)])
    let next = 0
    return { sentence: whole, targets: known.map((target) => (target.length > 0 ? (scores[next++] ?? 0) : whole)) }
  },
})

/** Positions of a sentence that are read, and targets that are read at once: as many as fit into the kernel's memory. */
const MOST = { positions: 1024, targets: 64 }

/** One score per target, given as ascending positions. */
function scoresOf(
  weights: TargetedWeights,
  states: Float32Array,
  targets: readonly (readonly number[])[],
): readonly number[] {
  if (targets.length > MOST.targets) {
    const [now, later] = [targets.slice(0, MOST.targets), targets.slice(MOST.targets)]
    return [...scoresOf(weights, states, now), ...scoresOf(weights, states, later)]
  }
  return freeAfter(() => {
    const probabilities = targetedProbabilities(weights, states, targets)
    return targets.map((_, i) => score(probabilities.subarray(i * CLASSES.length, (i + 1) * CLASSES.length)))
  })
}

/** P(negative), P(neutral) and P(positive) for each target: float32[target, 3]. */
function targetedProbabilities(
  weights: TargetedWeights,
  states: Float32Array,
  targets: readonly (readonly number[])[],
): Float32Array {
  const { width } = weights
  const length = states.length / width
  const sentence = { states: place(states), components: place(transposed(states, width)), length }
  const relative = positionsOf(sentence, targets)
  const mean = (shares: Float32Array): Float32Array => products(shares, sentence.components, length)
  const [whole, own] = [mean(new Float32Array(length).fill(1 / length)), mean(relative.inside)]
  const input = { sentence, buckets: relative.buckets, targets: own }
  const perTarget = [own, mean(relative.near), ...weights.attention.map((head) => attend(head, input))]
  const features = new Float32Array(targets.length * (perTarget.length + 1) * width)
  for (let target = 0, at = 0; target < targets.length; target++) {
    features.set(whole, at)
    at += width
    for (const each of perTarget) {
      features.set(each.subarray(target * width, (target + 1) * width), at)
      at += width
    }
  }
  const logits = dense(weights.output, gelu(dense(weights.hidden, features)))
  const direct = products(features, weights.direct, features.length / targets.length)
  for (let i = 0; i < logits.length; i++) logits[i] = (logits[i] ?? 0) + (direct[i] ?? 0)
  return softmax(logits, CLASSES.length)
}

/** Distance from the target, in pieces, at which the weight of a piece falls to 1/e. */
const WINDOW = 8
/** By distance. */
const NEARNESS = Float32Array.from({ length: MOST.positions }, (_, distance) => Math.exp(-distance / WINDOW))

/**
 * Position of each piece relative to each target, all [target, position]: weights of a mean over the target itself
 * (`inside`) and over its surroundings (`near`), and distance buckets.
 */
function positionsOf({ length }: AttentionSentence, targets: readonly (readonly number[])[]) {
  const size = targets.length * length
  const [inside, near, buckets] = [new Float32Array(size), new Float32Array(size), new Uint8Array(size)]
  targets.forEach((target, row) => {
    const from = row * length
    const [first, last] = [target[0] ?? 0, target.at(-1) ?? 0]
    for (const position of target) inside[from + position] = 1 / target.length
    for (let i = 0; i < length; i++) {
      const distance = i < first ? i - first : Math.max(0, i - last)
      near[from + i] = NEARNESS[Math.abs(distance)] ?? 0
      buckets[from + i] = bucket(distance)
    }
    normalise(near, from, length)
  })
  return { inside, near, buckets }
}

/**
 * Maps three probabilities to one score whose `sentimentLabel` is the likeliest class. Beyond ±`MIN_POLARITY` it grows
 * with the lead over the second class; within it, it shows which of the two sentiments is closer to overtaking neutral.
 * -1, 0 and 1 are certain.
 */
export function score(probabilities: ArrayLike<number>): number {
  const [negative = 0, neutral = 0, positive = 0] = Array.from(probabilities)
  const feeling = positive - negative
  const lead = Math.max(positive, negative) - Math.max(neutral, Math.min(positive, negative))
  if (lead >= 0) return Math.sign(feeling) * (MIN_POLARITY + (1 - MIN_POLARITY) * lead)
  return (MIN_POLARITY * feeling) / (2 * neutral - positive - negative)
}

const Head = z.object({
  width: z.number().int().positive(),
  /** Number of attention heads. */
  heads: z.number().int().min(0),
  /** Size in bytes of the graph, which follows in the file. */
  graph: z.number().int().positive(),
  /** The tensors that follow the graph, in this order. */
  tensors: z.array(z.object({ name: z.string(), shape: z.array(z.number().int().positive()).min(1) })),
})

/**
 * The file, little-endian: length of the head (uint32), the head as JSON, the graph, then the tensors in float32.
 * Written by `models/sentiment/export.py`.
 */
export function parseTargeted(file: Buffer): TargetedWeights {
  const start = 4 + file.readUInt32LE(0)
  const head = Head.parse(JSON.parse(file.toString('utf8', 4, start)))
  const tensors = tensorsOf(file.subarray(start + head.graph), head.tensors)
  const tensor = (name: string): Float32Array => {
    const found = tensors.get(name)
    if (found === undefined) throw new Error(`The sentiment weights have no ${name}`)
    return found
  }
  const denseOf = (name: string): Dense => ({ weights: tensor(`${name}.weights`), bias: tensor(`${name}.bias`) })
  const attentionOf = (_: unknown, i: number): AttentionHead => ({
    query: denseOf(`attention.${i}.query`),
    key: tensor(`attention.${i}.key`),
    distance: tensor(`attention.${i}.distance`),
  })
  return {
    width: head.width,
    graph: file.subarray(start, start + head.graph),
    attention: Array.from({ length: head.heads }, attentionOf),
    hidden: denseOf('hidden'),
    output: denseOf('output'),
    direct: tensor('direct'),
  }
}

function tensorsOf(bytes: Buffer, named: z.infer<typeof Head>['tensors']): ReadonlyMap<string, Float32Array> {
  const sizes = named.map(({ shape }) => shape.reduce((product, size) => product * size, 1))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (bytes.length !== 4 * total) throw new Error(`The sentiment weights have ${bytes.length} bytes, not ${4 * total}`)
  let at = 0
  return new Map(
    named.map(({ name }, i) => {
      const from = at
      at += 4 * (sizes[i] ?? 0)
      const values = Float32Array.from({ length: sizes[i] ?? 0 }, (_, k) => bytes.readFloatLE(from + 4 * k))
      return [name, place(values)] as const
    }),
  )
}

/** The weights for the states of the reader, and for those of the reader of all languages. */
const SENTIMENT = 'sentiment/targeted.bin.gz'
export const CROSS_SENTIMENT = 'cross-reader/sentiment.bin.gz'

/** Loads the model for a reader's states, with its committed weights. */
export function openTargetedSentiment(weights = SENTIMENT): TargetedSentiment {
  const file = modelFile(weights)
  return targetedSentiment(`targeted:${versionOf(file)}`, parseTargeted(file))
}
