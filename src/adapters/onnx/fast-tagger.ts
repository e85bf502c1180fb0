import { InferenceSession, Tensor } from 'onnxruntime-node'
import { CASE_FEATURES, caseFeatures } from '../../language/recogniser/case-features.ts'
import { DIM } from '../vector-rows.ts'
import { readPieces, type PiecedSentence } from './pieced-sentences.ts'
import { SESSION_OPTIONS } from './session-options.ts'
import { emissionsIn, readTagChain, type TaggerFiles, type TagSentences } from './tag-chain.ts'
import type { Vocabulary } from './vocabulary.ts'
import { WINDOW } from './windows.ts'

/** The encoder's layer that the fast head reads. */
export const FAST_LAYER = 3

interface FastOptions {
  readonly vocabulary: Vocabulary
  /** States of `FAST_LAYER` of a window given without its marks: float32[position, DIM], marks included. */
  readonly inner: (window: readonly number[]) => Promise<Float32Array>
}

/** The fast setting: a head over what the encoder makes of a sentence anyway, instead of a network of its own. */
export async function loadFastTagger(files: TaggerFiles, { vocabulary, inner }: FastOptions): Promise<TagSentences> {
  const chain = readTagChain(files.json)
  const head = await InferenceSession.create(files.onnx, SESSION_OPTIONS)

  const emissionsOf = async ({ words, pieces }: PiecedSentence): Promise<Float32Array> => {
    const given = await head.run({
      states: new Tensor('float32', await statesOf(pieces, inner), [words.length, DIM]),
      case_features: new Tensor('float32', caseFeatures(words), [words.length, CASE_FEATURES]),
    })
    return emissionsIn(given['emissions'])
  }

  return async (sentences) => {
    const tags: Uint8Array[] = []
    for (const sentence of readPieces(sentences, vocabulary))
      tags.push(sentence.words.length === 0 ? new Uint8Array() : chain.best(await emissionsOf(sentence)))
    return tags
  }
}

/** The state of each word's first piece; the sentence alone in a window, the rest of a longer one in windows of its own. */
async function statesOf(pieces: readonly (readonly number[])[], inner: FastOptions['inner']): Promise<Float32Array> {
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
