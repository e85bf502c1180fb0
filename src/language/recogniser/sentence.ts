import type { PlaceKind, PlaceTable } from '../places/places.ts'
import { remembered, rememberedOf } from '../memoize.ts'
import { factsOf, type Lexicon } from './lexicon.ts'
import { caseClass, CASE, hashOf, isCapitalised, shapeOf, type Spelling, spellingOf } from './shapes.ts'

/** Maximum length of a place name that is looked up, in words and signs. */
const LONGEST_PLACE = 5
/** Codes used in training. Regions, waters and lands have none, because the table did not contain them then. */
const PLACE_CODE: Readonly<Partial<Record<PlaceKind, number>>> = { country: 2, state: 4, city: 6 }

/** Numbers from which the features of a sentence are computed, one entry per word. */
export function sentenceFacts(words: readonly string[], lexicon: Lexicon, places: PlaceTable) {
  const length = words.length
  const numbers = (): Int32Array => new Int32Array(length)
  const spellings: Spelling[] = []
  const [lower, shape, kind] = [numbers(), numbers(), numbers()]
  const [cluster, coarse, lowered, known] = [numbers(), numbers(), numbers(), numbers()]
  const factsBy = wordFactsBy(lexicon)
  let capitals = 0
  let letters = 0
  for (let i = 0; i < length; i++) {
    const facts = factsBy(words[i] ?? '')
    spellings.push(facts.spelling)
    lower[i] = facts.lower
    shape[i] = facts.shape
    kind[i] = facts.kind
    cluster[i] = facts.known.cluster
    coarse[i] = facts.known.coarse
    lowered[i] = facts.known.lowered
    known[i] = facts.known.known
    if (facts.kind <= CASE.mixed) letters++
    if (facts.kind === CASE.shouted || facts.kind === CASE.letter) capitals++
  }
  return {
    ...{ length, spellings, shape, kind, cluster, coarse, lowered, known },
    /** Hash of the word in lower case. */
    lower,
    /** 0 outside place names; otherwise the code of the kind of place, plus 1 after the first word of the name. */
    place: placeMarks(words, kind, { places, codes: PLACE_CODE }),
    /** Start and end (exclusive) of the run of capitalised words around each word; empty runs elsewhere. */
    ...runs(words, kind),
    /** Whether at least 80 % of the words are in capitals, so that case says nothing. */
    shouted: letters > 1 && capitals * 5 >= letters * 4,
  }
}

export type SentenceFacts = ReturnType<typeof sentenceFacts>

/** Facts that depend only on the word. */
const wordFactsBy = rememberedOf((lexicon: Lexicon) =>
  remembered((word) => {
    const lower = word.toLowerCase()
    const kind = caseClass(word)
    const known = factsOf(lexicon, word)
    return { lower: hashOf(lower, 0, lower.length), shape: shapeOf(word), kind, known, spelling: spellingOf(lower) }
  }),
)

interface PlaceCodes {
  readonly places: PlaceTable
  /** Kinds without a code are not looked for. */
  readonly codes: Readonly<Partial<Record<PlaceKind, number>>>
}

/** 0 outside place names; otherwise the code of the kind of place, plus 1 after the first word of the name. */
export function placeMarks(
  words: readonly string[],
  kinds: ArrayLike<number>,
  { places, codes }: PlaceCodes,
): Int32Array {
  const marks = new Int32Array(words.length)
  const firsts = firstWords(places)
  let i = 0
  while (i < words.length) {
    const mayBegin = isCapitalised(kinds[i] ?? 0) && firsts.has((words[i] ?? '').toLowerCase())
    const { length, code } = mayBegin ? placeAt(words, i, { places, codes }) : NO_PLACE
    for (let j = 0; j < length; j++) marks[i + j] = j === 0 ? code : code + 1
    i += Math.max(1, length)
  }
  return marks
}

/** The words with which a place name can begin. */
const firstWords = rememberedOf(
  (places: PlaceTable) => new Set([...places.keys()].map((key) => key.split(' ', 1)[0] ?? '')),
)

const NO_PLACE = { length: 0, code: 0 }

/** The longest place name that begins at an index; "us" and "la" in lower case are not place names. */
function placeAt(
  words: readonly string[],
  start: number,
  { places, codes }: PlaceCodes,
): { readonly length: number; readonly code: number } {
  let found = NO_PLACE
  let key = ''
  for (let length = 1; length <= LONGEST_PLACE && start + length <= words.length; length++) {
    const word = words[start + length - 1] ?? ''
    if (!/^[\p{L}\p{N}]/u.test(word)) continue
    key = `${key} ${word.toLowerCase()}`.trimStart()
    const place = isShortWord(key, word) ? undefined : places.get(key)
    const code = place && codes[place.kind]
    if (code !== undefined) found = { length, code }
  }
  return found
}

const isShortWord = (key: string, word: string): boolean => key.length < 3 && word !== word.toUpperCase()

const JOINS = new Set(['-', "'", '’', '&', '.'])

/** Runs of capitalised words, which may contain a hyphen, an apostrophe, an ampersand or the dot of an initial. */
function runs(words: readonly string[], kinds: Int32Array): { runStart: Int32Array; runEnd: Int32Array } {
  const runStart = new Int32Array(words.length)
  for (let i = 0; i < words.length; i++) runStart[i] = i
  const runEnd = runStart.slice()
  const capital = (i: number): boolean => i < words.length && isCapitalised(kinds[i] ?? 0)
  let i = 0
  while (i < words.length) {
    const start = i
    if (capital(i)) {
      i++
      while (capital(i) || (JOINS.has(words[i] ?? '') && capital(i + 1))) i++
      runStart.fill(start, start, i)
      runEnd.fill(i, start, i)
    } else i++
  }
  return { runStart, runEnd }
}
