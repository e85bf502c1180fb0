/**
 * How likely chance alone brings `count` articles or more to a window, where the same rate brought `prior` to a longer
 * time beside it: both are Poisson, so that, given their sum, the window's is binomial. `share` is the window's part of
 * both times together. With the sum given the rate need not be known, and a short history counts for as much as it is.
 */
export function chance({ count, prior, share }: { count: number; prior: number; share: number }): number {
  const all = count + prior
  if (count <= all * share) return 1 // no more than is to be expected: nobody asks how likely
  let [term, sum] = [1, 1]
  const odds = share / (1 - share)
  for (let k = count; k < all && term > sum * NEGLIGIBLE; k++) {
    term *= ((all - k) / (k + 1)) * odds
    sum += term
  }
  const first = logOfChoices(all, count) + count * Math.log(share) + prior * Math.log1p(-share)
  return Math.min(1, sum * Math.exp(first))
}

/** Beyond it a term changes the sum no more. */
const NEGLIGIBLE = 1e-17

/** Of the number of ways to choose `chosen` of `all`. */
function logOfChoices(all: number, chosen: number): number {
  let sum = 0
  for (let k = 1; k <= Math.min(chosen, all - chosen); k++) sum += Math.log((all - k + 1) / k)
  return sum
}
