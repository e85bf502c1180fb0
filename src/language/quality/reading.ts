import { sentences, type Span } from '../sentences.ts'
import { wordTokens } from '../word-tokens.ts'
import { isBoilerplate, isPlaceholder } from './boilerplate.ts'
import { FUNCTION_WORDS } from './function-words.ts'

export interface ReadSentence {
  readonly text: string
  /** Lower case. */
  readonly words: readonly string[]
  /** In words of a script with spaces: a Chinese or Thai character counts as 0.6. */
  readonly length: number
  /** Prose that says something for the first time: not a heading, a list, shouting, a notice, a repetition. */
  readonly informative: boolean
}

/** A text read once, for all four quality factors. */
export interface Reading {
  readonly text: string
  readonly language: string
  /** Lower case. */
  readonly words: readonly string[]
  readonly sentences: readonly ReadSentence[]
  readonly informative: readonly ReadSentence[]
  /** Words a paragraph, in order. */
  readonly paragraphs: readonly number[]
}

export function read(text: string, language: string, spans: readonly Span[] = sentences(text)): Reading {
  const seen = new Set<string>()
  const read = spans.map(({ start, end }) => readSentence(text.slice(start, end), language, seen))
  const words = read.flatMap((sentence) => sentence.words)
  return {
    text,
    language,
    words,
    sentences: read,
    informative: isPlaceholder(words) ? [] : read.filter(({ informative }) => informative),
    paragraphs: paragraphLengths(text, spans, read),
  }
}

function readSentence(text: string, language: string, seen: Set<string>): ReadSentence {
  const words = wordTokens(text).map((word) => word.toLowerCase())
  const key = words.join(' ')
  const isNew = !seen.has(key)
  seen.add(key)
  const length = words.reduce((sum, word) => sum + (isUnspaced(word) ? 0.6 : 1), 0)
  const prose = length >= 4 && length <= 90 && isProse(text) && isWorded(words, language)
  return { text, words, length, informative: isNew && prose && !isBoilerplate(text) }
}

/** U+0E00 to U+0EFF Thai and Lao, U+1780 Khmer, U+3040 and above kana and Han. */
const isUnspaced = (word: string): boolean => /^[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/u.test(word)

const CLOSED = /[.!?…。！？।۔؟｡:;][\p{Pe}\p{Pf}"'”’]*$/u
const SCRIPT_WITHOUT_STOPS = /[\u0e00-\u0eff\u1780-\u17ff]/u
const ADDRESS = /https?:|www\./iu

/** Ends with a stop (in scripts that have one), is not shouted, names no address. */
const isProse = (text: string): boolean =>
  (CLOSED.test(text) || SCRIPT_WITHOUT_STOPS.test(text)) && !isShouted(text) && !ADDRESS.test(text)

function isShouted(text: string): boolean {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0
  const lower = text.match(/\p{Ll}/gu)?.length ?? 0
  return upper > 0.4 * (upper + lower) && upper > 3
}

/** Held together by the small words of its language, where we know them. */
function isWorded(words: readonly string[], language: string): boolean {
  const small = FUNCTION_WORDS[language]
  return small === undefined || words.some((word) => small.has(word))
}

const WORD_BREAK = /\n\s*\n|\n/u

function paragraphLengths(text: string, spans: readonly Span[], read: readonly ReadSentence[]): number[] {
  const lengths: number[] = []
  spans.forEach((span, i) => {
    const gap = i === 0 ? '\n' : text.slice(spans[i - 1]?.end, span.start)
    if (WORD_BREAK.test(gap)) lengths.push(0)
    lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + (read[i]?.length ?? 0)
  })
  return lengths
}
