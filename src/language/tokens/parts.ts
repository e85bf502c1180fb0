import { remembered } from '../memoize.ts'
import { wordList } from '../model-files.ts'
import { FUNCTION_WORDS } from '../quality/lexicon.ts'
import { partsOfSpeech, type Tag, type TagLexicon } from './part-of-speech.ts'

/** A word in a text: character offsets, end exclusive. */
export interface WordAt {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Scripts that are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Addresses and handles, which are not words; or a word, with compounds: `anti-tax`, `O'Brien`, `3.5`, `10,000`. */
const ADDRESS_OR_WORD =
  /(?<address>(?:https?:\/\/|www\.)\S+|[@#]\w+|\w[\w.+-]{0,63}@\S+)|[\p{L}\p{N}\p{M}]+(?:[-'’&‑](?=[\p{L}\p{N}])[\p{L}\p{N}\p{M}]+|[.,]\p{N}+|\.\p{Lu}(?![\p{L}\p{N}]))*/gu

/** Longer strings are not words. */
const LONGEST_WORD = 40

/** The words of a sentence, in order, in linear time. Scripts without spaces are segmented with Unicode's rules. */
export function wordsAt(text: string): WordAt[] {
  const found: WordAt[] = []
  for (const match of text.matchAll(ADDRESS_OR_WORD)) {
    if (match.groups?.['address'] !== undefined) continue
    const word = { text: match[0], start: match.index, end: match.index + match[0].length }
    if (word.text.charCodeAt(0) >= 0x0e00 && UNSPACED.test(word.text)) found.push(...segments(word))
    else if (word.text.length <= LONGEST_WORD) found.push(withoutPossessive(word))
  }
  return found
}

/** `council's` becomes `council`. */
function withoutPossessive(word: WordAt): WordAt {
  const ending = /['’]s$/iu.test(word.text) ? 2 : 0
  return ending === 0 ? word : { text: word.text.slice(0, -ending), start: word.start, end: word.end - ending }
}

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })

const segments = ({ text, start }: WordAt): WordAt[] =>
  [...SEGMENTER.segment(text)].map(({ segment, index }) => ({
    text: segment,
    start: start + index,
    end: start + index + segment.length,
  }))

/** English content words that are useless for search: light verbs, quantities, times, forms of address. */
const LIGHT = wordList('tokens/light-words')
/** English contractions: `don't`, `they've`; their first part is always a function word. */
const CONTRACTION = /['’](?:t|re|ve|ll|d|m)$/u

/** Whether a word in lower case says nothing about an article. An unknown language is treated as English. */
function isLight(word: string, language: string): boolean {
  if (FUNCTION_WORDS.get(language === 'und' ? 'en' : language)?.has(word) === true) return true
  return (language === 'en' || language === 'und') && (LIGHT.has(word) || CONTRACTION.test(word))
}

/** The beginning of an article. */
export interface TextBeginning {
  /** Empty if there is none. */
  readonly title: string
  /** The body's first sentences. */
  readonly sentences: readonly string[]
  /** ISO 639-1, or `und`. */
  readonly language: string
}

export interface TaggedWord extends WordAt {
  readonly tag: Tag
  /** Whether it is a content word, neither a function word nor a light one. */
  readonly content: boolean
}

/** The title or a sentence. */
export interface TokenPart {
  /** Index into the sentences; -1 is the title. */
  readonly sentence: number
  readonly text: string
  /** Its offset in all parts joined by line breaks. */
  readonly at: number
  /** Number of words of the body before it. */
  readonly before: number
  readonly written: 'sentence' | 'headline'
  readonly words: readonly TaggedWord[]
}

/** Title and sentences with tagged words: by the lexicon for English; in other languages only numbers are tagged. */
export function partsOf({ title, sentences, language }: TextBeginning, lexicon: TagLexicon): readonly TokenPart[] {
  const parts: TokenPart[] = []
  let [at, before] = [0, 0]
  for (const [i, text] of [title, ...sentences].entries()) {
    if (text === '') continue
    const words = wordsAt(text)
    const written = i === 0 && isHeadline(words) ? 'headline' : 'sentence'
    const tags = language === 'en' ? partsOfSpeech(lexicon, words.map(textOf), written) : words.map(tagOf)
    const tagged = words.map((word, j) => {
      const tag = tags[j] ?? 'X'
      return { text: word.text, start: word.start, end: word.end, tag, content: isContent(word.text, tag, language) }
    })
    parts.push({ sentence: i - 1, text, at, before, written, words: tagged })
    at += text.length + 1
    if (i > 0) before += words.length
  }
  return parts
}

const textOf = ({ text }: WordAt): string => text

const tagOf = ({ text }: WordAt): Tag => (/^\p{N}/u.test(text) ? 'NUM' : 'X')

const CONTENT: ReadonlySet<Tag> = new Set(['NOUN', 'PROPN', 'VERB', 'ADJ', 'NUM', 'X'])

const isContent = (word: string, tag: Tag, language: string): boolean =>
  CONTENT.has(tag) && (language === 'en' ? isEnglishContent(word) : isInformative(word, language))

const isInformative = (word: string, language: string): boolean =>
  hasSubstance(word) && !isLight(word.toLowerCase(), language)

const isEnglishContent = remembered((word) => isInformative(word, 'en'))

/** Party and state of a member of parliament: `R-Wis`. */
const SEAT = /^[RDI]-\p{Lu}\p{L}{0,4}$/u

/** At least two letters or digits. */
const hasSubstance = (word: string): boolean =>
  word.length > 1 && /[\p{L}\p{N}]\p{M}*[\p{L}\p{N}]/u.test(word) && !SEAT.test(word)

/** Whether most longer words begin with a capital, so that capitals say nothing. */
function isHeadline(words: readonly WordAt[]): boolean {
  const long = words.filter(({ text }) => text.length > 3)
  return long.length > 1 && long.filter(({ text }) => /^\p{Lu}/u.test(text)).length > 0.6 * long.length
}
