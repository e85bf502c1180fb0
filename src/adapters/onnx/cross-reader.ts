import { projectPath } from '../../config/project-path.ts'
import type { CrossVocabulary } from './cross-model.ts'
import { sentencePieces } from './cross-pieces.ts'
import type { ReadStates, SpacedSentence } from './encoder-work.ts'
import { readStates } from './reader-outputs.ts'
import { READ_PIECES, windowEnds } from './reader-windows.ts'
import { openSentimentSession, type SentimentGraph } from './session.ts'
import { bestLegalTags } from './tag-chain.ts'

/** Our own network over the word vectors of the encoder of all languages, shipped with the code. */
export const CROSS_READER = projectPath('models/cross-reader/reader.onnx')

/** Reads the first sentences of an article in any language. */
export type CrossArticleReader = (sentences: readonly SpacedSentence[]) => Promise<readonly ReadStates[]>

export async function loadCrossReader(
  { split, window }: CrossVocabulary,
  sentiment: SentimentGraph,
): Promise<CrossArticleReader> {
  const session = await openSentimentSession(CROSS_READER, sentiment)
  return async (all) => {
    const { sentences, indexes } = firstPieces(split, all)
    const inputs = windowEnds(sentences).map((to, i, ends) => ({ words: window(indexes.slice(ends[i - 1] ?? 0, to)) }))
    return readStates({ session, inputs, width: sentiment.width, best: bestLegalTags }, sentences)
  }
}

/** Splits the first sentences into word pieces, up to the limit. The first sentence is always included. */
function firstPieces(split: CrossVocabulary['split'], all: readonly SpacedSentence[]) {
  const [sentences, indexes]: [(readonly number[])[], number[]] = [[], []]
  for (const sentence of all) {
    const own = sentencePieces(split, sentence)
    if (indexes.length + own.indexes.length > READ_PIECES && sentences.length > 0) break
    sentences.push(own.counts)
    for (const index of own.indexes) indexes.push(index)
  }
  return { sentences, indexes }
}
