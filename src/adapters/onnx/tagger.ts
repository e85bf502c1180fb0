import { readFileSync } from 'node:fs'
import { Tensor, InferenceSession } from 'onnxruntime-node'
import { z } from 'zod'
import { CASE_FEATURES, caseFeatures } from '../../language/recogniser/case-features.ts'
import { type ChainScores, certainty } from '../../language/recogniser/certainty.ts'
import { bestTags } from '../../language/recogniser/tagger.ts'
import { TAGS } from '../../language/recogniser/tags.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import { DIM } from '../vectors.ts'
import type { PieceVocabulary } from './vocabulary.ts'
import { SESSION_OPTIONS } from './session.ts'
import { WINDOW } from './windows.ts'

/** Emissions of a word. */
export const TAG_WIDTH = TAGS.length

export interface TaggerFiles {
  /** The network: emissions out. */
  readonly onnx: string
  /** The chain over them. */
  readonly json: string
}

/** Tags of the words of one article's first sentences. */
export type TagSentences = (sentences: readonly SentenceWords[]) => Promise<readonly Uint8Array[]>

const File = z.object({
  transitions: z.array(z.array(z.number()).length(TAG_WIDTH)).length(TAG_WIDTH),
  start: z.array(z.number()).length(TAG_WIDTH),
  /** Pieces of a window at most, its two marks among them. */
  window: z.int().positive(),
  /** What the network was trained with. */
  features: z.literal(CASE_FEATURES),
})

/** The linear chain over a network's emissions. */
export interface TagChain {
  readonly window: number
  readonly scores: ChainScores
  /** The best legal tags of one sentence from float32[words, `TAG_WIDTH`], which it writes to. */
  best(emissions: Float32Array): Uint8Array
}

export function readTagChain(path: string): TagChain {
  const { transitions: rows, start, window } = File.parse(JSON.parse(readFileSync(path, 'utf8')))
  const transitions = Float32Array.from(rows.flat())
  // `bestTags` begins a sentence as if an O stood before it; the trained chain has scores of its own for that.
  const begun = start.map((score, tag) => Math.max(-1e4, score - (transitions[tag] ?? 0)))
  return {
    window,
    scores: { transitions, start: Float32Array.from(start) },
    best: (emissions) => {
      if (emissions.length > 0) begun.forEach((score, tag) => (emissions[tag] = (emissions[tag] ?? 0) + score))
      return bestTags(emissions, transitions)
    },
  }
}

/** A network's answer: float32[…, `TAG_WIDTH`]. */
export function emissionsIn(emissions: Tensor | undefined): Float32Array {
  if (emissions?.dims.at(-1) !== TAG_WIDTH || !(emissions.data instanceof Float32Array))
    throw new Error(`The tagger returns no float32[${TAG_WIDTH}]`)
  return emissions.data
}

/** An article is read for names as far as this many word pieces: the published cap. */
const TAGGED_PIECES = 1_200
/** Of a word: what is longer is no name. */
const WORD_PIECES = 16

export interface PiecedSentence {
  readonly words: SentenceWords
  /** Pieces of each word, at least one. */
  readonly pieces: readonly (readonly number[])[]
}

/** The first sentences with the pieces of their words, as many as the cap lets in; of the first one whatever there is. */
export function readPieces(
  sentences: readonly SentenceWords[],
  { idsOf, unknown }: Pick<PieceVocabulary, 'idsOf' | 'unknown'>,
): readonly PiecedSentence[] {
  const piecesOf = (word: string): readonly number[] => {
    const ids = idsOf(word)
    return ids.length === 0 ? [unknown] : ids.slice(0, WORD_PIECES)
  }
  const read: PiecedSentence[] = []
  let count = 0
  for (const words of sentences) {
    const pieces = words.map(piecesOf)
    count += pieces.reduce((sum, { length }) => sum + length, 0)
    if (count > TAGGED_PIECES && read.length > 0) break
    read.push({ words, pieces })
  }
  return read
}

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

/** If the head is this certain, the network is skipped: four sentences in five (`models/ner/README.md`). */
const SURE = 0.85
/** The weight of the head's scores relative to the network's. */
const HEAD_SHARE = 0.5

interface Cascade {
  readonly head: FastHead
  readonly network: TaggerNetwork
  readonly vocabulary: PieceVocabulary
  /** Sentences of an article that the encoder reads anyway; for later ones the head would need a pass of its own. */
  readonly encoded: number
}

interface Doubtful extends PiecedSentence {
  readonly index: number
  /** The head's scores; empty if it was skipped. */
  readonly first: Float32Array
}

/** The accurate setting, a cascade: the head reads every sentence, the network those of which the head is not sure, and both decide. */
export function accurateTagger({ head, network, vocabulary, encoded }: Cascade): TagSentences {
  return async (sentences) => {
    const read = readPieces(sentences, vocabulary)
    const first = await head.emissions(read.slice(0, encoded))
    const tags: Uint8Array[] = []
    const doubtful: Doubtful[] = []
    for (const [index, sentence] of read.entries()) {
      const scores = first[index]
      if (scores !== undefined && certainty(scores, head.chain.scores) >= SURE) tags[index] = head.chain.best(scores)
      else doubtful.push({ ...sentence, index, first: scores ?? new Float32Array() })
    }
    const scores = await network.emissions(doubtful)
    for (const [i, { index, first }] of doubtful.entries()) {
      const both = Float32Array.from(scores[i] ?? [], (score, at) => score + HEAD_SHARE * (first[at] ?? 0))
      tags[index] = network.chain.best(both)
    }
    return tags
  }
}
