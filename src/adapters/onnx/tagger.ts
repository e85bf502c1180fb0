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

/** Emission scores per word. */
export const TAG_WIDTH = TAGS.length

export interface TaggerFiles {
  /** The network that computes emissions. */
  readonly onnx: string
  /** The linear chain (transition scores) over the emissions. */
  readonly json: string
}

/** Tags the words of an article's first sentences. */
export type TagSentences = (sentences: readonly SentenceWords[]) => Promise<readonly Uint8Array[]>

const File = z.object({
  transitions: z.array(z.array(z.number()).length(TAG_WIDTH)).length(TAG_WIDTH),
  start: z.array(z.number()).length(TAG_WIDTH),
  /** Maximum number of pieces of a window, including its two special tokens. */
  window: z.int().positive(),
  /** Number of case features that the network was trained with. */
  features: z.literal(CASE_FEATURES),
})

/** A linear chain (CRF) over the emissions of a network. */
export interface TagChain {
  readonly window: number
  readonly scores: ChainScores
  /** The best legal tag sequence of one sentence, from float32[words, `TAG_WIDTH`]. Modifies its input. */
  best(emissions: Float32Array): Uint8Array
}

export function readTagChain(path: string): TagChain {
  const { transitions: rows, start, window } = File.parse(JSON.parse(readFileSync(path, 'utf8')))
  const transitions = Float32Array.from(rows.flat())
  // `bestTags` starts a sentence as if an O preceded it. The trained chain has start scores, so the difference is added
  // here.
  const startScores = start.map((score, tag) => Math.max(-1e4, score - (transitions[tag] ?? 0)))
  return {
    window,
    scores: { transitions, start: Float32Array.from(start) },
    best: (emissions) => {
      if (emissions.length > 0) startScores.forEach((score, tag) => (emissions[tag] = (emissions[tag] ?? 0) + score))
      return bestTags(emissions, transitions)
    },
  }
}

/** The emissions of a network's output: float32[…, `TAG_WIDTH`]. Throws if the output has another shape. */
export function emissionsIn(emissions: Tensor | undefined): Float32Array {
  if (emissions?.dims.at(-1) !== TAG_WIDTH || !(emissions.data instanceof Float32Array))
    throw new Error(`The tagger returns no float32[${TAG_WIDTH}]`)
  return emissions.data
}

/** Maximum number of word pieces of an article that are tagged (the published limit). */
const TAGGED_PIECES = 1_200
/** Maximum pieces of a word. A longer word is not a name. */
const WORD_PIECES = 16

export interface PiecedSentence {
  readonly words: SentenceWords
  /** Pieces of each word, at least one. */
  readonly pieces: readonly (readonly number[])[]
}

/** Splits the first sentences into word pieces, up to the limit. The first sentence is always included. */
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

/** The encoder layer whose states the fast head reads. */
export const FAST_LAYER = 3

/** States of `FAST_LAYER`: float32[position, DIM], special tokens included. The window is passed without them. */
export type InnerStates = (window: readonly number[]) => Promise<Float32Array>

export interface FastHead {
  readonly chain: TagChain
  /** Returns float32[words, `TAG_WIDTH`] for each sentence. */
  emissions(sentences: readonly PiecedSentence[]): Promise<readonly Float32Array[]>
}

/** A head on states that the encoder computes for each sentence anyway. */
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
      // Runs one model over all sentences, then the other, so that each loads its weights into the CPU cache only once.
      const states: Float32Array[] = []
      for (const { pieces } of sentences) states.push(await statesOf(pieces, inner))
      const emissions: Float32Array[] = []
      for (const [i, { words }] of sentences.entries())
        emissions.push(await emissionsOf(words, states[i] ?? new Float32Array()))
      return emissions
    },
  }
}

/** The fast setting: the head only. */
export function fastTagger(head: FastHead, vocabulary: PieceVocabulary): TagSentences {
  return async (sentences) => {
    const emissions = await head.emissions(readPieces(sentences, vocabulary))
    return emissions.map((each) => head.chain.best(each))
  }
}

/**
 * The state of each word's first piece. A sentence starts its own window; a longer one continues in further windows.
 */
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
    const from = ((position % WINDOW) + 1) * DIM // after the special token
    states.set(given.subarray(from, from + DIM), word * DIM)
    position += length
  }
  return states
}

/** The separate tagging network. */
export interface TaggerNetwork {
  readonly chain: TagChain
  /**
   * Returns float32[words, `TAG_WIDTH`] for each sentence. Runs one window at a time without padding, so that the same
   * words always get the same scores.
   */
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
          const from = (position + 1) * TAG_WIDTH // after the special token
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

/** Features of all words, one row per word. */
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

/** The word pieces of a window, without special tokens, and the positions of its words. */
interface TaggerWindow {
  readonly ids: readonly number[]
  /** Feature row of each piece: the index of its word over all sentences. */
  readonly rows: readonly number[]
  /** Position of each word's first piece, in word order. */
  readonly firsts: readonly number[]
}

interface OpenWindow {
  readonly ids: number[]
  readonly rows: number[]
  readonly firsts: number[]
}

/**
 * Packs sentences, in order, into windows: as many whole sentences as fit, so that they are context for each other. A
 * sentence longer than a window starts a new one and is cut between words. `sentences`: pieces of each word.
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

/** The last window if `length` more pieces fit, otherwise a new window. */
function fitting(windows: OpenWindow[], length: number, size: number): OpenWindow {
  const last = windows.at(-1)
  if (last !== undefined && last.ids.length + length <= size) return last
  const next: OpenWindow = { ids: [], rows: [], firsts: [] }
  windows.push(next)
  return next
}

/** From this certainty of the head on, the network is skipped: for four of five sentences (`models/ner/README.md`). */
const MIN_CERTAINTY = 0.85
/** The weight of the head's scores relative to the network's. */
const HEAD_SHARE = 0.5

interface Cascade {
  readonly head: FastHead
  readonly network: TaggerNetwork
  readonly vocabulary: PieceVocabulary
  /** The number of sentences that the encoder reads anyway. For later ones the head would need its own encoder pass. */
  readonly encoded: number
}

interface Doubtful extends PiecedSentence {
  readonly index: number
  /** Emissions of the head; empty if it was skipped. */
  readonly first: Float32Array
}

/**
 * The accurate setting, a cascade: the head reads the sentences first. The network then reads those for which the head
 * is uncertain, and the scores of both are combined.
 */
export function accurateTagger({ head, network, vocabulary, encoded }: Cascade): TagSentences {
  return async (sentences) => {
    const read = readPieces(sentences, vocabulary)
    const first = await head.emissions(read.slice(0, encoded))
    const tags: Uint8Array[] = []
    const doubtful: Doubtful[] = []
    for (const [index, sentence] of read.entries()) {
      const scores = first[index]
      if (scores !== undefined && certainty(scores, head.chain.scores) >= MIN_CERTAINTY)
        tags[index] = head.chain.best(scores)
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
