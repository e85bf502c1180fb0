import type { VerbGroup } from './groups.ts'
import { BEGINS_CLAUSE, HYPOTHETIC, OFFICES, PROXIES, type VerbSense } from './lexicon.ts'
import { type Parties, isName, lowerAt, owns, type RelationWords, wordAt, type RelationWord } from './words.ts'

const NOBODY: Parties = []
const NOUN_TAGS: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NOUN', 'NUM', 'PROPN'])
const CONJUNCTIONS: ReadonlySet<string> = new Set(['and', '&'])
/** Possessive pronouns: "his counterpart". */
export const PRONOUNS: ReadonlySet<string> = new Set(['his', 'her', 'its', 'their', 'our', 'my', 'your'])

/** Whether a word may be part of a noun phrase. */
function isWithin(words: RelationWords, at: number): boolean {
  const { entity, tag, time, lower } = wordAt(words, at)
  return !time && (entity !== null || NOUN_TAGS.has(tag) || owns(words, at) || PRONOUNS.has(lower))
}

export const isComma = (words: RelationWords, at: number): boolean => lowerAt(words, at) === ','

/** The name that a noun phrase is, or acts for: its last word, or "Ada" of "the Ada administration". */
function headOf(words: RelationWords, end: number): number | null {
  if (isName(words, end)) return end
  if (!PROXIES.has(lowerAt(words, end))) return null
  for (let at = end - 1; at >= 0 && isWithin(words, at); at -= 1) if (isName(words, at)) return at
  return null
}

/** Names that the noun phrase which begins at a place, and those joined to it, stand for. */
export function namesBeginningAt(
  words: RelationWords,
  from: number,
  { evaluative }: Pick<VerbSense, 'evaluative'>,
): Parties {
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

/** End (exclusive) of the noun phrase that begins at an index: "Ada worth millions" ends after Ada. */
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

const CARRIES_ON: ReadonlySet<string> = new Set(['and', 'but', 'or', 'then', 'also'])
const RELATIVES: ReadonlySet<string> = new Set(['who', 'which', 'that'])
/** "Ada of Acme" is Ada. */
const OF_PLACE: ReadonlySet<string> = new Set(['of', 'from', 'in'])

/** A verb group with its subjects. */
export interface Clause extends VerbGroup {
  readonly subjects: Parties
}

/** In the order of the groups. */
export function clausesOf(words: RelationWords, groups: readonly VerbGroup[]): readonly Clause[] {
  const found: Clause[] = []
  for (const group of groups) {
    const before = found.findLast(({ form }) => form === 'finite')?.subjects ?? null
    found.push({ ...group, subjects: group.form === 'bare' ? NOBODY : subjectOf(words, group, before) })
  }
  return found
}

/** `before`: the subjects of the previous finite verb in the sentence; `null` if there is none. */
function subjectOf(words: RelationWords, { start, form }: VerbGroup, before: Parties | null): Parties {
  const at = backOverTimes(words, start - 1)
  if (isComma(words, at)) return beforeComma(words, at, { form, before })
  if (RELATIVES.has(lowerAt(words, at))) return namesEndingAt(words, isComma(words, at - 1) ? at - 2 : at - 1)
  if (!CARRIES_ON.has(lowerAt(words, at))) return namesEndingAt(words, at)
  return isComma(words, at - 1) || before === null ? NOBODY : before
}

function beforeComma(
  words: RelationWords,
  at: number,
  { form, before }: { readonly form: VerbGroup['form']; readonly before: Parties | null },
): Parties {
  if (form === 'finite') return beforeInsertion(words, at)
  return form === 'gerund' && before !== null ? before : namesEndingAt(words, at - 1)
}

/** Skips "on Monday" and adverbs. */
function backOverTimes(words: RelationWords, from: number): number {
  let at = from
  while (at >= 0) {
    const { time, tag } = wordAt(words, at)
    if (time && wordAt(words, at - 1).tag === 'ADP') at -= 2
    else if (time || tag === 'ADV') at -= 1
    else break
  }
  return at
}

const LONGEST_INSERTION = 16

/** "Ada, the chancellor, attacked", "Ada, who met Bo, attacked", "the chancellor, Ada, attacked". */
function beforeInsertion(words: RelationWords, closing: number): Parties {
  for (let at = closing - 1; at > 0 && closing - at <= LONGEST_INSERTION; at -= 1) {
    if (!isComma(words, at)) continue
    if (at === closing - 2 && isName(words, at + 1)) return OFFICES.has(lowerAt(words, at - 1)) ? [at + 1] : NOBODY
    if (isInsertion(words, at + 1)) return namesEndingAt(words, at - 1)
  }
  return NOBODY
}

const INSERTED: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NOUN', 'VERB', 'NUM'])

function isInsertion(words: RelationWords, at: number): boolean {
  const { entity, lower, tag } = wordAt(words, at)
  if (entity !== null) return owns(words, at + 1) || wordAt(words, at + 1).tag === 'NOUN'
  return RELATIVES.has(lower) || lower === 'whose' || INSERTED.has(tag)
}

/** Names that the noun phrase which ends at a place, and those joined to it, stand for. */
function namesEndingAt(words: RelationWords, end: number): Parties {
  const closing = lowerAt(words, end) === ')' ? openingOf(words, end) - 1 : end
  const head = headOf(words, closing)
  return head === null ? NOBODY : inPlace(words, phraseStart(words, closing), head)
}

/** What the word before a noun phrase makes of it. */
function inPlace(words: RelationWords, start: number, head: number): Parties {
  const { lower, tag } = wordAt(words, start - 1)
  if (HYPOTHETIC.has(lower)) return NOBODY
  if (BEGINS_CLAUSE.has(lower)) return [head]
  if (tag === 'ADP' || lower === 'to') return OF_PLACE.has(lower) ? ofPlace(words, start - 2, head) : NOBODY
  return CONJUNCTIONS.has(lower) ? [...joinedBefore(words, start - 1), head] : [head]
}

/** "Ada of Acme" is Ada, "the government of Peru" Peru; "officials near Peru" are nobody. */
function ofPlace(words: RelationWords, end: number, head: number): Parties {
  if (isName(words, end)) return namesEndingAt(words, end)
  return PROXIES.has(lowerAt(words, end)) ? [head] : NOBODY
}

const openingOf = (words: RelationWords, closing: number): number =>
  Math.max(
    0,
    words.slice(0, closing).findLastIndex(({ lower }) => lower === '('),
  )

function phraseStart(words: RelationWords, end: number): number {
  let at = end
  while (at > 0 && isWithin(words, at - 1)) at -= 1
  return at
}

/** Of "Ada, Bo and Cy": Ada and Bo. None where it is another clause that "and" begins. */
function joinedBefore(words: RelationWords, and: number): Parties {
  const found: number[] = []
  let at = isComma(words, and - 1) ? and - 2 : and - 1
  while (isName(words, at)) {
    found.unshift(at)
    const start = phraseStart(words, at)
    if (!isComma(words, start - 1)) return endsObject(wordAt(words, start - 1)) ? NOBODY : found
    at = start - 2
  }
  return found
}

/** What stands before names of objects, not of subjects. */
const endsObject = ({ tag, lower }: RelationWord): boolean =>
  tag === 'VERB' || (tag === 'ADP' && !BEGINS_CLAUSE.has(lower))
