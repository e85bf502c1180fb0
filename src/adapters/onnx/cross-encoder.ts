import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectPath } from '../../config/project-path.ts'
import type { CrossEncoder, CrossText } from '../../ports/cross-encoder.ts'
import { DIM, rowsOf } from '../vectors.ts'
import type { EncoderPool } from './encoder-pool.ts'
import { pieces } from './encoder-work.ts'

/** Of the model's files. */
export const CHECKSUMS = projectPath('models/cross-language/checksums.sha256')
const MEANS = projectPath('models/cross-language/means.json')

/** multilingual-e5-small in a process pool. `model`: the first 12 hex digits of the SHA-256 of its files' checksums. */
export function crossEncoderIn(pool: EncoderPool): CrossEncoder {
  const means = readLanguageMeans()
  return {
    model: createHash('sha256').update(readFileSync(CHECKSUMS)).digest('hex').slice(0, 12),
    dim: DIM,
    encode: async (texts) => {
      const works = pieces(
        'cross',
        texts.map(({ text }) => text),
      )
      const vectors = (await pool.run(works)).flatMap(rowsOf)
      return vectors.map((vector, i) => centred(vector, meanFor(texts[i], means)))
    },
    close: () => pool.close(),
  }
}

/** The mean vector of each language (ISO 639-1), and of all: `models/cross-language/means.ts`. */
interface LanguageMeans {
  readonly byLanguage: ReadonlyMap<string, Float32Array>
  readonly all: Float32Array
}

const MeansFile = z.record(z.string(), z.array(z.number()).length(DIM))

export function readLanguageMeans(): LanguageMeans {
  const { all = [], ...languages } = MeansFile.parse(JSON.parse(readFileSync(MEANS, 'utf8')))
  const byLanguage = new Map(Object.entries(languages).map(([code, mean]) => [code, Float32Array.from(mean)] as const))
  return { byLanguage, all: Float32Array.from(all) }
}

const meanFor = (text: CrossText | undefined, { byLanguage, all }: LanguageMeans): Float32Array =>
  byLanguage.get(text?.language ?? '') ?? all

/** The difference, scaled to unit length; zeros if there is none. */
export function centred(vector: Float32Array, mean: Float32Array): Float32Array {
  const difference = vector.map((value, i) => value - (mean[i] ?? 0))
  const length = Math.sqrt(difference.reduce((sum, value) => sum + value * value, 0)) || 1
  return difference.map((value) => value / length)
}
