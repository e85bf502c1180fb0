import { remembered } from '../memoize.ts'

/** In how many of how many articles a term occurs; unknown terms in none. */
interface TermCounts {
  readonly documents: number
  readonly counts: ReadonlyMap<string, number>
}

/** What is known of English words and names beforehand. */
export interface TokenVocabulary {
  /** What the forms of a word have in common; lower case in and out. */
  readonly stem: (word: string) => string
  /** How seldom articles hold a stem: 0 all of them, 1 hardly one. */
  readonly wordRarity: (stem: string) => number
  /** The same of a name in lower case. */
  readonly nameRarity: (name: string) => number
}

interface VocabularyFiles {
  readonly words: TermCounts
  readonly names: TermCounts
  readonly stem: (word: string) => string
}

/** Below this many articles all terms are equally rare: a misspelling must not outdo every other word. */
const RARE = 30

/** Inverse document frequency between its ends, 0 to 1. */
const rarity = ({ documents, counts }: TermCounts, term: string): number =>
  documents <= RARE
    ? 1
    : Math.log(documents / Math.min(documents, Math.max(RARE, counts.get(term) ?? 0))) / Math.log(documents / RARE)

export const vocabulary = ({ words, names, stem }: VocabularyFiles): TokenVocabulary => ({
  stem: remembered(stem),
  wordRarity: remembered((term) => rarity(words, term)),
  nameRarity: remembered((name) => rarity(names, name)),
})
