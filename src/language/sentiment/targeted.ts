import { attend, type AttentionHead } from './attention.ts'
import { FEELS } from './label.ts'
import { added, dense, gelu, softmax, weightedMean, type Dense } from './matrices.ts'

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
    const towards = (positions: readonly number[]): number => score(targetedProbabilities(weights, states, positions))
    const sentiment = towards(everywhere)
    return { sentiment, targets: targets.map((target) => (target.length === 0 ? sentiment : towards(target))) }
  },
})

/** Probabilities of negative, neutral and positive towards the pieces at some positions, in rising order. */
export function targetedProbabilities(
  weights: TargetedWeights,
  states: Float32Array,
  target: readonly number[],
): Float32Array {
  const length = states.length / weights.width
  const [first, last] = [target[0] ?? 0, target.at(-1) ?? 0]
  const distances = Int32Array.from({ length }, (_, i) => (i < first ? i - first : Math.max(0, i - last)))
  const inTarget = new Float32Array(length)
  for (const position of target) inTarget[position] = 1
  const query = weightedMean(states, inTarget)
  const seen = [
    weightedMean(states, new Float32Array(length).fill(1)),
    query,
    weightedMean(states, Float32Array.from(distances, near)),
    ...weights.attention.map((head) => attend(head, { states, distances, query })),
  ]
  const features = new Float32Array(seen.length * weights.width)
  seen.forEach((part, i) => features.set(part, i * weights.width))
  const hidden = gelu(dense(weights.hidden, features))
  const bySelf = dense({ weights: weights.direct, bias: weights.output.bias }, features)
  return softmax(added(bySelf, dense({ weights: weights.output.weights, bias: new Float32Array(3) }, hidden)))
}

/** Pieces away from the target at which a word counts a third. */
const WINDOW = 8
const near = (distance: number): number => Math.exp(-Math.abs(distance) / WINDOW)

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
