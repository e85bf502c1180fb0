/** Quantisation steps per unit: the components of a unit vector become integers from -127 to 127. */
const STEPS = 127

/** Quantises each component to int8: `floor(127 * component + 0.5)`. ClickHouse computes the same in Float64. */
export function quantised(vector: Float32Array): Int8Array {
  const steps = new Int8Array(vector.length)
  for (let i = 0; i < steps.length; i++) steps[i] = Math.floor(STEPS * (vector[i] ?? 0) + 0.5)
  return steps
}

/** Adds the vector of a new article to `centre`, in place. */
export function addTo(centre: Int32Array, vector: Int8Array): void {
  for (let i = 0; i < centre.length; i++) centre[i] = (centre[i] ?? 0) + (vector[i] ?? 0)
}

/** Subtracts the vector of a removed article from `centre`, in place. */
export function takeFrom(centre: Int32Array, vector: Int8Array): void {
  for (let i = 0; i < centre.length; i++) centre[i] = (centre[i] ?? 0) - (vector[i] ?? 0)
}

/** Cosine similarity (symmetric); 0 if either vector is zero. The sums are integers below 2^53, so they are exact. */
export function similarity(a: Int32Array, b: Int32Array): number {
  let [product, ofA, ofB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    product += x * y
    ofA += x * x
    ofB += y * y
  }
  return ofA === 0 || ofB === 0 ? 0 : product / (Math.sqrt(ofA) * Math.sqrt(ofB))
}
