import { certainty } from '../../language/recogniser/certainty.ts'
import type { FastHead } from './fast-tagger.ts'
import { readPieces, type PiecedSentence, type TagSentences } from './tag-chain.ts'
import type { TaggerNetwork } from './tagger-model.ts'
import type { PieceVocabulary } from './vocabulary.ts'

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
