import { PRODUCTS_WASM } from './products-wasm.ts'

interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** Addresses in bytes; `a` is float32[n, size], `b` float32[m, size], `out` float32[n, m]. */
  readonly products: (...[a, n, b, m, size, out]: readonly [number, number, number, number, number, number]) => void
}

/** WebAssembly with SIMD: six times as fast as the same loops in JavaScript, and the same bits on every machine. */
const { memory, products: multiply } = new WebAssembly.Instance(
  new WebAssembly.Module(Buffer.from(PRODUCTS_WASM, 'base64')),
).exports as unknown as Kernel

const BYTES = Float32Array.BYTES_PER_ELEMENT
/** Where the free part of the kernel's memory begins, in bytes. */
let free = 0

/** An array in the kernel's memory, until the `temporarily` around the call ends. Its values are arbitrary. */
function reserved(length: number): Float32Array {
  const array = new Float32Array(memory.buffer, free, length)
  free += length * BYTES
  return array
}

/** The same values in the kernel's memory, where `products` reads them without copying them again. */
export function placed(values: Float32Array): Float32Array {
  if (values.buffer === memory.buffer) return values
  const copy = reserved(values.length)
  copy.set(values)
  return copy
}

/** Frees what `work` has placed. Nothing that it returns may be an array of `placed` or `products`. */
export function temporarily<Result>(work: () => Result): Result {
  const before = free
  try {
    return work()
  } finally {
    free = before
  }
}

/**
 * Dot products of the rows of float32[n, size] and float32[m, size]: float32[n, m], in the kernel's memory. Throws a
 * RangeError if its 4 MiB are full.
 */
export function products(a: Float32Array, b: Float32Array, size: number): Float32Array {
  const [left, right] = [placed(a), placed(b)]
  const [n, m] = [a.length / size, b.length / size]
  const result = reserved(n * m)
  multiply(left.byteOffset, n, right.byteOffset, m, size, result.byteOffset)
  return result
}
