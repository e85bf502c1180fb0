/** An example of one category. */
export interface CategoryExample {
  readonly vector: Float32Array
  readonly is: boolean
  readonly weight: number
}

export interface Learned {
  readonly weights: Float64Array
  readonly bias: number
}

const ROUNDS = 120
const MOMENTUM = 0.95

/** Logistic regression with a penalty on the squared weights, by gradient descent from nothing: the same at each run. */
export function learn(
  examples: readonly CategoryExample[],
  { penalty, rate }: { penalty: number; rate: number },
): Learned {
  const dim = examples[0]?.vector.length ?? 0
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const weights = new Float64Array(dim)
  const speed = new Float64Array(dim)
  let bias = 0
  let biasSpeed = 0
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Float64Array(dim)
    let biasSlope = 0
    for (const { vector, is, weight } of examples) {
      const miss = (weight * (probability(vector, { weights, bias }) - (is ? 1 : 0))) / total
      biasSlope += miss
      for (let i = 0; i < dim; i++) slope[i] = (slope[i] ?? 0) + miss * (vector[i] ?? 0)
    }
    for (let i = 0; i < dim; i++) {
      speed[i] = MOMENTUM * (speed[i] ?? 0) - rate * ((slope[i] ?? 0) + penalty * (weights[i] ?? 0))
      weights[i] = (weights[i] ?? 0) + (speed[i] ?? 0)
    }
    biasSpeed = MOMENTUM * biasSpeed - rate * biasSlope
    bias += biasSpeed
  }
  return { weights, bias }
}

export function probability(vector: Float32Array, { weights, bias }: Learned): number {
  let sum = bias
  for (let i = 0; i < vector.length; i++) sum += (vector[i] ?? 0) * (weights[i] ?? 0)
  return 1 / (1 + Math.exp(-sum))
}

export interface CategoryGuess {
  readonly is: boolean
  readonly weight: number
  readonly probability: number
}

/** The lowest threshold, not below one half, from which on at least `precision` of the weight above it is right. */
export function thresholdFor(guesses: readonly CategoryGuess[], precision: number): number {
  const ranked = guesses.filter((one) => one.probability >= 0.5).sort((a, b) => b.probability - a.probability)
  let right = 0
  let predicted = 0
  let best = 0.99
  for (const guess of ranked) {
    predicted += guess.weight
    if (guess.is) right += guess.weight
    if (right / predicted >= precision) best = guess.probability
  }
  return Math.min(0.99, best)
}

export function precisionAndRecall(guesses: readonly CategoryGuess[], threshold: number) {
  const weightOf = (some: readonly CategoryGuess[]) => some.reduce((sum, { weight }) => sum + weight, 0)
  const predicted = guesses.filter(({ probability }) => probability >= threshold)
  const right = predicted.filter(({ is }) => is)
  const all = guesses.filter(({ is }) => is)
  return {
    precision: weightOf(right) / weightOf(predicted),
    recall: weightOf(right) / weightOf(all),
    right: right.length,
    predicted: predicted.length,
    all: all.length,
    of: guesses.length,
  }
}
