/**
 * The number of leading positions, of `length`, for which `isBefore` holds. Once it is `false`, it must be `false` for
 * all later positions.
 */
export function countBefore(length: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
