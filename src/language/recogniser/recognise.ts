import type { EntityType } from '../../events/articles.ts'
import { isPolitical } from '../places/political.ts'
import { placeNamed } from '../places/places.ts'
import { amounts } from './amounts.ts'
import { consistent } from './consistency.ts'
import { factsOf } from './lexicon.ts'
import type { NameType } from './tags.ts'
import { namesOf, type TaggerFiles } from './token-names.ts'
import { words, type Words } from './words.ts'

/** Names are sought in sentences that begin before this many characters: some 1,200 word pieces. */
export const RECOGNISED_CHARS = 7_000
/** Of one sentence only this much is read. */
export const SENTENCE_CHARS = 1_000

/** Character offsets, end exclusive. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

export interface EntitySpan extends TextSpan {
  readonly type: EntityType
}

/** Names, dates and sums in a text, given its sentences; linear in its length. */
export interface Recogniser {
  /** Name and hash of the weights: in every event they touched. */
  readonly model: string
  recognise(text: string, sentences: readonly TextSpan[]): EntitySpan[]
  /** The names alone, for half the work. */
  names(text: string, sentences: readonly TextSpan[]): EntitySpan[]
}

/** How far the recogniser reads: the end of the last sentence it looks at. */
export function recognisedChars(sentences: readonly TextSpan[]): number {
  const read = sentences.filter(({ start }) => start < RECOGNISED_CHARS).at(-1)
  return read === undefined ? 0 : Math.min(read.end, read.start + SENTENCE_CHARS)
}

export function recogniser(model: string, files: TaggerFiles): Recogniser {
  const rules = {
    isPlace: (word: string): boolean => placeNamed(files.places, word) !== undefined,
    isCommon: (word: string): boolean => isCommon(factsOf(files.lexicon, word).lowered),
  }
  const namesBySentence = (text: string, read: readonly TextSpan[]): EntitySpan[][] => {
    const split = read.map(({ start, end }) => words(text, start, end))
    const named = split.map(({ texts }) => ({ words: texts, spans: namesOf(files, texts) }))
    return consistent(named, rules).map((spans, i) =>
      spans.flatMap(({ type, start, end }) => {
        const at = characters(split[i], start, end)
        return at === null ? [] : { type: typeOf(files, type, text.slice(at.start, at.end)), ...at }
      }),
    )
  }
  return {
    model,
    recognise: (text, sentences) => {
      const read = readable(sentences)
      const names = namesBySentence(text, read)
      return read.flatMap(({ start, end }, i) => withAmounts(names[i] ?? [], amounts(text, start, end)))
    },
    names: (text, sentences) => namesBySentence(text, readable(sentences)).flat(),
  }
}

const readable = (sentences: readonly TextSpan[]): readonly TextSpan[] =>
  sentences
    .filter(({ start }) => start < RECOGNISED_CHARS)
    .map(({ start, end }) => ({ start, end: Math.min(end, start + SENTENCE_CHARS) }))

/** 0 never to 6 always small; 7 is unknown and so no common word. */
const isCommon = (lowered: number): boolean => lowered >= 2 && lowered <= 6

function characters(split: Words | undefined, start: number, end: number): TextSpan | null {
  const [from, to] = [split?.starts[start], split?.ends[end - 1]]
  return from === undefined || to === undefined ? null : { start: from, end: to }
}

function typeOf({ places }: TaggerFiles, type: NameType, surface: string): EntityType {
  if (type === 'PER') return 'PERSON'
  if (type !== 'LOC') return type
  return isPolitical(places, surface) ? 'GPE' : 'LOC'
}

/** Names win over dates and sums that touch them, and an earlier one over a later. */
function withAmounts(names: readonly EntitySpan[], found: readonly EntitySpan[]): EntitySpan[] {
  const taken = [...names]
  for (const span of found) {
    if (taken.every((other) => span.end <= other.start || span.start >= other.end)) taken.push(span)
  }
  return taken.sort((a, b) => a.start - b.start)
}
