import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { READER_FEATURES } from '../../language/recogniser/reader-features.ts'
import { bestTags } from '../../language/recogniser/tagger.ts'
import { isLegal, TAGS } from '../../language/recogniser/tags.ts'

/** Emission scores per word. */
export const TAG_WIDTH = TAGS.length

const File = z.object({
  transitions: z.array(z.array(z.number()).length(TAG_WIDTH)).length(TAG_WIDTH),
  start: z.array(z.number()).length(TAG_WIDTH),
  /** Number of features of a word that the network was trained with. */
  features: z.literal(READER_FEATURES),
})

/**
 * The linear chain (CRF) over a network's emissions. The function returns the best legal tag sequence of one sentence,
 * from float32[words, `TAG_WIDTH`], and modifies its input.
 */
export function readTagChain(path: string): (emissions: Float32Array) => Uint8Array {
  const { transitions: rows, start } = File.parse(JSON.parse(readFileSync(path, 'utf8')))
  const transitions = Float32Array.from(rows.flat())
  // `bestTags` starts a sentence as if an O preceded it. The trained chain has start scores, so the difference is added
  // here.
  const startScores = start.map((score, tag) => Math.max(-1e4, score - (transitions[tag] ?? 0)))
  return (emissions) => {
    if (emissions.length > 0) startScores.forEach((score, tag) => (emissions[tag] = (emissions[tag] ?? 0) + score))
    return bestTags(emissions, transitions)
  }
}

/** Score of a tag that may not follow another. */
const ILLEGAL = -1e4

/**
 * The best legal tag sequence of one sentence, as `readTagChain`, of a network without a trained chain. Modifies its input.
 */
export function bestLegalTags(emissions: Float32Array): Uint8Array {
  return bestTags(emissions, LEGAL)
}

const LEGAL = Float32Array.from(
  TAGS.flatMap((_, before) => TAGS.map((_, after) => (isLegal(before, after) ? 0 : ILLEGAL))),
)
