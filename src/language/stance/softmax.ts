import type { StanceLayer } from './weights.ts'

/** Multinomial logistic regression: a sum for each class. */
export const logits = ({ bias, weights }: StanceLayer, row: ArrayLike<number>): number[] =>
  weights.map((of, label) => {
    let sum = bias[label] ?? 0
    for (let i = 0; i < row.length; i++) sum += (of[i] ?? 0) * (row[i] ?? 0)
    return sum
  })

/** Each 0 to 1, together 1. */
export function softmax(sums: readonly number[]): number[] {
  const most = Math.max(...sums)
  const powers = sums.map((sum) => Math.exp(sum - most))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}
