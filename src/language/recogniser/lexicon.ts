import { once } from '../memoize.ts'
import { modelText } from '../model-files.ts'

/** What is known of a word before its sentence is read. */
interface WordFacts {
  /** Distributional class, 1 to 512; 0 unknown. Cased: "Apple" and "apple" differ. */
  readonly cluster: number
  /** The same, 1 to 64. */
  readonly coarse: number
  /** How often it stands in lower case inside sentences: 0 never to 6 always, 7 unknown. */
  readonly lowered: number
  /** Bits of `Known`. */
  readonly known: number
}

/** Lists a word may stand in. */
export const KNOWN = { firstName: 1, lastName: 2, company: 4, title: 8, demonym: 16, orgCue: 32, placeCue: 64 } as const

export type Lexicon = ReadonlyMap<string, WordFacts>

const UNKNOWN: WordFacts = { cluster: 0, coarse: 0, lowered: 7, known: 0 }

/** `Word` of `WORD`. */
export const capitalised = (word: string): string => word.slice(0, 1) + word.slice(1).toLowerCase()

/** Facts of a word as it stands; a shouted word is looked up as a name, then as a plain word. */
export function factsOf(lexicon: Lexicon, word: string): WordFacts {
  const exact = lexicon.get(word)
  if (exact !== undefined) return exact
  const shouted = word.length > 1 && word === word.toUpperCase()
  return (shouted ? lexicon.get(capitalised(word)) : undefined) ?? lexicon.get(word.toLowerCase()) ?? UNKNOWN
}

/** Whether a word is mostly written in lower case: 0 never to 6 always; 7 is unknown and so no common word. */
export function isCommonWord(lexicon: Lexicon, word: string): boolean {
  const { lowered } = factsOf(lexicon, word)
  return lowered >= 2 && lowered <= 6
}

/** Reads lines `word<TAB>cluster<TAB>coarse<TAB>lowered<TAB>known`. */
function parseLexicon(tsv: string): Lexicon {
  const lexicon = new Map<string, WordFacts>()
  for (const line of tsv.split('\n')) {
    const [word, cluster, coarse, lowered, known] = line.split('\t')
    if (word === undefined || known === undefined) continue
    const facts = { cluster: Number(cluster), coarse: Number(coarse), lowered: Number(lowered), known: Number(known) }
    lexicon.set(word, facts)
  }
  return lexicon
}

/** The word list of the repository; read once, on first use. */
export const openLexicon = once(() => parseLexicon(modelText('ner/lexicon.tsv.gz')))
