import { remembered } from '../memoize.ts'
import { isLight } from './light-words.ts'
import { partsOfSpeech, type Tag, type TagLexicon } from './part-of-speech.ts'
import { wordsAt, type WordAt } from './words.ts'

/** The beginning of an article. */
export interface TextBeginning {
  /** Empty: there is none. */
  readonly title: string
  /** The body's first sentences. */
  readonly sentences: readonly string[]
  /** ISO 639-1, or `und`. */
  readonly language: string
}

export interface TaggedWord extends WordAt {
  readonly tag: Tag
  /** A word of its own meaning; function words and light ones are none. */
  readonly content: boolean
}

/** The title or a sentence. */
export interface TokenPart {
  /** Index into the sentences; -1 is the title. */
  readonly sentence: number
  readonly text: string
  /** Where it begins in all parts joined by a line break. */
  readonly at: number
  /** Words of the body before it. */
  readonly before: number
  readonly written: 'sentence' | 'headline'
  readonly words: readonly TaggedWord[]
}

/** Title and sentences with their words tagged: English by the lexicon, of other languages only what a number is. */
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
  CONTENT.has(tag) && (language === 'en' ? isEnglishContent(word) : saysSomething(word, language))

const saysSomething = (word: string, language: string): boolean =>
  hasSubstance(word) && !isLight(word.toLowerCase(), language)

const isEnglishContent = remembered((word) => saysSomething(word, 'en'))

/** Party and state of a member of parliament: `R-Wis`. */
const SEAT = /^[RDI]-\p{Lu}\p{L}{0,4}$/u

/** Two letters or digits at least. */
const hasSubstance = (word: string): boolean =>
  word.length > 1 && /[\p{L}\p{N}]\p{M}*[\p{L}\p{N}]/u.test(word) && !SEAT.test(word)

/** Most longer words begin with a capital, or all letters are: then capitals say nothing. */
function isHeadline(words: readonly WordAt[]): boolean {
  const long = words.filter(({ text }) => text.length > 3)
  return long.length > 1 && long.filter(({ text }) => /^\p{Lu}/u.test(text)).length > 0.6 * long.length
}
