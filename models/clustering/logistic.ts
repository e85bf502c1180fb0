/** One labelled set: each row holds the features in one order. */
export interface LabelledSet {
  readonly rows: readonly (readonly number[])[]
  readonly labels: readonly boolean[]
}

/** Weights of the features, in the order of the rows, then the bias. */
export type LogisticWeights = readonly number[]

/** The weight of all a set's positives together; its negatives weigh three times as much. */
const WEIGHT = 700
const NEGATIVE_SHARE = 3
const STEPS = 50

/**
 * Logistic regression with a squared penalty of one half on each weight but the bias, by Newton's method with step
 * halving. Every set weighs the same however large it is.
 */
export const fit = (sets: readonly LabelledSet[]): LogisticWeights => fitSamples(sets.flatMap(weighted))

/** The same of samples as they weigh: all alike, what comes out are calibrated probabilities of the label. */
export function fitSamples(samples: readonly LogisticSample[]): LogisticWeights {
  const width = (samples[0]?.row.length ?? 0) + 1
  let weights = new Array<number>(width).fill(0)
  let loss = lossOf(samples, weights)
  for (let step = 0; step < STEPS; step++) {
    const direction = newton(samples, weights)
    let length = 1
    let next = moved(weights, direction, length)
    let lower = lossOf(samples, next)
    while (lower > loss && length > 1e-4) {
      length /= 2
      next = moved(weights, direction, length)
      lower = lossOf(samples, next)
    }
    if (loss - lower < 1e-9) break
    weights = next
    loss = lower
  }
  return weights
}

export interface LogisticSample {
  readonly row: readonly number[]
  readonly label: 0 | 1
  readonly weight: number
}

function weighted({ rows, labels }: LabelledSet): LogisticSample[] {
  const positives = labels.filter(Boolean).length
  const of = (label: boolean) =>
    label ? WEIGHT / Math.max(1, positives) : (NEGATIVE_SHARE * WEIGHT) / Math.max(1, labels.length - positives)
  return rows.map((row, i) => ({ row, label: labels[i] === true ? 1 : 0, weight: of(labels[i] === true) }))
}

const moved = (weights: readonly number[], direction: readonly number[], length: number): number[] =>
  weights.map((weight, i) => weight - length * (direction[i] ?? 0))

export function logit(row: readonly number[], weights: LogisticWeights): number {
  let sum = weights[row.length] ?? 0
  row.forEach((value, i) => (sum += value * (weights[i] ?? 0)))
  return sum
}

/** ln(1 + e^z) without overflow. */
const softplus = (z: number): number => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)))

function lossOf(samples: readonly LogisticSample[], weights: readonly number[]): number {
  let loss = 0
  for (const { row, label, weight } of samples) {
    const z = logit(row, weights)
    loss += weight * (softplus(z) - label * z)
  }
  return loss + weights.slice(0, -1).reduce((sum, weight) => sum + weight * weight, 0) / 2
}

/** The step to the minimum of the quadratic that touches the loss here. */
function newton(samples: readonly LogisticSample[], weights: readonly number[]): number[] {
  const width = weights.length
  const gradient = weights.map((weight, i) => (i < width - 1 ? weight : 0))
  const hessian = weights.map((_, i) => weights.map((__, j): number => (i === j ? (i < width - 1 ? 1 : 1e-9) : 0)))
  for (const { row, label, weight } of samples) {
    const probability = 1 / (1 + Math.exp(-logit(row, weights)))
    const error = weight * (probability - label)
    const curve = weight * probability * (1 - probability)
    const values = [...row, 1]
    values.forEach((value, i) => {
      gradient[i] = (gradient[i] ?? 0) + error * value
      const line = hessian[i] ?? []
      for (let j = 0; j < width; j++) line[j] = (line[j] ?? 0) + curve * value * (values[j] ?? 0)
    })
  }
  return solved(hessian, gradient)
}

/** Of a positive definite system: elimination without pivoting. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0])
  rows.forEach((pivot, i) => {
    for (const row of rows.slice(i + 1)) {
      const factor = (row[i] ?? 0) / (pivot[i] ?? 1)
      for (let j = i; j < row.length; j++) row[j] = (row[j] ?? 0) - factor * (pivot[j] ?? 0)
    }
  })
  const solution = new Array<number>(rows.length).fill(0)
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i] ?? []
    let rest = row[rows.length] ?? 0
    for (let j = i + 1; j < rows.length; j++) rest -= (row[j] ?? 0) * (solution[j] ?? 0)
    solution[i] = rest / (row[i] ?? 1)
  }
  return solution
}
