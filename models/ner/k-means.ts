/** Dimensions in ascending order and their values; unit length. */
export interface SparseVector {
  readonly at: readonly number[]
  readonly values: readonly number[]
}

/** Spherical k-means, begun from the first k vectors (the most frequent words), so that it is reproducible. */
export function kMeans(
  vectors: readonly SparseVector[],
  { dim, k, rounds }: { readonly dim: number; readonly k: number; readonly rounds: number },
): { readonly of: Int32Array; readonly centres: readonly Float32Array[] } {
  const of = new Int32Array(vectors.length)
  // Dimension-major, so that one non-zero of a word meets all centres in a row of memory.
  const centres = new Float32Array(dim * k)
  vectors.slice(0, k).forEach(({ at, values }, centre) => {
    at.forEach((d, j) => (centres[d * k + centre] = values[j] ?? 0))
  })
  const scores = new Float32Array(k)
  for (let round = 0; round < rounds; round++) {
    let moved = 0
    vectors.forEach(({ at, values }, i) => {
      scores.fill(0)
      for (let j = 0; j < at.length; j++) {
        const value = values[j] ?? 0
        const row = (at[j] ?? 0) * k
        for (let c = 0; c < k; c++) scores[c] = (scores[c] ?? 0) + value * (centres[row + c] ?? 0)
      }
      let best = 0
      for (let c = 1; c < k; c++) if ((scores[c] ?? 0) > (scores[best] ?? 0)) best = c
      if (of[i] !== best) moved++
      of[i] = best
    })
    centres.fill(0)
    vectors.forEach(({ at, values }, i) => {
      const c = of[i] ?? 0
      at.forEach((d, j) => (centres[d * k + c] = (centres[d * k + c] ?? 0) + (values[j] ?? 0)))
    })
    for (let c = 0; c < k; c++) {
      let square = 0
      for (let d = 0; d < dim; d++) square += (centres[d * k + c] ?? 0) ** 2
      const length = Math.sqrt(square) || 1
      for (let d = 0; d < dim; d++) centres[d * k + c] = (centres[d * k + c] ?? 0) / length
    }
    console.log(`round ${round}: ${moved} moved`)
  }
  return {
    of,
    centres: Array.from({ length: k }, (_, c) => Float32Array.from({ length: dim }, (_, d) => centres[d * k + c] ?? 0)),
  }
}
