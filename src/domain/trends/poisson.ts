/**
 * How likely chance alone brings `count` events or more where `mean` are to be expected: P(X >= count) of a Poisson
 * variable, 0 to 1. The smaller of the two tails is what is summed, each term from the one before, so that a small
 * probability keeps all its digits.
 */
export function upperTail(count: number, mean: number): number {
  if (count <= 0) return 1
  if (mean <= 0) return 0
  return count > mean ? Math.min(1, sumFrom(count, mean)) : Math.max(0, 1 - sumBelow(count, mean))
}

/** Beyond it a term changes the sum no more. */
const NEGLIGIBLE = 1e-17

/** P(X >= count): the terms fall from the first on, since count > mean. */
function sumFrom(count: number, mean: number): number {
  let [term, sum] = [1, 1]
  for (let k = count + 1; term > sum * NEGLIGIBLE; k++) {
    term *= mean / k
    sum += term
  }
  return sum * probability(count, mean)
}

/** P(X < count): downwards the terms fall from the last on, since count <= mean. */
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

/** Up to here the product is taken, from here on Stirling's series, which is exact there. */
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
