import { openSync, readSync } from 'node:fs'
import { DIM } from '../vectors.ts'

/** Weights that share one scale. */
const BLOCK = 32
/** A half-precision scale and 32 values of 4 bits. */
const BLOCK_BYTES = 2 + BLOCK / 2
const ROW_BYTES = (DIM / BLOCK) * BLOCK_BYTES

/** Vectors of word pieces, float32[piece, DIM] for a list of indexes. */
export type WordRows = (indexes: readonly number[]) => Float32Array

/**
 * A table of word vectors in files, one after another, in blocks of 4 bits (`Q4_0` of llama.cpp). Rows are read on
 * demand: the operating system keeps what is used, once for all processes.
 */
export function openWordRows(files: readonly { readonly path: string; readonly rows: number }[]): WordRows {
  const opened = files.map(({ path, rows }) => ({ file: openSync(path, 'r'), rows }))
  const bytes = new Uint8Array(ROW_BYTES)
  return (indexes) => {
    const vectors = new Float32Array(indexes.length * DIM)
    for (const [i, index] of indexes.entries()) {
      readRow(opened, index, bytes)
      dequantise(bytes, vectors.subarray(i * DIM, (i + 1) * DIM))
    }
    return vectors
  }
}

function readRow(
  files: readonly { readonly file: number; readonly rows: number }[],
  index: number,
  row: Uint8Array,
): void {
  let left = index
  for (const { file, rows } of files) {
    if (left < rows) {
      if (readSync(file, row, 0, ROW_BYTES, left * ROW_BYTES) === ROW_BYTES) return
      break
    }
    left -= rows
  }
  throw new Error(`The table of word pieces has no row ${index}`)
}

/** In a block, byte j holds weight j in its low half and weight j + 16 in its high half. */
function dequantise(row: Uint8Array, vector: Float32Array): void {
  for (let block = 0; block < DIM / BLOCK; block++) {
    const at = block * BLOCK_BYTES
    const scale = halfPrecision((row[at] ?? 0) | ((row[at + 1] ?? 0) << 8))
    for (let j = 0; j < BLOCK / 2; j++) {
      const byte = row[at + 2 + j] ?? 0
      vector[block * BLOCK + j] = ((byte & 15) - 8) * scale
      vector[block * BLOCK + j + BLOCK / 2] = ((byte >> 4) - 8) * scale
    }
  }
}

/** The number that 16 bits stand for (IEEE 754 binary16). */
function halfPrecision(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023]
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
}
