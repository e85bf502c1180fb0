import { cleanSpan } from './clean.ts'
import { features } from './features.ts'
import type { Lexicon } from './lexicon.ts'
import type { Places } from '../places/places.ts'
import { sentenceFacts } from './sentence.ts'
import { bestTags, emissions, type TaggerWeights } from './tagger.ts'
import { spansOfTags, type WordSpan } from './tags.ts'

export interface TaggerFiles {
  readonly weights: TaggerWeights
  readonly lexicon: Lexicon
  readonly places: Places
}

/** Names in one sentence of words, cleaned. */
export function namesOf({ weights, lexicon, places }: TaggerFiles, words: readonly string[]): WordSpan[] {
  const scores = emissions(weights, features(sentenceFacts(words, lexicon, places)))
  return spansOfTags(bestTags(scores, weights.transitions)).flatMap((span) => cleanSpan(words, span) ?? [])
}
