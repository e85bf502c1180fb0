import { descended } from '../stance/fit.ts'

export interface SparseSample {
  /** Numbers of the features that are not zero. */
  readonly features: Uint32Array
  readonly values: Float64Array
  readonly label: number
}

interface Fitting {
  readonly classes: number
  readonly width: number
  /** Half of it times each squared weight (not the biases') is added to the loss. */
  readonly penalty: number
}

interface FittedWeights {
  readonly bias: readonly number[]
  /** `classes` numbers for each feature, one feature after the other. */
  readonly weights: Float64Array
}

/** Few enough that rare words are hardly learned by heart, which the penalty alone would not prevent. */
const STEPS = 30

/** Multinomial logistic regression by L-BFGS from nothing, of rows that are mostly zero: the same at each run. */
export function fitSparse(samples: readonly SparseSample[], { classes, width, penalty }: Fitting): FittedWeights {
  const bias = width * classes
  const gradientAt = (at: Float64Array, slope: Float64Array): number => {
    let loss = 0
    slope.fill(0)
    const sums = new Float64Array(classes)
    for (const { features, values, label } of samples) {
      for (let k = 0; k < classes; k++) sums[k] = at[bias + k] ?? 0
      for (let j = 0; j < features.length; j++) {
        const from = (features[j] ?? 0) * classes
        const value = values[j] ?? 0
        for (let k = 0; k < classes; k++) sums[k] = (sums[k] ?? 0) + value * (at[from + k] ?? 0)
      }
      const most = Math.max(...sums)
      let total = 0
      for (let k = 0; k < classes; k++) total += Math.exp((sums[k] ?? 0) - most)
      loss += Math.log(total) + most - (sums[label] ?? 0)
      for (let k = 0; k < classes; k++) sums[k] = Math.exp((sums[k] ?? 0) - most) / total - (k === label ? 1 : 0)
      for (let j = 0; j < features.length; j++) {
        const from = (features[j] ?? 0) * classes
        const value = values[j] ?? 0
        for (let k = 0; k < classes; k++) slope[from + k] = (slope[from + k] ?? 0) + value * (sums[k] ?? 0)
      }
      for (let k = 0; k < classes; k++) slope[bias + k] = (slope[bias + k] ?? 0) + (sums[k] ?? 0)
    }
    for (let i = 0; i < bias; i++) {
      loss += (penalty * (at[i] ?? 0) ** 2) / 2
      slope[i] = (slope[i] ?? 0) + penalty * (at[i] ?? 0)
    }
    return loss
  }
  const best = descended(new Float64Array(bias + classes), gradientAt, STEPS)
  return { bias: [...best.subarray(bias)], weights: best.subarray(0, bias) }
}
