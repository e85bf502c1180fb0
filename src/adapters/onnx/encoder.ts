import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Encoder, Passage, PassageVectors } from '../../ports/encoder.ts'
import { MIX } from '../article-mix.ts'
import { DIM, rowsOf } from '../vector-rows.ts'
import { EncoderPool } from './encoder-pool.ts'
import { unpacked } from './passage-rows.ts'
import { pieces } from './pieces.ts'
import type { ModelFiles } from './mini-lm.ts'

interface OnnxOptions extends ModelFiles {
  /** Encoder processes; each uses one core and some 250 MB. */
  readonly processes: number
}

/** all-MiniLM-L6-v2 on this machine's processor, in processes of its own. Resolves when every one has loaded it. */
export async function onnxEncoder({ onnx, tokenizer, processes }: OnnxOptions): Promise<Encoder> {
  const files = { onnx: resolve(onnx), tokenizer: resolve(tokenizer) }
  const model = createHash('sha256')
    .update(await readFile(files.onnx))
    .digest('hex')
    .slice(0, 12)
  const pool = await EncoderPool.start(files, processes)
  return {
    model,
    dim: DIM,
    kinds: { article: MIX, term: 'term' },
    sentences: async (texts) => (await pool.run(pieces('sentences', texts))).flatMap(rowsOf),
    leads: async (articles) => (await pool.run(pieces('leads', articles))).flatMap(rowsOf),
    passages: async (passages) => await encodePassages(pool, passages),
    close: async () => await pool.close(),
  }
}

async function encodePassages(pool: EncoderPool, passages: readonly Passage[]): Promise<PassageVectors[]> {
  const terms = passages.map((passage) => passage.terms.length)
  const works = pieces('passages', passages)
  const done = await pool.run(works)
  let first = 0
  return works.flatMap(({ items }, i) =>
    unpacked(done[i] ?? new Float32Array(), terms.slice(first, (first += items.length))),
  )
}
