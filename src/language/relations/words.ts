import type { Entity, Sentence } from '../../events/articles.ts'
import { type TagLexicon, type Tag, partsOfSpeech } from '../tokens/part-of-speech.ts'
import { type AssertedType, VERBS, NOUNS, ROLES } from './lexicon.ts'

/** Two entities that one sentence names, and how it relates them. */
export interface SentenceRelation {
  readonly sentence: number
  /** The acting entity; for `co_mention`, the smaller id. */
  readonly source_id: string
  readonly target_id: string
  readonly type: AssertedType | 'co_mention'
  /** The verb or noun that asserts the relation, as written; empty for `co_mention`. */
  readonly evidence: string
  /** Sentiment of the sentence, -1 to +1. */
  readonly sentiment_score: number
}

export interface RelatingArticle {
  readonly text: string
  readonly sentences: readonly Sentence[]
  readonly entities: readonly Pick<Entity, 'entity_id' | 'type' | 'mentions'>[]
}

/** A relation that a sentence asserts: word indices of its two parties and of the asserting word. */
export interface WordRelation {
  readonly source: number
  readonly target: number
  readonly type: AssertedType
  readonly by: number
  /** Whether the relation is dropped if the sentiment of the sentence contradicts it. */
  readonly weak: boolean
}

/** Word indices of the names that act together or are acted on; empty if there are none. */
export type Parties = readonly number[]

/** A word of a sentence; a name is one word, however long it is. */
export interface RelationWord {
  readonly text: string
  readonly lower: string
  readonly tag: Tag
  /** The id of a named entity; `null` for other words. */
  readonly entity: string | null
  /** Whether it is a time, such as "On Monday", which says nothing about who does what. */
  readonly time: boolean
}

export type RelationWords = readonly RelationWord[]

export interface MarkedSpan {
  /** Character offsets from the start of the sentence. */
  readonly start: number
  readonly end: number
  readonly kind: 'entity' | 'time' | 'sum'
  readonly entity_id: string
}

const WORD = /\p{L}+n['’]t\b|[\p{L}\p{N}]+(?:[-.&][\p{L}\p{N}]+)*|['’]s\b|[^\s]/gu
const JOINED = /^(?:[-–]\p{L}+)+/u
const JOINED_BEFORE = /\p{L}[-–]$/u

/** A sentence without any of these words asserts no relation. */
const RELATING: ReadonlySet<string> = new Set([
  ...VERBS.keys(),
  ...NOUNS.keys(),
  ...ROLES.keys(),
  'because',
  'due',
  'thanks',
])

/** The words of a sentence; empty if it can assert no relation. `marked` is in text order and does not overlap. */
export function wordsOf(sentence: string, marked: readonly MarkedSpan[], lexicon: TagLexicon): RelationWords {
  const raw = split(sentence, marked)
  if (!raw.some(({ lower }) => RELATING.has(lower))) return []
  const tags = partsOfSpeech(
    lexicon,
    raw.map(({ text, mark }) => (mark === null ? text : SUBSTITUTES[mark.kind])),
    'sentence',
  )
  return raw.map(({ text, lower, mark }, i) => ({
    text,
    lower,
    tag: mark === null ? tagOf(lower, tags[i] ?? 'X') : TAGS[mark.kind],
    entity: mark?.kind === 'entity' ? mark.entity_id : null,
    time: mark?.kind === 'time',
  }))
}

/** A word of the lexicon that replaces a name, a time or a sum for tagging. */
const SUBSTITUTES = { entity: 'Smith', time: 'Monday', sum: 'dollars' } as const
const TAGS = { entity: 'PROPN', time: 'ADV', sum: 'NOUN' } as const

/**
 * Corrects the tag of relation verbs: a past form is a verb whatever the lexicon says, and "back" is never an adverb
 * here.
 */
function tagOf(lower: string, tag: Tag): Tag {
  const form = VERBS.get(lower)
  if (form === undefined || tag === 'VERB') return tag
  return tag === 'ADV' || (form.forms.has('past') && !form.forms.has('base')) ? 'VERB' : tag
}

interface Raw {
  readonly text: string
  readonly lower: string
  readonly mark: MarkedSpan | null
}

function split(sentence: string, marked: readonly MarkedSpan[]): Raw[] {
  const found: Raw[] = []
  let at = 0
  for (const mark of [...marked, null]) {
    const until = mark?.start ?? sentence.length
    for (const [text] of sentence.slice(at, until).matchAll(WORD))
      found.push({ text, lower: text.toLowerCase(), mark: null })
    if (mark === null) break
    const end = joinedEnd(sentence, mark.end)
    const text = sentence.slice(mark.start, end)
    found.push({ text, lower: text.toLowerCase(), mark: isJoined(sentence, mark, end) ? null : mark })
    at = end
  }
  return found
}

/** Whether a name is part of a compound such as "Saudi-led" or "anti-Trump", and so not a party. */
const isJoined = (sentence: string, { start, end }: MarkedSpan, joined: number): boolean =>
  joined > end || JOINED_BEFORE.test(sentence.slice(Math.max(0, start - 2), start))

const joinedEnd = (sentence: string, end: number): number => end + (JOINED.exec(sentence.slice(end))?.[0].length ?? 0)

const NO_WORD: RelationWord = { text: '', lower: '', tag: 'X', entity: null, time: false }

/** The word at an index; an empty word if there is none. */
export const wordAt = (words: RelationWords, at: number): RelationWord => words[at] ?? NO_WORD

export const isName = (words: RelationWords, at: number): boolean => wordAt(words, at).entity !== null

export const lowerAt = (words: RelationWords, at: number): string => wordAt(words, at).lower

/** Possessive endings: "Ada's". */
const POSSESSIVE_ENDINGS: ReadonlySet<string> = new Set(["'s", '’s', "'", '’'])
export const isPossessive = (words: RelationWords, at: number): boolean => POSSESSIVE_ENDINGS.has(lowerAt(words, at))
