import { attend, bucket, type AttentionHead, type AttentionSentence } from './attention.ts'
import { FEELS } from './label.ts'
import { dense, gelu, normalise, products, softmax, transposed, type Dense } from './matrices.ts'
import { CLASSES } from './sentiment.ts'

/** A small network over states of one sentence: who is meant, what is said around it, which of three feelings. */
export interface TargetedWeights {
  /** Components of a state. */
  readonly width: number
  /** What the encoder's session computes of it: an ONNX message to merge into the model, states of pieces out. */
  readonly graph: Uint8Array
  readonly attention: readonly AttentionHead[]
  readonly hidden: Dense
  /** Three logits: negative, neutral, positive; calibrated. */
  readonly output: Dense
  /** The features' own part in the logits, beside the hidden layer: float32[3, features]. */
  readonly direct: Float32Array
}

export interface TargetedSentiment extends Pick<TargetedWeights, 'width' | 'graph'> {
  /** Name and hash of the weights: in every event they touched. */
  readonly model: string
  /**
   * Scores from -1 to 1: of the whole sentence, and towards each target. `states` is float32[position, width]; a target
   * is its positions, and one without any has the sentence's score.
   */
  read(
    states: Float32Array,
    targets: readonly (readonly number[])[],
  ): { readonly sentiment: number; readonly targets: readonly number[] }
}

export const targetedSentiment = (model: string, weights: TargetedWeights): TargetedSentiment => ({
  model,
  width: weights.width,
  graph: weights.graph,
  read: (states, targets) => {
    const everywhere = Array.from({ length: states.length / weights.width }, (_, position) => position)
    const placed = targets.filter((target) => target.length > 0)
    const probabilities = targetedProbabilities(weights, states, [everywhere, ...placed])
    const scores = Array.from({ length: 1 + placed.length }, (_, i) =>
      score(probabilities.subarray(i * CLASSES.length, (i + 1) * CLASSES.length)),
    )
    const [sentiment = 0] = scores
    let next = 1
    return { sentiment, targets: targets.map((target) => (target.length > 0 ? (scores[next++] ?? 0) : sentiment)) }
  },
})

/** Of each target, pieces at some positions in rising order, P(negative), P(neutral) and P(positive): float32[target, 3]. */
export function targetedProbabilities(
  weights: TargetedWeights,
  states: Float32Array,
  targets: readonly (readonly number[])[],
): Float32Array {
  const { width } = weights
  const length = states.length / width
  const sentence = { states, components: transposed(states, width), length }
  const places = placesOf(sentence, targets)
  const mean = (shares: Float32Array): Float32Array => products(shares, sentence.components, length)
  const [whole, own] = [mean(new Float32Array(length).fill(1 / length)), mean(places.inside)]
  const input = { sentence, buckets: places.buckets, targets: own }
  const seen = [own, mean(places.near), ...weights.attention.map((head) => attend(head, input))]
  const features = new Float32Array(targets.length * (seen.length + 1) * width)
  for (let target = 0, at = 0; target < targets.length; target++) {
    features.set(whole, at)
    at += width
    for (const each of seen) {
      features.set(each.subarray(target * width, (target + 1) * width), at)
      at += width
    }
  }
  const logits = dense(weights.output, gelu(dense(weights.hidden, features)))
  const direct = products(features, weights.direct, features.length / targets.length)
  for (let i = 0; i < logits.length; i++) logits[i] = (logits[i] ?? 0) + (direct[i] ?? 0)
  return softmax(logits, CLASSES.length)
}

/** Pieces away from the target at which a word counts a third. */
const WINDOW = 8

/** Where each piece of a sentence stands as each target sees it, all [target, position]. */
interface TargetedSentimentPlaces {
  /** Shares of a mean over the target itself. */
  readonly inside: Float32Array
  /** Shares of a mean over what is near it. */
  readonly near: Float32Array
  readonly buckets: Uint8Array
}

function placesOf({ length }: AttentionSentence, targets: readonly (readonly number[])[]): TargetedSentimentPlaces {
  const size = targets.length * length
  const [inside, near, buckets] = [new Float32Array(size), new Float32Array(size), new Uint8Array(size)]
  targets.forEach((target, row) => {
    const from = row * length
    const [first, last] = [target[0] ?? 0, target.at(-1) ?? 0]
    for (const position of target) inside[from + position] = 1 / target.length
    for (let i = 0; i < length; i++) {
      const distance = i < first ? i - first : Math.max(0, i - last)
      near[from + i] = Math.exp(-Math.abs(distance) / WINDOW)
      buckets[from + i] = bucket(distance)
    }
    normalise(near, from, length)
  })
  return { inside, near, buckets }
}

/**
 * One number for three probabilities, such that its label (`label.ts`) is the likeliest class: from ±`FEELS` on as far as
 * a feeling is likelier than the next class, and within them as far as neutral is nearer to giving way to one feeling than
 * to the other. -1, 0 and 1 are certainty.
 */
export function score(probabilities: ArrayLike<number>): number {
  const [negative = 0, neutral = 0, positive = 0] = Array.from(probabilities)
  const feeling = positive - negative
  const lead = Math.max(positive, negative) - Math.max(neutral, Math.min(positive, negative))
  if (lead >= 0) return Math.sign(feeling) * (FEELS + (1 - FEELS) * lead)
  return (FEELS * feeling) / (2 * neutral - positive - negative)
}
