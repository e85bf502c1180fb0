import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Encoder } from '../../ports/encoder.ts'
import type { Tagger } from '../../ports/tagger.ts'
import { EncoderPool } from './encoder-pool.ts'
import { encoderIn } from './encoder.ts'
import { type OnnxModelFiles, TAGGERS } from './models.ts'
import { taggerIn } from './tagger.ts'

interface OnnxOptions extends OnnxModelFiles {
  /** Processes for the models; each uses one core and some 300 MB. */
  readonly processes: number
}

/** The language models of one machine: they share their processes. */
export interface LanguageModels {
  readonly encoder: Encoder
  readonly tagger: Tagger
  close(): Promise<void>
}

/** The models on this machine's processor, in processes of their own. Resolves when every one has loaded the encoder. */
export async function onnxModels({ processes, tagging = 'accurate', ...given }: OnnxOptions): Promise<LanguageModels> {
  const files = { onnx: resolve(given.onnx), tokenizer: resolve(given.tokenizer), tagging }
  const taggers = tagging === 'fast' ? [TAGGERS.fast] : [TAGGERS.accurate, TAGGERS.fast]
  const [model, tagger] = await Promise.all([
    hashOf(files.onnx),
    hashOf(...taggers.flatMap(({ onnx, json }) => [onnx, json])),
  ])
  const pool = await EncoderPool.start(files, processes)
  return {
    encoder: encoderIn(pool, model),
    tagger: taggerIn(pool, `${tagging === 'fast' ? 'fast-tagger' : 'tagger'}:${tagger}`),
    close: () => pool.close(),
  }
}

export const onnxEncoder = async (options: OnnxOptions): Promise<Encoder> => (await onnxModels(options)).encoder

/** First 12 hex digits of the SHA-256 over the files. */
async function hashOf(...files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 12)
}
