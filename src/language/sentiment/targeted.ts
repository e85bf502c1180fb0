import { attend, type AttentionHead } from './attention.ts'
import { dense, gelu, softmax, weightedMean, type Dense } from './matrices.ts'

/** What the encoder's session makes of the states of inner layers, before this model sees them. */
interface StateMap {
  readonly layers: readonly number[]
  /** float32[layers x states, width]. */
  readonly weights: Float32Array
  /** float32[width]. */
  readonly bias: Float32Array
}

/** A small network over the mapped states of one sentence: who is meant, what is said around it, which of three. */
export interface TargetedWeights {
  readonly map: StateMap
  readonly attention: readonly AttentionHead[]
  readonly hidden: Dense
  /** Three logits: negative, neutral, positive; calibrated. */
  readonly output: Dense
  /** P(positive) - P(negative) from which on a label changes. */
  readonly threshold: number
}

export interface TargetedSentiment {
  /** Name and hash of the weights: in every event they touched. */
  readonly model: string
  readonly map: StateMap
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
  map: weights.map,
  read: (states, targets) => {
    const length = states.length / weights.map.bias.length
    const everywhere = Array.from({ length }, (_, position) => position)
    const towards = (positions: readonly number[]): number =>
      stretched(feeling(targetedProbabilities(weights, states, positions)), weights.threshold)
    const sentiment = towards(everywhere)
    return { sentiment, targets: targets.map((target) => (target.length === 0 ? sentiment : towards(target))) }
  },
})

const feeling = ([negative = 0, , positive = 0]: ArrayLike<number> & Iterable<number>): number => positive - negative

/** Probabilities of negative, neutral and positive towards the pieces at some positions. */
export function targetedProbabilities(
  weights: TargetedWeights,
  states: Float32Array,
  target: readonly number[],
): Float32Array {
  const width = weights.map.bias.length
  const length = states.length / width
  const [first, last] = [target[0] ?? 0, target.at(-1) ?? 0]
  const distances = Int32Array.from({ length }, (_, i) => (i < first ? i - first : Math.max(0, i - last)))
  const inTarget = new Float32Array(length)
  for (const position of target) inTarget[position] = 1
  const mean = weightedMean(states, inTarget)
  const seen = [
    weightedMean(states, new Float32Array(length).fill(1)),
    mean,
    weightedMean(states, Float32Array.from(distances, near)),
    ...weights.attention.map((head) => attend(head, { states, distances, query: mean })),
  ]
  const features = new Float32Array(seen.length * width)
  seen.forEach((part, i) => features.set(part, i * width))
  return softmax(dense(weights.output, gelu(dense(weights.hidden, features))))
}

/** Pieces away from the target at which a word counts a third. */
const WINDOW = 8
const near = (distance: number): number => Math.exp(-Math.abs(distance) / WINDOW)

/** Where labels change according to the service's contract (`label.ts`). */
const LABEL = 0.15

/** Moves the difference at which the label changes to ±0.15; -1, 0 and 1 stay where they are. */
export function stretched(difference: number, threshold: number): number {
  const size = Math.abs(difference)
  const moved = size < threshold ? (size * LABEL) / threshold : 1 - ((1 - size) * (1 - LABEL)) / (1 - threshold)
  return Math.sign(difference) * moved
}
