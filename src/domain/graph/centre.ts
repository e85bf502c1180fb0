/** Steps of a quantised component: a unit vector's lie within -127 and 127. */
const STEPS = 127

/** int8 of the same length: `floor(127 * component + 0.5)`; a store computes the same in Float64. */
export function quantised(vector: Float32Array): Int8Array {
  const steps = new Int8Array(vector.length)
  for (let i = 0; i < steps.length; i++) steps[i] = Math.floor(STEPS * (vector[i] ?? 0) + 0.5)
  return steps
}

/** An article came: `centre` is changed. */
export function addTo(centre: Int32Array, vector: Int8Array): void {
  for (let i = 0; i < centre.length; i++) centre[i] = (centre[i] ?? 0) + (vector[i] ?? 0)
}

/** An article left: `centre` is changed. */
export function takeFrom(centre: Int32Array, vector: Int8Array): void {
  for (let i = 0; i < centre.length; i++) centre[i] = (centre[i] ?? 0) - (vector[i] ?? 0)
}

/** Cosine, the same from both sides; 0 where one of them is zero. The sums are whole numbers below 2^53, so exact. */
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
