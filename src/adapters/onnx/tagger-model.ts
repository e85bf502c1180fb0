import { InferenceSession, Tensor } from 'onnxruntime-node'
import { CASE_FEATURES, caseFeatures } from '../../language/recogniser/case-features.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import {
  type PiecedSentence,
  emissionsIn,
  readTagChain,
  TAG_WIDTH,
  type TagChain,
  type TaggerFiles,
} from './tag-chain.ts'
import { SESSION_OPTIONS } from './session.ts'
import type { PieceVocabulary } from './vocabulary.ts'

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

/** Word pieces of a window, marks not included, and where in it each of its words begins. */
interface TaggerWindow {
  readonly ids: readonly number[]
  /** Row of features of each piece: the word's index over all sentences. */
  readonly rows: readonly number[]
  /** Position of each word's first piece, in the order of the words. */
  readonly firsts: readonly number[]
}

interface OpenWindow {
  readonly ids: number[]
  readonly rows: number[]
  readonly firsts: number[]
}

/**
 * Sentences in the order of their article, as many whole ones to a window as fit: they are read beside each other. A
 * sentence that fits into no window begins one and is cut between words. `sentences`: pieces of each word.
 */
function taggerWindows(sentences: readonly (readonly (readonly number[])[])[], size: number): readonly TaggerWindow[] {
  const windows: OpenWindow[] = []
  let row = 0
  for (const words of sentences) {
    const length = words.reduce((sum, pieces) => sum + pieces.length, 0)
    let open = fitting(windows, length, size)
    for (const pieces of words) {
      if (open.ids.length + pieces.length > size) open = fitting(windows, size, size)
      open.firsts.push(open.ids.length)
      for (const id of pieces) {
        open.ids.push(id)
        open.rows.push(row)
      }
      row++
    }
  }
  return windows
}

/** The last window, if so many pieces still fit into it, or a new one. */
function fitting(windows: OpenWindow[], length: number, size: number): OpenWindow {
  const last = windows.at(-1)
  if (last !== undefined && last.ids.length + length <= size) return last
  const next: OpenWindow = { ids: [], rows: [], firsts: [] }
  windows.push(next)
  return next
}
