import { readFileSync } from 'node:fs'
import type { Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import { CASE_FEATURES } from '../../language/recogniser/case-features.ts'
import type { ChainScores } from '../../language/recogniser/certainty.ts'
import { bestTags } from '../../language/recogniser/tagger.ts'
import { TAGS } from '../../language/recogniser/tags.ts'
import type { SentenceWords } from '../../ports/tagger.ts'
import type { PieceVocabulary } from './vocabulary.ts'

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
