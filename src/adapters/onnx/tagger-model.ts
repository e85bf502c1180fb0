import { readFileSync } from 'node:fs'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import { CASE_FEATURES, caseFeatures } from '../../language/recogniser/case-features.ts'
import { bestTags } from '../../language/recogniser/tagger.ts'
import { TAGS } from '../../language/recogniser/tags.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import { SESSION_OPTIONS } from './session-options.ts'
import { TAGGED_PIECES, taggerWindows, type TaggerWindow, withinPieces } from './tagger-windows.ts'
import type { Vocabulary } from './vocabulary.ts'

const WIDTH = TAGS.length
/** Of a word: what is longer is no name. */
const WORD_PIECES = 16

export interface TaggerFiles {
  /** Pieces and features in, emissions out. */
  readonly onnx: string
  /** What `Chain` says. */
  readonly json: string
}

/** The linear chain over the emissions, and what the model was trained with. */
const Chain = z.object({
  transitions: z.array(z.array(z.number()).length(WIDTH)).length(WIDTH),
  start: z.array(z.number()).length(WIDTH),
  /** Pieces of a window at most, its two marks among them. */
  window: z.int().positive(),
  features: z.literal(CASE_FEATURES),
})

/** Tags of the words of one article's first sentences. */
export type TagSentences = (sentences: readonly SentenceWords[]) => Promise<readonly Uint8Array[]>

/** The tagger in this process, one window at a time: never padded, so the same words give the same tags. */
export async function loadTagger(files: TaggerFiles, vocabulary: Vocabulary): Promise<TagSentences> {
  const chain = Chain.parse(JSON.parse(readFileSync(files.json, 'utf8')))
  const transitions = Float32Array.from(chain.transitions.flat())
  const session = await InferenceSession.create(files.onnx, SESSION_OPTIONS)
  const piecesOf = (word: string): readonly number[] => {
    const ids = vocabulary.idsOf(word)
    return ids.length === 0 ? [vocabulary.unknown] : ids.slice(0, WORD_PIECES)
  }

  const emissionsOfAll = async (read: readonly Split[]): Promise<Float32Array> => {
    const features = featuresOf(read.map(({ words }) => words))
    const emissions = new Float32Array((features.length / CASE_FEATURES) * WIDTH)
    const pieces = read.map((sentence) => sentence.pieces)
    let word = 0
    for (const window of taggerWindows(pieces, chain.window - 2)) {
      const states = await emissionsOf(session, inputsOf(window, features, vocabulary))
      for (const position of window.firsts) {
        const from = (position + 1) * WIDTH // after the mark
        emissions.set(states.subarray(from, from + WIDTH), word++ * WIDTH)
      }
    }
    return emissions
  }

  return async (sentences) => {
    const split = sentences.map((words): Split => ({ words, pieces: words.map(piecesOf) }))
    const read = withinPieces(split, ({ pieces }) => pieces.reduce((sum, ids) => sum + ids.length, 0), TAGGED_PIECES)
    const emissions = await emissionsOfAll(read)
    let from = 0
    return read.map(({ words }) => {
      const own = emissions.subarray(from, (from += words.length * WIDTH))
      for (let t = 0; t < WIDTH && own.length > 0; t++) own[t] = (own[t] ?? 0) + begun(chain.start, transitions, t)
      return bestTags(own, transitions)
    })
  }
}

interface Split {
  readonly words: SentenceWords
  readonly pieces: readonly (readonly number[])[]
}

/** `bestTags` begins a sentence as if an O stood before it; the trained chain has scores of its own for that. */
const begun = (start: readonly number[], transitions: Float32Array, tag: number): number =>
  Math.max(-1e4, (start[tag] ?? 0) - (transitions[tag] ?? 0))

interface Inputs {
  readonly ids: BigInt64Array
  readonly features: Float32Array
}

function inputsOf({ ids, rows }: TaggerWindow, features: Float32Array, { first, last }: Vocabulary): Inputs {
  const own = new Float32Array((ids.length + 2) * CASE_FEATURES)
  rows.forEach((row, i) =>
    own.set(features.subarray(row * CASE_FEATURES, (row + 1) * CASE_FEATURES), (i + 1) * CASE_FEATURES),
  )
  return { ids: BigInt64Array.from([first, ...ids, last], BigInt), features: own }
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

async function emissionsOf(session: InferenceSession, { ids, features }: Inputs): Promise<Float32Array> {
  const { emissions } = await session.run({
    input_ids: new Tensor('int64', ids, [1, ids.length]),
    case_features: new Tensor('float32', features, [1, ids.length, CASE_FEATURES]),
  })
  if (emissions?.dims[2] !== WIDTH || !(emissions.data instanceof Float32Array))
    throw new Error(`The tagger gives no float32[${WIDTH}] a piece`)
  return emissions.data
}
