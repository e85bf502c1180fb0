import type { GazetteerPlace, PlaceKind, Gazetteer } from '../places/places.ts'
import { remembered } from '../memoize.ts'
import { factsOf, type Lexicon, type WordFacts } from './lexicon.ts'
import { caseClass, CASE, type CaseClass, hashOf, isCapitalised, shapeOf, type Spelling, spellingOf } from './shapes.ts'

/** A sentence's words as numbers, one entry a word: what features are made of. */
export interface SentenceFacts {
  readonly length: number
  readonly spellings: readonly Spelling[]
  /** Hash of the word in lower case. */
  readonly lower: Int32Array
  readonly shape: Int32Array
  readonly kind: Int32Array
  readonly cluster: Int32Array
  readonly coarse: Int32Array
  readonly lowered: Int32Array
  readonly known: Int32Array
  /** 0 none, else kind of place twice plus one inside a name of several words. */
  readonly place: Int32Array
  /** First word and end of the run of capitalised words around the word; empty runs elsewhere. */
  readonly runStart: Int32Array
  readonly runEnd: Int32Array
  /** Most letters are capitals: case says nothing. */
  readonly shouted: boolean
}

/** Longest name of a place that is looked up, in words and signs. */
const LONGEST_PLACE = 5
/** Regions, waters and lands stood in no table when the weights were learned. */
const PLACE_CODE: Readonly<Partial<Record<PlaceKind, number>>> = { country: 2, state: 4, city: 6 }

export function sentenceFacts(words: readonly string[], lexicon: Lexicon, places: Gazetteer): SentenceFacts {
  const length = words.length
  const numbers = (): Int32Array => new Int32Array(length)
  const facts = { length, lower: numbers(), shape: numbers(), kind: numbers(), cluster: numbers() }
  const more = { coarse: numbers(), lowered: numbers(), known: numbers() }
  const spellings: Spelling[] = []
  const look = looksBy(lexicon)
  let capitals = 0
  let letters = 0
  for (let i = 0; i < length; i++) {
    const { kind, lower, shape, known, spelling } = look(words[i] ?? '')
    spellings.push(spelling)
    facts.lower[i] = lower
    facts.shape[i] = shape
    facts.kind[i] = kind
    facts.cluster[i] = known.cluster
    more.coarse[i] = known.coarse
    more.lowered[i] = known.lowered
    more.known[i] = known.known
    if (kind <= CASE.mixed) letters++
    if (kind === CASE.shouted || kind === CASE.letter) capitals++
  }
  const place = markPlaces(words, facts.kind, places)
  const shouted = letters > 1 && capitals * 5 >= letters * 4
  return { ...facts, ...more, spellings, place, ...runs(words, facts.kind), shouted }
}

/** What a word is by itself, wherever it stands. */
interface SentenceLooks {
  readonly lower: number
  readonly shape: number
  readonly kind: CaseClass
  readonly known: WordFacts
  readonly spelling: Spelling
}

const lookers = new WeakMap<Lexicon, (word: string) => SentenceLooks>()

function looksBy(lexicon: Lexicon): (word: string) => SentenceLooks {
  const known = lookers.get(lexicon)
  if (known !== undefined) return known
  const look = remembered((word): SentenceLooks => {
    const lower = word.toLowerCase()
    const kind = caseClass(word)
    const known = factsOf(lexicon, word)
    return { lower: hashOf(lower, 0, lower.length), shape: shapeOf(word), kind, known, spelling: spellingOf(lower) }
  })
  lookers.set(lexicon, look)
  return look
}

function markPlaces(words: readonly string[], kinds: Int32Array, places: Gazetteer): Int32Array {
  const marks = new Int32Array(words.length)
  const firsts = firstWords(places)
  let i = 0
  while (i < words.length) {
    const mayBegin = isCapitalised(kinds[i] ?? 0) && firsts.has((words[i] ?? '').toLowerCase())
    const { length, code } = mayBegin ? placeAt(words, i, places) : NO_PLACE
    for (let j = 0; j < length; j++) marks[i + j] = j === 0 ? code : code + 1
    i += Math.max(1, length)
  }
  return marks
}

const begun = new WeakMap<Gazetteer, ReadonlySet<string>>()

/** The words that the name of a place can begin with. */
function firstWords(places: Gazetteer): ReadonlySet<string> {
  const known = begun.get(places)
  if (known !== undefined) return known
  const firsts = new Set([...places.keys()].map((key) => key.split(' ', 1)[0] ?? ''))
  begun.set(places, firsts)
  return firsts
}

const NO_PLACE = { length: 0, code: 0 }

/** The longest name of a place that begins here; a small "us" or "la" is none. */
function placeAt(words: readonly string[], start: number, places: Gazetteer): { length: number; code: number } {
  let found = NO_PLACE
  let key = ''
  for (let length = 1; length <= LONGEST_PLACE && start + length <= words.length; length++) {
    const word = words[start + length - 1] ?? ''
    if (!/^[\p{L}\p{N}]/u.test(word)) continue
    key = `${key} ${word.toLowerCase()}`.trimStart()
    const code = isSmallWord(key, word) ? undefined : codeOf(places.get(key))
    if (code !== undefined) found = { length, code }
  }
  return found
}

const codeOf = (place: GazetteerPlace | undefined): number | undefined =>
  place === undefined ? undefined : PLACE_CODE[place.kind]

const isSmallWord = (key: string, word: string): boolean => key.length < 3 && word !== word.toUpperCase()

const JOINS = new Set(['-', "'", '’', '&', '.'])

/** Capitalised words in a row, joined also by hyphen, apostrophe, ampersand, or the stop of an initial. */
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
