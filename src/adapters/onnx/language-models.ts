import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openTargetedSentiment } from '../../language/sentiment/targeted-sentiment.ts'
import type { Encoder, Passage, PassageVectors, SentenceReading, TargetedSentence } from '../../ports/encoder.ts'
import type { Tagger } from '../../ports/tagger.ts'
import { MIX, DIM, rowsOf } from '../vectors.ts'
import { EncoderPool } from './encoder-pool.ts'
import { pieces, type OnnxWork, topicOf, unpacked, unpackedReadings } from './encoder-work.ts'
import { type OnnxModelFiles, TAGGERS, unpackedTags } from './models.ts'

interface OnnxOptions extends OnnxModelFiles {
  /** Model processes; each uses one core and about 300 MB. */
  readonly processes: number
}

/** The language models of one machine. They share a pool of processes. */
export interface LanguageModels {
  readonly encoder: Encoder
  readonly tagger: Tagger
  close(): Promise<void>
}

/** Runs the models on this machine's CPU, in separate processes. Resolves when every process has loaded the encoder. */
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

/** all-MiniLM-L6-v2 in a process pool. `model`: the first 12 hex digits of its file's SHA-256. */
const encoderIn = (pool: EncoderPool, model: string): Encoder => ({
  model,
  dim: DIM,
  kinds: { article: MIX, term: 'term' },
  sentiment: openTargetedSentiment().model,
  sentences: async (texts) => (await pool.run(pieces('sentences', texts))).flatMap(rowsOf),
  leads: async (articles) => (await pool.run(pieces('leads', articles))).flatMap(rowsOf),
  passages: (passages) => encodePassages(pool, passages),
  readings: (sentences) => read(pool, sentences),
  close: () => pool.close(),
})

async function encodePassages(pool: EncoderPool, passages: readonly Passage[]): Promise<PassageVectors[]> {
  const terms = passages.map((passage) => passage.terms.length)
  return (await packedAnswers(pool, pieces('passages', passages))).flatMap(({ rows, from, to }) =>
    unpacked(rows, terms.slice(from, to)),
  )
}

async function read(pool: EncoderPool, sentences: readonly TargetedSentence[]): Promise<SentenceReading[]> {
  const targets = sentences.map((sentence) => sentence.targets.length)
  return (await packedAnswers(pool, pieces('readings', sentences), topicOf(sentences[0]?.text))).flatMap(
    ({ rows, from, to }) => unpackedReadings(rows, targets.slice(from, to)),
  )
}

interface PackedAnswer {
  readonly rows: Float32Array
  /** The items of the call that this piece covers, end exclusive. */
  readonly from: number
  readonly to: number
}

async function packedAnswers(pool: EncoderPool, works: readonly OnnxWork[], topic?: string): Promise<PackedAnswer[]> {
  const done = await pool.run(works, topic)
  let to = 0
  return works.map(({ items }, i) => ({
    rows: done[i] ?? new Float32Array(),
    from: to,
    to: (to += items.length),
  }))
}

/** Our own tagger in a process pool. Each article is tagged by one process. */
const taggerIn = (pool: EncoderPool, model: string): Tagger => ({
  model,
  tags: async (sentences) => {
    const [rows] = await pool.run([{ kind: 'tags', items: [sentences] }], topicOf(sentences[0]))
    return unpackedTags(rows ?? new Float32Array(), sentences)
  },
})
