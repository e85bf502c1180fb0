import { OFFICES, PROXIES } from './lexicon.ts'
import { type Parties, isName, lowerAt, owns, type RelationWords, wordAt } from './words.ts'

const NOBODY: Parties = []
const NOUN_TAGS: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NOUN', 'NUM', 'PROPN'])
export const CONJUNCTIONS: ReadonlySet<string> = new Set(['and', '&'])
/** The owner of something: "his counterpart". */
export const PRONOUNS: ReadonlySet<string> = new Set(['his', 'her', 'its', 'their', 'our', 'my', 'your'])

/** Whether a word may be part of a noun phrase. */
export function isWithin(words: RelationWords, at: number): boolean {
  const { entity, tag, time, lower } = wordAt(words, at)
  return !time && (entity !== null || NOUN_TAGS.has(tag) || owns(words, at) || PRONOUNS.has(lower))
}

export const isComma = (words: RelationWords, at: number): boolean => lowerAt(words, at) === ','

/** The name that a noun phrase is, or acts for: its last word, or "Ada" of "the Ada administration". */
export function headOf(words: RelationWords, end: number): number | null {
  if (isName(words, end)) return end
  if (!PROXIES.has(lowerAt(words, end))) return null
  for (let at = end - 1; at >= 0 && isWithin(words, at); at -= 1) if (isName(words, at)) return at
  return null
}

interface ObjectOptions {
  /** "Praised Ada's plan" is of Ada too. */
  readonly evaluative: boolean
}

/** Names that the noun phrase which begins at a place, and those joined to it, stand for. */
export function namesBeginningAt(words: RelationWords, from: number, { evaluative }: ObjectOptions): Parties {
  const end = phraseEnd(words, from)
  const head = headOf(words, end - 1) ?? (evaluative ? owner(words, from, end - 1) : null)
  if (head === null || head < from) return end === from ? NOBODY : called(words, end)
  return isName(words, end - 1) ? [head, ...joinedAfter(words, end)] : [head]
}

/** The two names, or more, of "between Ada and Bo": whatever follows. */
export function namesJoinedAt(words: RelationWords, from: number): Parties {
  const end = phraseEnd(words, from)
  const head = headOf(words, end - 1)
  return head === null || head < from ? NOBODY : [head, ...chainAfter(words, end)]
}

const LONGEST_PHRASE = 9

/** Where the noun phrase that begins at a place ends, exclusive: "Ada worth millions" at Ada. */
function phraseEnd(words: RelationWords, from: number): number {
  let end = from
  while (end < words.length && end - from < LONGEST_PHRASE && isWithin(words, end) && !isBeyond(words, end)) end += 1
  return end
}

/** "Helped draft the law": with "the" another phrase begins. */
const isBeyond = (words: RelationWords, at: number): boolean =>
  isName(words, at - 1)
    ? isAfterName(words, at)
    : wordAt(words, at).tag === 'DET' && wordAt(words, at - 1).tag === 'NOUN'

/** After a name only a noun, or what belongs to one, goes on with its phrase; "Ada shapes the region" has a verb. */
function isAfterName(words: RelationWords, at: number): boolean {
  const after = wordAt(words, at + 1)
  if (isName(words, at)) return false
  switch (wordAt(words, at).tag) {
    case 'NOUN':
      return after.tag === 'DET' || PRONOUNS.has(after.lower)
    case 'ADJ':
      return after.tag !== 'NOUN'
    case 'DET':
    case 'NUM':
      return true
    default:
      return false
  }
}

/** Ada, of "Ada's plan" and "the Ada administration's plan". */
function owner(words: RelationWords, from: number, last: number): number | null {
  for (let at = last - 1; at > from; at -= 1) if (owns(words, at)) return headOf(words, at - 1)
  return null
}

/** "His counterpart, Ada", "the government of Peru"; `end` is past the noun. */
function called(words: RelationWords, end: number): Parties {
  const noun = lowerAt(words, end - 1)
  const isCalled = isComma(words, end) ? OFFICES.has(noun) : lowerAt(words, end) === 'of' && PROXIES.has(noun)
  return isCalled && isName(words, end + 1) ? [end + 1] : NOBODY
}

/** Of "Ada, Bo and Cy": Bo and Cy. None where another clause begins. */
function joinedAfter(words: RelationWords, from: number): Parties {
  const found = chainAfter(words, from)
  const next = (found.at(-1) ?? -2) + 1
  return BEGINS.has(wordAt(words, next).tag) || owns(words, next) ? NOBODY : found
}

const BEGINS: ReadonlySet<string> = new Set(['VERB', 'AUX'])

/** Names after commas and a last one after "and". */
function chainAfter(words: RelationWords, from: number): Parties {
  const found: number[] = []
  let at = from
  while (isComma(words, at) && isName(words, at + 1)) {
    found.push(at + 1)
    at += 2
  }
  if (isComma(words, at)) at += 1
  if (!CONJUNCTIONS.has(lowerAt(words, at))) return NOBODY
  const last = headOf(words, phraseEnd(words, at + 1) - 1)
  return last === null || last <= at ? NOBODY : [...found, last]
}
