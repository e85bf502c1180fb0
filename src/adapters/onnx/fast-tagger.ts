import { InferenceSession, Tensor } from 'onnxruntime-node'
import { CASE_FEATURES, caseFeatures } from '../../language/recogniser/case-features.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import { DIM } from '../vectors.ts'
import {
  readPieces,
  type PiecedSentence,
  emissionsIn,
  readTagChain,
  type TagChain,
  type TaggerFiles,
  type TagSentences,
} from './tag-chain.ts'
import { SESSION_OPTIONS } from './session.ts'
import type { PieceVocabulary } from './vocabulary.ts'
import { WINDOW } from './windows.ts'

/** The encoder's layer that the fast head reads. */
export const FAST_LAYER = 3

/** States of `FAST_LAYER` of a window given without its marks: float32[position, DIM], marks included. */
export type InnerStates = (window: readonly number[]) => Promise<Float32Array>

export interface FastHead {
  readonly chain: TagChain
  /** float32[words, `TAG_WIDTH`] of each sentence. */
  emissions(sentences: readonly PiecedSentence[]): Promise<readonly Float32Array[]>
}

/** A head over states that the encoder computes for a sentence anyway. */
export async function loadFastHead(files: TaggerFiles, inner: InnerStates): Promise<FastHead> {
  const head = await InferenceSession.create(files.onnx, SESSION_OPTIONS)
  const emissionsOf = async (words: SentenceWords, states: Float32Array): Promise<Float32Array> => {
    if (words.length === 0) return new Float32Array()
    const given = await head.run({
      states: new Tensor('float32', states, [words.length, DIM]),
      case_features: new Tensor('float32', caseFeatures(words), [words.length, CASE_FEATURES]),
    })
    return emissionsIn(given['emissions'])
  }
  return {
    chain: readTagChain(files.json),
    emissions: async (sentences) => {
      // One model after the other, not sentence by sentence: each has its weights in the processor's cache but once.
      const states: Float32Array[] = []
      for (const { pieces } of sentences) states.push(await statesOf(pieces, inner))
      const emissions: Float32Array[] = []
      for (const [i, { words }] of sentences.entries())
        emissions.push(await emissionsOf(words, states[i] ?? new Float32Array()))
      return emissions
    },
  }
}

/** The fast setting: the head alone, and no network of its own. */
export function fastTagger(head: FastHead, vocabulary: PieceVocabulary): TagSentences {
  return async (sentences) => {
    const emissions = await head.emissions(readPieces(sentences, vocabulary))
    return emissions.map((each) => head.chain.best(each))
  }
}

/** The state of each word's first piece; the sentence alone in a window, the rest of a longer one in windows of its own. */
async function statesOf(pieces: readonly (readonly number[])[], inner: InnerStates): Promise<Float32Array> {
  const ids = pieces.flat()
  const states = new Float32Array(pieces.length * DIM)
  let given: Float32Array = new Float32Array()
  let [window, position] = [-1, 0]
  for (const [word, { length }] of pieces.entries()) {
    const needed = Math.floor(position / WINDOW)
    if (needed !== window) {
      window = needed
      given = await inner(ids.slice(window * WINDOW, (window + 1) * WINDOW))
    }
    const from = ((position % WINDOW) + 1) * DIM // after the mark
    states.set(given.subarray(from, from + DIM), word * DIM)
    position += length
  }
  return states
}
