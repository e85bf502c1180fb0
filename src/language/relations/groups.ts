import { type VerbForm, VERBS, BE, DOUBTS, NEGATIONS, NOT_DONE, UNDONE, UNSURE } from './lexicon.ts'
import { isName, lowerAt, owns, type RelationWord, type RelationWords, wordAt } from './words.ts'

/** A verb with its auxiliaries and adverbs: "has repeatedly refused to back". */
export interface VerbGroup {
  /** Indices of its first word and of its last verb. */
  readonly start: number
  readonly verb: number
  /** `reduced`: "fired by Ada" after its object; `bare`: "to meet" or "meeting" without a subject. */
  readonly form: 'finite' | 'gerund' | 'reduced' | 'bare'
  readonly passive: boolean
  /** `denied`: it was refused; `open`: it did not happen, or is not known. */
  readonly assertion: 'asserted' | 'denied' | 'open'
}

const AUXILIARY: ReadonlySet<string> = new Set(
  (
    'has have had having do does did is are was were be been being am will would could may might must should shall can ' +
    'cannot'
  ).split(' '),
)
const CONTRACTED = /n['’]t$/
const PAST = /(?:ed|wn|en)$/

const isAux = ({ lower, entity }: RelationWord): boolean =>
  entity === null && (AUXILIARY.has(lower) || CONTRACTED.test(lower))

const isGerund = ({ lower }: RelationWord): boolean => lower.endsWith('ing')

export function verbGroups(words: RelationWords): readonly VerbGroup[] {
  const groups: VerbGroup[] = []
  for (let i = 0; i < words.length;) {
    const group = groupAt(words, i)
    if (group !== null) groups.push(group)
    i = group === null ? i + 1 : group.verb + 1
  }
  return groups
}

function groupAt(words: RelationWords, start: number): VerbGroup | null {
  if (!isAux(wordAt(words, start)) && !isInfinitive(words, start) && !isVerb(words, start)) return null
  const verb = lastVerb(words, start)
  const passive = isPassive(words, start, verb)
  return { start, verb, form: formOf(words, start, verb), passive, assertion: assertionOf(words, start, verb) }
}

const isInfinitive = (words: RelationWords, at: number): boolean =>
  lowerAt(words, at) === 'to' && isBaseVerb(words, at + 1)

function isBaseVerb(words: RelationWords, at: number): boolean {
  const word = wordAt(words, at)
  if (word.entity !== null) return false
  if (word.tag === 'ADV') return isBaseVerb(words, at + 1)
  return word.tag === 'VERB' || isAux(word) || VERBS.get(word.lower)?.forms.has('base') === true
}

/** A word after one of these is not a verb: "the accused", "Ada's attack", "two strikes". */
const BEFORE_NOUN: ReadonlySet<string> = new Set(['DET', 'NUM', 'ADJ'])
const POSSESSIVE: ReadonlySet<string> = new Set(['his', 'her', 'its', 'their', 'our', 'my', 'your', 'whose'])
const POINTING: ReadonlySet<string> = new Set(['that', 'who', 'which', 'this', 'these', 'those', 'both', 'all', 'each'])

function isVerb(words: RelationWords, at: number): boolean {
  const { entity, time, tag } = wordAt(words, at)
  if (entity !== null || time || isOfNoun(words, at - 1)) return false
  return tag === 'VERB' || isVerbInContext(words, at)
}

function isOfNoun(words: RelationWords, at: number): boolean {
  const { tag, lower } = wordAt(words, at)
  return owns(words, at) || POSSESSIVE.has(lower) || (BEFORE_NOUN.has(tag) && !POINTING.has(lower))
}

/** A noun that may be a verb is one between a name and what it is done to: "Ada attacks Bo", "Ada backs the plan". */
function isVerbInContext(words: RelationWords, at: number): boolean {
  const form = VERBS.get(lowerAt(words, at))
  if (form === undefined) return false
  const before = wordAt(words, at - 1)
  const acts = isActor(words, at, form) || before.tag === 'AUX' || ACTS.has(before.lower)
  return acts && (isObject(words, at + 1) || takes(form, lowerAt(words, at + 1)))
}

const ACTS: ReadonlySet<string> = new Set(['who', 'to'])

/** "Acme host Ada" is Acme's host; "Acme and Bell fight over Ada" has a verb. */
const isActor = (words: RelationWords, at: number, { forms, senses }: VerbForm): boolean =>
  isName(words, at - 1) &&
  (forms.has('present') || (lowerAt(words, at - 2) === 'and' && senses.some(({ reciprocal }) => reciprocal)))

function isObject(words: RelationWords, at: number): boolean {
  const { entity, tag, lower } = wordAt(words, at)
  return entity !== null || tag === 'DET' || POSSESSIVE.has(lower)
}

/** `over`: what two fight about. */
const takes = ({ senses }: VerbForm, word: string): boolean =>
  senses.some(
    ({ particle, preps, reciprocal }) =>
      particle === word || (particle === null && preps.includes(word)) || (reciprocal && word === 'over'),
  )

/** Where the chain of verbs ends: "has refused to back" at "back". */
function lastVerb(words: RelationWords, start: number): number {
  let last = start
  for (let at = start + 1; at < words.length && !isName(words, at); at += 1) {
    if (isLink(words, at)) continue
    if (!goesOn(words, at, last)) break
    last = at
  }
  return last
}

/** Adverbs, negations and "to" may stand between two verbs of a chain. */
function isLink(words: RelationWords, at: number): boolean {
  const { tag, lower } = wordAt(words, at)
  return tag === 'ADV' || NEGATIONS.has(lower) || isInfinitive(words, at)
}

const HELPERS = /^(?:help|let|mak|dar|go|going)/

/** Whether the verb at a place goes on with that before it: after an auxiliary or "to" any, after another a gerund. */
function goesOn(words: RelationWords, at: number, last: number): boolean {
  const [word, before] = [wordAt(words, at), wordAt(words, last)]
  const linked = isAux(before) || words.slice(last, at).some(({ lower }) => lower === 'to')
  if (isAux(word)) return linked
  if (word.tag !== 'VERB' && !VERBS.has(word.lower)) return false
  return linked || isGerund(word) || (HELPERS.test(before.lower) && !PAST.test(word.lower))
}

function isPassive(words: RelationWords, start: number, verb: number): boolean {
  if (isGerund(wordAt(words, verb))) return false
  for (let at = verb - 1; at >= start; at -= 1) {
    const { lower, tag } = wordAt(words, at)
    if (BE.has(lower)) return true
    if (tag !== 'ADV' && !NEGATIONS.has(lower)) return false
  }
  return false
}

function formOf(words: RelationWords, start: number, verb: number): VerbGroup['form'] {
  const first = wordAt(words, start)
  if (first.lower === 'to') return 'bare'
  if (!isGerund(first)) return start === verb && isReduced(words, verb) ? 'reduced' : 'finite'
  return start === 0 || lowerAt(words, start - 1) === ',' ? 'gerund' : 'bare'
}

/** "Ada, fired by Bo": the name before it did not act. */
function isReduced(words: RelationWords, verb: number): boolean {
  const by = wordAt(words, verb + 1).tag === 'ADV' ? verb + 2 : verb + 1
  return !isAux(wordAt(words, verb)) && lowerAt(words, by) === 'by'
}

/** Maximum number of words before a verb at which a condition may begin. */
const FARTHEST_CONDITION = 12

function assertionOf(words: RelationWords, start: number, verb: number): VerbGroup['assertion'] {
  const inside = words.slice(adverbsBefore(words, start), verb).map(({ lower }) => lower)
  const undone = inside.some((word) => isNegation(word) || UNDONE.has(word) || UNSURE.has(word))
  if (undone || isDoubted(words, start)) return 'open'
  return inside.some((word) => NOT_DONE.has(word)) ? 'denied' : 'asserted'
}

/** Where the adverbs before a verb begin, and one word more: "not yet fully backed". */
function adverbsBefore(words: RelationWords, start: number): number {
  let at = start - 1
  while (wordAt(words, at).tag === 'ADV') at -= 1
  return Math.max(0, at)
}

const isNegation = (word: string): boolean => NEGATIONS.has(word) || CONTRACTED.test(word)

/** "If Ada attacked", "neither Ada nor Bo attacked", "denied that Ada attacked". */
function isDoubted(words: RelationWords, start: number): boolean {
  for (let at = start - 1; at >= Math.max(0, start - FARTHEST_CONDITION); at -= 1) {
    const lower = lowerAt(words, at)
    if (DOUBTS.has(lower)) return true
    if (lower === ',' || lower === ';') return false
  }
  return false
}
