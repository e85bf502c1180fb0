import { openTargetedSentiment } from '../../language/sentiment/targeted-sentiment.ts'
import type { Encoder, Passage, PassageVectors, SentenceReading, TargetedSentence } from '../../ports/encoder.ts'
import { MIX } from '../article-mix.ts'
import { DIM, rowsOf } from '../vector-rows.ts'
import type { EncoderPool } from './encoder-pool.ts'
import { unpacked } from './passage-rows.ts'
import { pieces } from './pieces.ts'
import { unpackedReadings } from './reading-rows.ts'
import type { OnnxWork } from './messages.ts'
import { topicOf } from './topic-of.ts'

/** all-MiniLM-L6-v2 in the processes of a pool. `model`: first 12 hex digits of its file's SHA-256. */
export const encoderIn = (pool: EncoderPool, model: string): Encoder => ({
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
  /** Which of the call's items they answer, end exclusive. */
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
