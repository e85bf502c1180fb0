import type { VerbGroup } from './groups.ts'
import { BEGINS_CLAUSE, HYPOTHETIC, OFFICES, PROXIES } from './lexicon.ts'
import { CONJUNCTIONS, headOf, isComma, isWithin } from './phrases.ts'
import { type Parties, isName, lowerAt, owns, type RelationWord, type RelationWords, wordAt } from './words.ts'

const NOBODY: Parties = []
const CARRIES_ON: ReadonlySet<string> = new Set(['and', 'but', 'or', 'then', 'also'])
const RELATIVES: ReadonlySet<string> = new Set(['who', 'which', 'that'])
/** "Ada of Acme" is Ada. */
const OF_PLACE: ReadonlySet<string> = new Set(['of', 'from', 'in'])

/** The subjects of each group, in the order of the groups. */
export function subjectsOf(words: RelationWords, groups: readonly VerbGroup[]): readonly Parties[] {
  const found: Parties[] = []
  groups.forEach((group, i) => {
    const before = groups.slice(0, i).findLastIndex(({ form }) => form === 'finite')
    found.push(group.form === 'bare' ? NOBODY : subjectOf(words, group, found[before] ?? null))
  })
  return found
}

/** `before` are the subjects of the sentence's finite verb before this one; null: there is none. */
function subjectOf(words: RelationWords, { start, form }: VerbGroup, before: Parties | null): Parties {
  const at = backOverTimes(words, start - 1)
  if (isComma(words, at)) return beforeComma(words, at, { form, before })
  if (RELATIVES.has(lowerAt(words, at))) return namesEndingAt(words, isComma(words, at - 1) ? at - 2 : at - 1)
  if (!CARRIES_ON.has(lowerAt(words, at))) return namesEndingAt(words, at)
  return isComma(words, at - 1) || before === null ? NOBODY : before
}

interface PartiesBefore {
  readonly form: VerbGroup['form']
  readonly before: Parties | null
}

function beforeComma(words: RelationWords, at: number, { form, before }: PartiesBefore): Parties {
  if (form === 'finite') return beforeInsertion(words, at)
  return form === 'gerund' && before !== null ? before : namesEndingAt(words, at - 1)
}

/** Past "on Monday" and adverbs. */
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
