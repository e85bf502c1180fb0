import { InferenceSession, Tensor } from 'onnxruntime-node'
import { CASE_FEATURES, caseFeatures } from '../../language/recogniser/case-features.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import { SESSION_OPTIONS } from './session-options.ts'
import { emissionsIn, readTagChain, TAG_WIDTH, type TagChain, type TaggerFiles } from './tag-chain.ts'
import { taggerWindows, type TaggerWindow } from './tagger-windows.ts'
import type { PieceVocabulary } from './vocabulary.ts'
import type { PiecedSentence } from './pieced-sentences.ts'

/** The network with layers of its own. */
export interface TaggerNetwork {
  readonly chain: TagChain
  /** float32[words, `TAG_WIDTH`] of each sentence; one window at a time and never padded: the same words, the same scores. */
  emissions(sentences: readonly PiecedSentence[]): Promise<readonly Float32Array[]>
}

export async function loadTagger(files: TaggerFiles, vocabulary: PieceVocabulary): Promise<TaggerNetwork> {
  const chain = readTagChain(files.json)
  const session = await InferenceSession.create(files.onnx, SESSION_OPTIONS)
  return {
    chain,
    emissions: async (sentences) => {
      const features = featuresOf(sentences.map(({ words }) => words))
      const emissions = new Float32Array((features.length / CASE_FEATURES) * TAG_WIDTH)
      const pieces = sentences.map((sentence) => sentence.pieces)
      let word = 0
      for (const window of taggerWindows(pieces, chain.window - 2)) {
        const given = emissionsIn((await session.run(inputsOf(window, features, vocabulary)))['emissions'])
        for (const position of window.firsts) {
          const from = (position + 1) * TAG_WIDTH // after the mark
          emissions.set(given.subarray(from, from + TAG_WIDTH), word++ * TAG_WIDTH)
        }
      }
      let from = 0
      return sentences.map(({ words }) => emissions.subarray(from, (from += words.length * TAG_WIDTH)))
    },
  }
}

function inputsOf({ ids, rows }: TaggerWindow, features: Float32Array, { first, last }: PieceVocabulary) {
  const length = ids.length + 2
  const own = new Float32Array(length * CASE_FEATURES)
  rows.forEach((row, i) =>
    own.set(features.subarray(row * CASE_FEATURES, (row + 1) * CASE_FEATURES), (i + 1) * CASE_FEATURES),
  )
  return {
    input_ids: new Tensor('int64', BigInt64Array.from([first, ...ids, last], BigInt), [1, length]),
    case_features: new Tensor('float32', own, [1, length, CASE_FEATURES]),
  }
}

/** Of all words, one row a word. */
function featuresOf(sentences: readonly SentenceWords[]): Float32Array {
  const rows = sentences.map(caseFeatures)
  const all = new Float32Array(rows.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const row of rows) {
    all.set(row, at)
    at += row.length
  }
  return all
}
