import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { READER_FEATURES } from '../../language/recogniser/reader-features.ts'
import { projectPath } from '../../config/project-path.ts'
import { DIM, meanOf } from '../vectors.ts'
import type { OnnxArticle, ReadStates } from './encoder-work.ts'
import { articlePieces, windowEnds, type ArticlePieces } from './reader-windows.ts'
import { floats, MAPPED, openSentimentSession, type SentimentGraph } from './session.ts'
import { readTagChain, TAG_WIDTH } from './tag-chain.ts'
import type { PieceVocabulary } from './vocabulary.ts'

/** Our own network, shipped with the code, and the chain over its scores of tags. */
export const READER = { onnx: projectPath('models/reader/reader.onnx'), json: projectPath('models/reader/reader.json') }

/** Reads the first sentences of an article. */
export type ArticleReader = (article: OnnxArticle) => Promise<readonly ReadStates[]>

export async function loadReader(vocabulary: PieceVocabulary, sentiment: SentimentGraph): Promise<ArticleReader> {
  const best = readTagChain(READER.json)
  const session = await openSentimentSession(READER.onnx, sentiment)
  return async ({ sentences, features }) => {
    const article = articlePieces(sentences, vocabulary)
    const outputs = outputsOf(article.ids.length, sentiment.width)
    // One window at a time and without padding: with int8 quantisation a row would depend on the rest of its batch.
    for (const inputs of windowInputs(article, features, vocabulary))
      outputs.add(await session.run(tensors(inputs), OUTPUTS))
    return bySentence(article, outputs, best)
  }
}

/** Inputs of the network for one window, with its special tokens. */
export interface ReaderInputs {
  readonly ids: readonly number[]
  /** The features of each piece's word: float32[piece, `READER_FEATURES`]. */
  readonly features: Float32Array
}

/** The inputs for an article, window by window. `features`: of all words, as of `articleFeatures`. */
export function windowInputs(
  { ids, words, sentences }: ArticlePieces,
  features: Uint8Array,
  { first, last }: Pick<PieceVocabulary, 'first' | 'last'>,
): readonly ReaderInputs[] {
  let from = 0
  return windowEnds(sentences).map((to) => {
    const own = new Float32Array((to - from + 2) * READER_FEATURES)
    for (let piece = from; piece < to; piece++) {
      const row = (words[piece] ?? 0) * READER_FEATURES
      own.set(features.subarray(row, row + READER_FEATURES), (piece - from + 1) * READER_FEATURES)
    }
    const window = { ids: [first, ...ids.slice(from, to), last], features: own }
    from = to
    return window
  })
}

const tensors = ({ ids, features }: ReaderInputs) => ({
  input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
  case_features: new Tensor('float32', features, [1, ids.length, READER_FEATURES]),
})

/** The last layer's states. */
const STATES = 'layer4'
const EMISSIONS = 'emissions'
const OUTPUTS = [EMISSIONS, STATES, MAPPED]

/** The network's outputs for all pieces of an article, without special tokens. */
interface ReaderOutputs {
  /** float32[piece, TAG_WIDTH]. */
  readonly emissions: Float32Array
  /** float32[piece, DIM]. */
  readonly states: Float32Array
  /** float32[piece, width of the sentiment graph]. */
  readonly mapped: Float32Array
}

/** Collects the outputs of an article, window after window. */
function outputsOf(
  pieces: number,
  width: number,
): ReaderOutputs & { readonly add: (window: InferenceSession.OnnxValueMapType) => void } {
  const emissions = new Float32Array(pieces * TAG_WIDTH)
  const states = new Float32Array(pieces * DIM)
  const mapped = new Float32Array(pieces * width)
  let at = 0
  const add = (window: InferenceSession.OnnxValueMapType): void => {
    const rows = (name: string, size: number) => floats(window[name], size).subarray(size, -size) // without the marks
    emissions.set(rows(EMISSIONS, TAG_WIDTH), at * TAG_WIDTH)
    mapped.set(rows(MAPPED, width), at * width)
    const last = rows(STATES, DIM)
    states.set(last, at * DIM)
    at += last.length / DIM
  }
  return { emissions, states, mapped, add }
}

/** Splits the outputs of an article by sentence. */
function bySentence(
  { sentences, ids }: ArticlePieces,
  { emissions, states, mapped }: ReaderOutputs,
  best: (emissions: Float32Array) => Uint8Array,
): readonly ReadStates[] {
  const width = mapped.length / Math.max(1, ids.length)
  let piece = 0
  return sentences.map((pieces) => {
    const [from, own] = [piece, new Float32Array(pieces.length * TAG_WIDTH)]
    for (const [word, count] of pieces.entries()) {
      own.set(emissions.subarray(piece * TAG_WIDTH, (piece + 1) * TAG_WIDTH), word * TAG_WIDTH) // of its first piece
      piece += count
    }
    return {
      tags: best(own),
      pieces,
      vector: meanOf(states.subarray(from * DIM, piece * DIM)),
      mapped: mapped.subarray(from * width, piece * width),
    }
  })
}
