/** Serialised vectors of one dimension and model. */
export interface Vector {
  /**
   * Model (first 12 hex digits of its file's SHA-256, or its name at an endpoint) and kind of pooling, for example
   * `afdb6f1a0e45:lead`.
   */
  readonly model: string
  readonly dim: number
  readonly dtype: 'f32' | 'bf16'
  /** Little-endian, `dim` components per vector, vectors one after another. */
  readonly data: Buffer
}

/** Serialises float32 components unchanged. */
export const f32 = (model: string, values: Float32Array): Vector => ({
  model,
  dim: values.length,
  dtype: 'f32',
  data: Buffer.from(values.buffer, values.byteOffset, values.byteLength),
})

/**
 * Serialises vectors of one dimension in bfloat16 (rounded to nearest, ties to even): half the bytes, cosine error
 * below 0.001.
 */
export function bf16(model: string, dim: number, vectors: readonly Float32Array[]): Vector {
  const halves = new Uint16Array(vectors.length * dim)
  for (const [row, vector] of vectors.entries()) {
    const words = new Uint32Array(vector.buffer, vector.byteOffset, Math.min(dim, vector.length))
    const first = row * dim
    for (let i = 0; i < words.length; i++) {
      const word = words[i] ?? 0
      halves[first + i] = (word + 0x7fff + ((word >>> 16) & 1)) >>> 16
    }
  }
  const data = Buffer.from(halves.buffer)
  return { model, dim, dtype: 'bf16', data }
}

/** All vectors of a serialised value, as float32[dim] each. */
export function vectors({ dim, dtype, data }: Vector): Float32Array[] {
  const width = dtype === 'f32' ? 4 : 2
  const count = dim === 0 ? 0 : Math.floor(data.length / (dim * width))
  return Array.from({ length: count }, (_, row) => {
    const bytes = data.subarray(row * dim * width, (row + 1) * dim * width)
    return dtype === 'f32' ? new Float32Array(Uint8Array.from(bytes).buffer) : fromBfloat(bytes, dim)
  })
}

function fromBfloat(bytes: Uint8Array, dim: number): Float32Array {
  const floats = new Float32Array(dim)
  const words = new Uint32Array(floats.buffer)
  for (let i = 0; i < dim; i++) words[i] = ((bytes[2 * i] ?? 0) << 16) | ((bytes[2 * i + 1] ?? 0) << 24)
  return floats
}
