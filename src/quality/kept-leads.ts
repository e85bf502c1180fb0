import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CrossEncoder } from '../ports/cross-encoder.ts'
import type { Encoder } from '../ports/encoder.ts'

const DIGEST_BYTES = 32
const KEY_BYTES = 16

/** The part of an encoder that is needed to measure stories. */
export type LeadEncoder = Pick<Encoder, 'model' | 'dim' | 'leads'>

export interface KeptLeads extends LeadEncoder {
  /** Writes the vectors encoded since the last call, if any. */
  save(): void
}

/**
 * An encoder that keeps lead vectors across runs, in one file per model, so that measuring the same labelled sets again
 * costs no model time. A file starts with the SHA-256 of the rest. Entries follow: 16 bytes (SHA-256 of the encoded
 * text, truncated) and little-endian float32[dim]. An incomplete file is ignored, since a wrong vector would produce a
 * wrong figure.
 */
export function keptLeads(encoder: LeadEncoder, folder: string): KeptLeads {
  const path = join(folder, `${encoder.model.replace(/[^\w.-]/g, '_')}.leads`)
  const known = read(path, encoder.dim)
  const fresh = new Map<string, Float32Array>()
  return {
    model: encoder.model,
    dim: encoder.dim,
    async leads(articles) {
      const keyed = articles.map((article) => ({ article, key: keyOf(article) }))
      const missing = new Map(keyed.flatMap(({ article, key }) => (known.has(key) ? [] : [[key, article] as const])))
      const vectors = missing.size === 0 ? [] : await encoder.leads([...missing.values()])
      for (const [i, key] of [...missing.keys()].entries()) {
        const vector = vectorAt(vectors, i)
        known.set(key, vector)
        fresh.set(key, vector)
      }
      return keyed.map(({ key }) => vectorAt([known.get(key)], 0))
    },
    save() {
      if (fresh.size === 0) return
      write(path, new Map([...read(path, encoder.dim), ...fresh])) // another run may have added entries
      fresh.clear()
    },
  }
}

/** A cross-language encoder that keeps its vectors across runs, in the same way. */
export function keptCrossVectors(encoder: CrossEncoder, folder: string): CrossEncoder & Pick<KeptLeads, 'save'> {
  const { model, dim } = encoder
  const leads: LeadEncoder['leads'] = (texts) =>
    encoder.encode(texts.map(({ title: language, body: text }) => ({ language, text })))
  const kept = keptLeads({ model: `${model}-cross`, dim, leads }, folder)
  return {
    model,
    dim,
    encode: (texts) => kept.leads(texts.map(({ language, text }) => ({ title: language, body: text }))),
    close: () => encoder.close(),
    save: () => {
      kept.save()
    },
  }
}

const keyOf = ({ title, body }: { readonly title: string; readonly body: string }): string =>
  createHash('sha256')
    .update(JSON.stringify([title, body]))
    .digest()
    .toString('latin1', 0, KEY_BYTES)

/** The vector at index `i`. Throws if it is missing. */
export function vectorAt(vectors: readonly (Float32Array | undefined)[], i: number): Float32Array {
  const vector = vectors[i]
  if (vector === undefined) throw new Error('The encoder gave fewer vectors than it was given texts')
  return vector
}

function read(path: string, dim: number): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>()
  const entries = wholeEntries(path)
  const size = KEY_BYTES + 4 * dim
  if (entries.length % size !== 0) return vectors
  for (let at = 0; at < entries.length; at += size) {
    const values = Uint8Array.from(entries.subarray(at + KEY_BYTES, at + size)) // a copy, aligned for `Float32Array`
    vectors.set(entries.toString('latin1', at, at + KEY_BYTES), new Float32Array(values.buffer))
  }
  return vectors
}

/** The entries of a file; empty if it does not exist or its checksum does not match. */
function wholeEntries(path: string): Buffer {
  let file: Buffer
  try {
    file = readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
  const entries = file.subarray(DIGEST_BYTES)
  return digest(entries).equals(file.subarray(0, DIGEST_BYTES)) ? entries : Buffer.alloc(0)
}

/** Writes a temporary file and renames it, so that a concurrent reader sees either the old file or the new one. */
function write(path: string, vectors: ReadonlyMap<string, Float32Array>): void {
  const entries = Buffer.concat(
    [...vectors].flatMap(([key, { buffer, byteOffset, byteLength }]) => [
      Buffer.from(key, 'latin1'),
      Buffer.from(buffer, byteOffset, byteLength),
    ]),
  )
  const temporary = `${path}.${randomUUID()}`
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(temporary, Buffer.concat([digest(entries), entries]))
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

const digest = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
