import type { VerbGroup } from './groups.ts'
import { BEGINS_CLAUSE, HYPOTHETIC, OFFICES, PROXIES, type VerbSense } from './lexicon.ts'
import { type Parties, isName, lowerAt, isPossessive, type RelationWords, wordAt, type RelationWord } from './words.ts'

const NONE: Parties = []
const NOUN_TAGS: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NOUN', 'NUM', 'PROPN'])
const CONJUNCTIONS: ReadonlySet<string> = new Set(['and', '&'])
/** Possessive pronouns: "his counterpart". */
export const PRONOUNS: ReadonlySet<string> = new Set(['his', 'her', 'its', 'their', 'our', 'my', 'your'])

/** Whether a word may be part of a noun phrase. */
function isWithin(words: RelationWords, at: number): boolean {
  const { entity, tag, time, lower } = wordAt(words, at)
  return !time && (entity !== null || NOUN_TAGS.has(tag) || isPossessive(words, at) || PRONOUNS.has(lower))
}

export const isComma = (words: RelationWords, at: number): boolean => lowerAt(words, at) === ','

/** Index of the name that a noun phrase refers to: its last word, or "Ada" in "the Ada administration". */
function headOf(words: RelationWords, end: number): number | null {
  if (isName(words, end)) return end
  if (!PROXIES.has(lowerAt(words, end))) return null
  for (let at = end - 1; at >= 0 && isWithin(words, at); at -= 1) if (isName(words, at)) return at
  return null
}

/** The names that a noun phrase and those joined to it refer to, given its start. */
export function namesBeginningAt(
  words: RelationWords,
  from: number,
  { evaluative }: Pick<VerbSense, 'evaluative'>,
): Parties {
  const end = phraseEnd(words, from)
  const head = headOf(words, end - 1) ?? (evaluative ? owner(words, from, end - 1) : null)
  if (head === null || head < from) return end === from ? NONE : nameAfterNoun(words, end)
  return isName(words, end - 1) ? [head, ...joinedAfter(words, end)] : [head]
}

/** The names of "between Ada and Bo", whatever follows. */
export function namesJoinedAt(words: RelationWords, from: number): Parties {
  const end = phraseEnd(words, from)
  const head = headOf(words, end - 1)
  return head === null || head < from ? NONE : [head, ...chainAfter(words, end)]
}

const MAX_PHRASE = 9

/** End (exclusive) of the noun phrase that begins at an index: "Ada worth millions" ends after Ada. */
function phraseEnd(words: RelationWords, from: number): number {
  let end = from
  while (end < words.length && end - from < MAX_PHRASE && isWithin(words, end) && !isNextPhrase(words, end)) end += 1
  return end
}

/** Whether another phrase begins here: "the" in "helped draft the law". */
const isNextPhrase = (words: RelationWords, at: number): boolean =>
  isName(words, at - 1)
    ? endsAtName(words, at)
    : wordAt(words, at).tag === 'DET' && wordAt(words, at - 1).tag === 'NOUN'

/** Whether a phrase ends with the name before this word: only a noun continues it, not the verb in "Ada shapes it". */
function endsAtName(words: RelationWords, at: number): boolean {
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

/** The owner: Ada in "Ada's plan" and "the Ada administration's plan". */
function owner(words: RelationWords, from: number, last: number): number | null {
  for (let at = last - 1; at > from; at -= 1) if (isPossessive(words, at)) return headOf(words, at - 1)
  return null
}

/** The name after a noun that ends before `end`: "his counterpart, Ada", "the government of Peru". */
function nameAfterNoun(words: RelationWords, end: number): Parties {
  const noun = lowerAt(words, end - 1)
  const isNamed = isComma(words, end) ? OFFICES.has(noun) : lowerAt(words, end) === 'of' && PROXIES.has(noun)
  return isNamed && isName(words, end + 1) ? [end + 1] : NONE
}

/** Bo and Cy in "Ada, Bo and Cy"; empty if another clause begins. */
function joinedAfter(words: RelationWords, from: number): Parties {
  const found = chainAfter(words, from)
  const next = (found.at(-1) ?? -2) + 1
  return VERB_TAGS.has(wordAt(words, next).tag) || isPossessive(words, next) ? NONE : found
}

const VERB_TAGS: ReadonlySet<string> = new Set(['VERB', 'AUX'])

/** Names after commas and a last one after "and". */
function chainAfter(words: RelationWords, from: number): Parties {
  const found: number[] = []
  let at = from
  while (isComma(words, at) && isName(words, at + 1)) {
    found.push(at + 1)
    at += 2
  }
  if (isComma(words, at)) at += 1
  if (!CONJUNCTIONS.has(lowerAt(words, at))) return NONE
  const last = headOf(words, phraseEnd(words, at + 1) - 1)
  return last === null || last <= at ? NONE : [...found, last]
}

const CONNECTIVES: ReadonlySet<string> = new Set(['and', 'but', 'or', 'then', 'also'])
const RELATIVES: ReadonlySet<string> = new Set(['who', 'which', 'that'])
/** Prepositions that attach a noun phrase to the name before: "Ada of Acme". */
const ATTACHING: ReadonlySet<string> = new Set(['of', 'from', 'in'])

export interface Clause extends VerbGroup {
  readonly subjects: Parties
}

/** The verb groups with their subjects, in the same order. */
export function clausesOf(words: RelationWords, groups: readonly VerbGroup[]): readonly Clause[] {
  const found: Clause[] = []
  for (const group of groups) {
    const before = found.findLast(({ form }) => form === 'finite')?.subjects ?? null
    found.push({ ...group, subjects: group.form === 'bare' ? NONE : subjectOf(words, group, before) })
  }
  return found
}

/** `before`: the subjects of the previous finite verb in the sentence; `null` if there is none. */
function subjectOf(words: RelationWords, { start, form }: VerbGroup, before: Parties | null): Parties {
  const at = beforeTimes(words, start - 1)
  if (isComma(words, at)) return beforeComma(words, at, { form, before })
  if (RELATIVES.has(lowerAt(words, at))) return namesEndingAt(words, isComma(words, at - 1) ? at - 2 : at - 1)
  if (!CONNECTIVES.has(lowerAt(words, at))) return namesEndingAt(words, at)
  return isComma(words, at - 1) || before === null ? NONE : before
}

function beforeComma(
  words: RelationWords,
  at: number,
  { form, before }: { readonly form: VerbGroup['form']; readonly before: Parties | null },
): Parties {
  if (form === 'finite') return beforeInsertion(words, at)
  return form === 'gerund' && before !== null ? before : namesEndingAt(words, at - 1)
}

/** Index of the last word before times such as "on Monday" and adverbs. */
function beforeTimes(words: RelationWords, from: number): number {
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
    if (at === closing - 2 && isName(words, at + 1)) return OFFICES.has(lowerAt(words, at - 1)) ? [at + 1] : NONE
    if (isInsertion(words, at + 1)) return namesEndingAt(words, at - 1)
  }
  return NONE
}

const INSERTED: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NOUN', 'VERB', 'NUM'])

function isInsertion(words: RelationWords, at: number): boolean {
  const { entity, lower, tag } = wordAt(words, at)
  if (entity !== null) return isPossessive(words, at + 1) || wordAt(words, at + 1).tag === 'NOUN'
  return RELATIVES.has(lower) || lower === 'whose' || INSERTED.has(tag)
}

/** The names that a noun phrase and those joined to it refer to, given its last word. */
function namesEndingAt(words: RelationWords, end: number): Parties {
  const closing = lowerAt(words, end) === ')' ? openingOf(words, end) - 1 : end
  const head = headOf(words, closing)
  return head === null ? NONE : inContext(words, phraseStart(words, closing), head)
}

/** The subjects, depending on the word before the noun phrase. */
function inContext(words: RelationWords, start: number, head: number): Parties {
  const { lower, tag } = wordAt(words, start - 1)
  if (HYPOTHETIC.has(lower)) return NONE
  if (BEGINS_CLAUSE.has(lower)) return [head]
  if (tag === 'ADP' || lower === 'to') return ATTACHING.has(lower) ? afterPreposition(words, start - 2, head) : NONE
  return CONJUNCTIONS.has(lower) ? [...joinedBefore(words, start - 1), head] : [head]
}

/** Ada in "Ada of Acme", Peru in "the government of Peru"; no party in "people in Peru". */
function afterPreposition(words: RelationWords, end: number, head: number): Parties {
  if (isName(words, end)) return namesEndingAt(words, end)
  return PROXIES.has(lowerAt(words, end)) ? [head] : NONE
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

/** Ada and Bo in "Ada, Bo and Cy"; empty if "and" begins another clause. */
function joinedBefore(words: RelationWords, and: number): Parties {
  const found: number[] = []
  let at = isComma(words, and - 1) ? and - 2 : and - 1
  while (isName(words, at)) {
    found.unshift(at)
    const start = phraseStart(words, at)
    if (!isComma(words, start - 1)) return precedesObject(wordAt(words, start - 1)) ? NONE : found
    at = start - 2
  }
  return found
}

/** Whether names after this word are objects, not subjects. */
const precedesObject = ({ tag, lower }: RelationWord): boolean =>
  tag === 'VERB' || (tag === 'ADP' && !BEGINS_CLAUSE.has(lower))
