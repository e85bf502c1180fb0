import { once } from '../memoize.ts'
import { modelText } from '../model-files.ts'

/** Facts about a word that do not depend on its sentence. */
interface WordFacts {
  /** Distributional class, 1 to 512; 0 if unknown. Case-sensitive: "Apple" and "apple" differ. */
  readonly cluster: number
  /** Coarser distributional class, 1 to 64; 0 if unknown. */
  readonly coarse: number
  /** How often it is in lower case inside sentences: 0 (never) to 6 (always); 7 if unknown. */
  readonly lowered: number
  /** Bits of `KNOWN`. */
  readonly known: number
}

/** Lists that may contain a word, as bits. */
export const KNOWN = { firstName: 1, lastName: 2, company: 4, title: 8, demonym: 16, orgCue: 32, placeCue: 64 } as const

export type Lexicon = ReadonlyMap<string, WordFacts>

const UNKNOWN: WordFacts = { cluster: 0, coarse: 0, lowered: 7, known: 0 }

/** Returns `Word` for `WORD`. */
export const capitalised = (word: string): string => word.slice(0, 1) + word.slice(1).toLowerCase()

/** Facts about a word as written; otherwise, for one in capitals, about `Word`; otherwise about it in lower case. */
export function factsOf(lexicon: Lexicon, word: string): WordFacts {
  const exact = lexicon.get(word)
  if (exact !== undefined) return exact
  const shouted = word.length > 1 && word === word.toUpperCase()
  return (shouted ? lexicon.get(capitalised(word)) : undefined) ?? lexicon.get(word.toLowerCase()) ?? UNKNOWN
}

/** Whether a word is often in lower case inside sentences; `false` if unknown. */
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
