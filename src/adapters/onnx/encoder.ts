import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Encoder } from '../../ports/encoder.ts'
import { composedPassages } from '../composed-passages.ts'
import { DIM, rowsOf } from '../vector-rows.ts'
import { EncoderPool } from './encoder-pool.ts'
import { pieces } from './pieces.ts'
import type { ModelFiles } from './mini-lm.ts'

export interface OnnxOptions extends ModelFiles {
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
  const whole: Pick<Encoder, 'sentences' | 'leads'> = {
    sentences: async (texts) => (await pool.run(pieces('sentences', texts))).flatMap(rowsOf),
    leads: async (articles) => (await pool.run(pieces('leads', articles))).flatMap(rowsOf),
  }
  return {
    model,
    dim: DIM,
    ...whole,
    passages: async (passages) => await composedPassages(whole, passages),
    close: async () => await pool.close(),
  }
}
