import { KNOWN } from '../../src/language/recogniser/lexicon.ts'
import { LOC_CUES, ORG_CUES } from '../../src/language/recogniser/case-features.ts'

/** Words that come with organisations and with places; they go into the lexicon as bits. */
export const CUES: readonly (readonly [string, number])[] = [
  ...[...ORG_CUES].map((word) => [word, KNOWN.orgCue] as const),
  ...[...LOC_CUES].map((word) => [word, KNOWN.placeCue] as const),
]
