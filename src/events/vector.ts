/** A vector on the wire: bytes with their width and the hash of the model file that made them. */
export interface Vector {
  /** Model file hash (first 12 hex digits of SHA-256) and kind of pooling, e.g. `afdb6f1a0e45:lead`. */
  readonly model: string
  readonly dim: number
  readonly dtype: 'f32' | 'bf16'
  /** Little-endian, `dim` components a vector, several vectors one after the other. */
  readonly data: Buffer
}

/** float32 components as they are. */
export const f32 = (model: string, values: Float32Array): Vector => ({
  model,
  dim: values.length,
  dtype: 'f32',
  data: Buffer.from(values.buffer, values.byteOffset, values.byteLength),
})

/** Several vectors of one width in bfloat16 (rounded to nearest, ties to even): half the bytes, cosine error below 0.001. */
export function bf16(model: string, dim: number, vectors: readonly Float32Array[]): Vector {
  const data = Buffer.alloc(vectors.length * dim * 2)
  const bits = new Uint32Array(1)
  const float = new Float32Array(bits.buffer)
  vectors.forEach((vector, row) => {
    for (let i = 0; i < dim; i++) {
      float[0] = vector[i] ?? 0
      const word = bits[0] ?? 0
      data.writeUInt16LE(((word + 0x7fff + ((word >>> 16) & 1)) >>> 16) & 0xffff, (row * dim + i) * 2)
    }
  })
  return { model, dim, dtype: 'bf16', data }
}

/** All vectors of a wire value, as float32[dim] each. */
export function vectors({ dim, dtype, data }: Vector): Float32Array[] {
  const width = dtype === 'f32' ? 4 : 2
  const count = dim === 0 ? 0 : Math.floor(data.length / (dim * width))
  return Array.from({ length: count }, (_, row) => {
    const out = new Float32Array(dim)
    for (let i = 0; i < dim; i++) {
      const at = (row * dim + i) * width
      out[i] = dtype === 'f32' ? data.readFloatLE(at) : bfloat(data.readUInt16LE(at))
    }
    return out
  })
}

const scratch = new DataView(new ArrayBuffer(4))

function bfloat(half: number): number {
  scratch.setUint32(0, half << 16)
  return scratch.getFloat32(0)
}
