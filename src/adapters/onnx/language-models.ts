import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { openPlaces } from '../../language/places/places.ts'
import { openLexicon } from '../../language/recogniser/lexicon.ts'
import { articleFeatures } from '../../language/recogniser/reader-features.ts'
import { projectPath } from '../../config/project-path.ts'
import { once } from '../../language/memoize.ts'
import {
  CROSS_SENTIMENT,
  openTargetedSentiment,
  type TargetedSentiment,
} from '../../language/sentiment/targeted-sentiment.ts'
import type { CrossEncoder } from '../../ports/cross-encoder.ts'
import type { Encoder, Passage, PassageVectors } from '../../ports/encoder.ts'
import type { Reader, SentenceInWords, SentenceReading, Words } from '../../ports/reader.ts'
import type { Span } from '../../language/sentences.ts'
import { MIX, DIM, rowsOf } from '../vectors.ts'
import { CHECKSUMS, crossEncoderIn } from './cross-encoder.ts'
import { spaced } from './cross-pieces.ts'
import { CROSS_READER } from './cross-reader.ts'
import { EncoderPool } from './encoder-pool.ts'
import { type OnnxWork, pieces, unpacked, unpackedStates, type ReadStates } from './encoder-work.ts'
import type { OnnxModelFiles } from './models.ts'
import { READER } from './reader.ts'

interface OnnxOptions extends OnnxModelFiles {
  /** Model processes; each uses one core and about 300 MB. */
  readonly processes: number
}

/** The language models of one machine. They share a pool of processes. */
export interface LanguageModels {
  readonly encoder: Encoder
  readonly reader: Reader
  readonly crossEncoder: CrossEncoder
  /** Reads articles in any language. */
  readonly crossReader: Reader
  close(): Promise<void>
}

/** What the features of words are made of (`reader-features.ts`). */
const WORD_LISTS = ['ner/lexicon.tsv.gz', 'places/places.tsv.gz', 'word-lists/recogniser.txt'].map((name) =>
  projectPath(`models/${name}`),
)

/** What writes the names that the reader of other languages finds as English does. */
const FOREIGN_TABLES = [
  'names/foreign.tsv',
  'places/foreign.tsv.gz',
  'word-lists/inflection.txt',
  'word-lists/foreign-money.txt',
].map((name) => projectPath(`models/${name}`))

/** Runs the models on this machine's CPU, in separate processes. Resolves when every process has loaded the encoder. */
export async function onnxModels({ processes, ...given }: OnnxOptions): Promise<LanguageModels> {
  const files = { onnx: resolve(given.onnx), tokenizer: resolve(given.tokenizer) }
  const [model, reader, crossReader] = await Promise.all([
    hashOf(files.onnx),
    hashOf(READER.onnx, READER.json, ...WORD_LISTS),
    hashOf(CROSS_READER, CHECKSUMS, ...FOREIGN_TABLES),
  ])
  const pool = await EncoderPool.start(files, processes)
  return {
    encoder: encoderIn(pool, model),
    reader: readerIn(pool, reader),
    crossEncoder: crossEncoderIn(pool),
    crossReader: crossReaderIn(pool, crossReader),
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
  sentences: async (texts) => (await pool.run(pieces('sentences', texts))).flatMap(rowsOf),
  leads: async (articles) => (await pool.run(pieces('leads', articles))).flatMap(rowsOf),
  passages: (passages) => encodePassages(pool, passages),
  close: () => pool.close(),
})

async function encodePassages(pool: EncoderPool, passages: readonly Passage[]): Promise<PassageVectors[]> {
  const works = pieces('passages', passages)
  const done = await pool.run(works)
  const terms = passages.map((passage) => passage.terms.length)
  let from = 0
  return works.flatMap(({ items }, i) =>
    unpacked(done[i] ?? new Float32Array(), terms.slice(from, (from += items.length))),
  )
}

/**
 * Our own network in a process pool. Each article is read by one process. `model`: the first 12 hex digits of the SHA-256
 * of its files.
 */
function readerIn(pool: EncoderPool, model: string): Reader {
  const lists = once(() => ({ lexicon: openLexicon(), places: openPlaces() }))
  return pooledReader(pool, { model, name: 'reader', sentiment: openTargetedSentiment() }, (sentences) => {
    const words = sentences.map((sentence) => sentence.words.texts)
    return { kind: 'read', article: { sentences: words, features: articleFeatures(words, lists()) } }
  })
}

/** The same for articles in any language. */
const crossReaderIn = (pool: EncoderPool, model: string): Reader =>
  pooledReader(
    pool,
    { model, name: 'cross-reader', sentiment: openTargetedSentiment(CROSS_SENTIMENT) },
    (sentences) => ({
      kind: 'cross-read',
      sentences: sentences.map(spaced),
    }),
  )

interface PooledModel {
  readonly model: string
  readonly name: string
  readonly sentiment: TargetedSentiment
}

const pooledReader = (
  pool: EncoderPool,
  { model, name, sentiment }: PooledModel,
  workOf: (sentences: readonly SentenceInWords[]) => OnnxWork,
): Reader => ({
  models: { encoder: model, recogniser: `${name}:${model}`, sentiment: sentiment.model },
  dim: DIM,
  read: async (sentences) => {
    const [rows = new Float32Array()] = await pool.run([workOf(sentences)])
    const counts = sentences.map(({ words }) => words.texts.length)
    return unpackedStates(rows, counts, sentiment.width).map((read, i) =>
      sentenceReading(read, sentences[i], sentiment),
    )
  },
})

function sentenceReading(
  { tags, pieces: counts, vector, mapped }: ReadStates,
  sentence: SentenceInWords | undefined,
  sentiment: TargetedSentiment,
): SentenceReading {
  const { starts = [], ends = [] } = sentence?.words ?? {}
  const positions = (target: Span): readonly number[] => positionsOf(counts, wordsIn({ starts, ends }, target))
  return { tags, vector, sentiment: (targets) => sentiment.read(mapped, targets.map(positions)) }
}

/** The words that overlap a span, as indexes, end exclusive. */
function wordsIn({ starts, ends }: Pick<Words, 'starts' | 'ends'>, { start, end }: Span): Span {
  const from = ends.findIndex((at) => at > start)
  return from < 0 ? { start: 0, end: 0 } : { start: from, end: starts.findLastIndex((at) => at < end) + 1 }
}

/** The positions of the pieces of consecutive words. `counts`: number of pieces of each word. */
function positionsOf(counts: readonly number[], { start, end }: Span): readonly number[] {
  const sum = (to: number): number => counts.slice(0, to).reduce((total, count) => total + count, 0)
  const from = sum(start)
  return Array.from({ length: Math.max(0, sum(end) - from) }, (_, i) => from + i)
}
