/** The title's part in an article's own vector: measured best for finding its story. */
const TITLE = 0.3

/** The article's own vector, unit length: 0.3 title + 0.7 lead. Two opposite halves leave the lead. */
export function mix(title: Float32Array, lead: Float32Array): Float32Array {
  const mixed = lead.map((value, i) => TITLE * (title[i] ?? 0) + (1 - TITLE) * value)
  const norm = Math.sqrt(mixed.reduce((sum, value) => sum + value * value, 0))
  return norm > 0 ? mixed.map((value) => value / norm) : lead
}
