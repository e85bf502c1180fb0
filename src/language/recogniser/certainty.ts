import { TAGS } from './tags.ts'

const WIDTH = TAGS.length

export interface ChainScores {
  /** float32[WIDTH, WIDTH]: one row per previous tag. */
  readonly transitions: Float32Array
  /** Scores of the first word's tags: float32[WIDTH]. */
  readonly start: Float32Array
}

/**
 * Certainty of a linear-chain model about a sentence, 0 to 1: the lowest of the marginal probabilities of each word's
 * likeliest tag (forward-backward, Rabiner 1989); 1 without words. `emissions`: float32[words, WIDTH].
 */
export function certainty(emissions: Float32Array, chain: ChainScores): number {
  const words = emissions.length / WIDTH
  const steps = chain.transitions.map(Math.exp)
  const forward = new Float64Array(emissions.length)
  const local = localProbabilities(emissions)
  for (let i = 0; i < words; i++) {
    for (let tag = 0; tag < WIDTH; tag++) {
      const into = i === 0 ? Math.exp(chain.start[tag] ?? 0) : incoming(forward, (i - 1) * WIDTH, { steps, tag })
      forward[i * WIDTH + tag] = into * at(local, i * WIDTH + tag)
    }
    scale(forward, i * WIDTH)
  }
  return lowestMarginal(forward, local, steps)
}

const at = (values: Float64Array | Float32Array, i: number): number => values[i] ?? 0

/**
 * exp of each word's scores, scaled so that the largest is 1: a constant factor per word does not change the
 * probabilities.
 */
function localProbabilities(emissions: Float32Array): Float64Array {
  const local = new Float64Array(emissions.length)
  for (let i = 0; i < emissions.length; i += WIDTH) {
    const highest = Math.max(...emissions.subarray(i, i + WIDTH))
    for (let t = 0; t < WIDTH; t++) local[i + t] = Math.exp(at(emissions, i + t) - highest)
  }
  return local
}

function incoming(
  forward: Float64Array,
  before: number,
  { steps, tag }: { readonly steps: Float32Array; readonly tag: number },
): number {
  let sum = 0
  for (let from = 0; from < WIDTH; from++) sum += at(forward, before + from) * at(steps, from * WIDTH + tag)
  return sum
}

function scale(values: Float64Array, row: number): void {
  let sum = 0
  for (let t = 0; t < WIDTH; t++) sum += at(values, row + t)
  for (let t = 0; t < WIDTH; t++) values[row + t] = at(values, row + t) / (sum || 1)
}

/** The backward pass; returns the lowest of the words' highest marginal probabilities. */
function lowestMarginal(forward: Float64Array, local: Float64Array, steps: Float32Array): number {
  let lowest = 1
  const backward = new Float64Array(WIDTH).fill(1)
  const next = new Float64Array(WIDTH)
  for (let row = forward.length - WIDTH; row >= 0; row -= WIDTH) {
    let [sum, best] = [0, 0]
    for (let t = 0; t < WIDTH; t++) {
      const joint = at(forward, row + t) * at(backward, t)
      sum += joint
      best = Math.max(best, joint)
    }
    lowest = Math.min(lowest, sum > 0 ? best / sum : 0)
    for (let t = 0; t < WIDTH; t++) next[t] = at(backward, t) * at(local, row + t)
    for (let from = 0; from < WIDTH; from++) {
      let outgoing = 0
      for (let to = 0; to < WIDTH; to++) outgoing += at(steps, from * WIDTH + to) * at(next, to)
      backward[from] = outgoing
    }
    scale(backward, 0)
  }
  return lowest
}
