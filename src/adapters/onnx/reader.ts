import { Tensor } from 'onnxruntime-node'
import { READER_FEATURES } from '../../language/recogniser/reader-features.ts'
import { projectPath } from '../../config/project-path.ts'
import type { OnnxArticle, ReadStates } from './encoder-work.ts'
import { articlePieces, windowEnds, type ArticlePieces } from './reader-windows.ts'
import { readStates } from './reader-outputs.ts'
import { openSentimentSession, type SentimentGraph } from './session.ts'
import { readTagChain } from './tag-chain.ts'
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
    const inputs = windowInputs(article, features, vocabulary).map(tensors)
    return readStates({ session, inputs, width: sentiment.width, best }, article.sentences)
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
