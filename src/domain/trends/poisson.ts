/**
 * Probability of `count` or more events if `mean` are expected: P(X >= count) of a Poisson variable, 0 to 1. Sums the
 * smaller of the two tails, each term from the one before, so that small probabilities keep full precision.
 */
export function upperTail(count: number, mean: number): number {
  if (count <= 0) return 1
  if (mean <= 0) return 0
  return count > mean ? Math.min(1, sumFrom(count, mean)) : Math.max(0, 1 - sumBelow(count, mean))
}

/** Terms below this share of the sum no longer change it. */
const NEGLIGIBLE = 1e-17

/** P(X >= count). The terms decrease from the first on, since count > mean. */
function sumFrom(count: number, mean: number): number {
  let [term, sum] = [1, 1]
  for (let k = count + 1; term > sum * NEGLIGIBLE; k++) {
    term *= mean / k
    sum += term
  }
  return sum * probability(count, mean)
}

/** P(X < count), summed downwards. The terms decrease from the last on, since count <= mean. */
function sumBelow(count: number, mean: number): number {
  let [term, sum] = [1, 1]
  for (let k = count - 1; k > 0 && term > sum * NEGLIGIBLE; k--) {
    term *= k / mean
    sum += term
  }
  return sum * probability(count - 1, mean)
}

const probability = (count: number, mean: number): number =>
  Math.exp(count * Math.log(mean) - mean - logOfFactorial(count))

/** Smaller factorials are multiplied out. From here on Stirling's series is exact. */
const SERIES_FROM = 32

function logOfFactorial(n: number): number {
  if (n >= SERIES_FROM) {
    const series = 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)
    return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + series
  }
  let product = 1
  for (let k = 2; k <= n; k++) product *= k
  return Math.log(product)
}
