import { InferenceSession, Tensor } from 'onnxruntime-node'
import { CASE_FEATURES, caseFeatures } from '../../language/recogniser/case-features.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import { SESSION_OPTIONS } from './session-options.ts'
import { emissionsIn, readTagChain, TAG_WIDTH, type TaggerFiles, type TagSentences } from './tag-chain.ts'
import { taggerWindows, type TaggerWindow } from './tagger-windows.ts'
import type { Vocabulary } from './vocabulary.ts'
import { readPieces, type PiecedSentence } from './pieced-sentences.ts'

/** The tagger in this process, one window at a time: never padded, so the same words give the same tags. */
export async function loadTagger(files: TaggerFiles, vocabulary: Vocabulary): Promise<TagSentences> {
  const chain = readTagChain(files.json)
  const session = await InferenceSession.create(files.onnx, SESSION_OPTIONS)

  const emissionsOf = async (read: readonly PiecedSentence[]): Promise<Float32Array> => {
    const features = featuresOf(read.map(({ words }) => words))
    const emissions = new Float32Array((features.length / CASE_FEATURES) * TAG_WIDTH)
    const pieces = read.map((sentence) => sentence.pieces)
    let word = 0
    for (const window of taggerWindows(pieces, chain.window - 2)) {
      const given = emissionsIn((await session.run(inputsOf(window, features, vocabulary)))['emissions'])
      for (const position of window.firsts) {
        const from = (position + 1) * TAG_WIDTH // after the mark
        emissions.set(given.subarray(from, from + TAG_WIDTH), word++ * TAG_WIDTH)
      }
    }
    return emissions
  }

  return async (sentences) => {
    const read = readPieces(sentences, vocabulary)
    const emissions = await emissionsOf(read)
    let from = 0
    return read.map(({ words }) => chain.best(emissions.subarray(from, (from += words.length * TAG_WIDTH))))
  }
}

function inputsOf({ ids, rows }: TaggerWindow, features: Float32Array, { first, last }: Vocabulary) {
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
