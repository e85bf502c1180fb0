import { type VerbForm, VERBS, BE, DOUBTS, NEGATIONS, REFUSALS, UNDONE, UNSURE } from './lexicon.ts'
import { isName, lowerAt, isPossessive, type RelationWord, type RelationWords, wordAt } from './words.ts'

/** A verb with its auxiliaries and adverbs: "has repeatedly refused to back". */
export interface VerbGroup {
  /** Indices of its first word and of its last verb. */
  readonly start: number
  readonly verb: number
  /** `reduced`: "fired by Ada" after a noun; `bare`: "to meet" or "meeting" without a subject. */
  readonly form: 'finite' | 'gerund' | 'reduced' | 'bare'
  readonly passive: boolean
  /** `denied`: the action was refused; `open`: it did not happen or is uncertain. */
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
const PRONOUNS: ReadonlySet<string> = new Set(['that', 'who', 'which', 'this', 'these', 'those', 'both', 'all', 'each'])

function isVerb(words: RelationWords, at: number): boolean {
  const { entity, time, tag } = wordAt(words, at)
  if (entity !== null || time || precedesNoun(words, at - 1)) return false
  return tag === 'VERB' || isVerbInContext(words, at)
}

function precedesNoun(words: RelationWords, at: number): boolean {
  const { tag, lower } = wordAt(words, at)
  return isPossessive(words, at) || POSSESSIVE.has(lower) || (BEFORE_NOUN.has(tag) && !PRONOUNS.has(lower))
}

/** Whether a word that may be a noun is a verb, between an actor and an object: "Ada attacks Bo". */
function isVerbInContext(words: RelationWords, at: number): boolean {
  const form = VERBS.get(lowerAt(words, at))
  if (form === undefined) return false
  const before = wordAt(words, at - 1)
  const hasActor = isActor(words, at, form) || before.tag === 'AUX' || ACTS.has(before.lower)
  return hasActor && (isObject(words, at + 1) || takes(form, lowerAt(words, at + 1)))
}

const ACTS: ReadonlySet<string> = new Set(['who', 'to'])

/** Whether a name before the word acts: in "Acme and Bell fight over Ada", but not in "Acme host Ada". */
const isActor = (words: RelationWords, at: number, { forms, senses }: VerbForm): boolean =>
  isName(words, at - 1) &&
  (forms.has('present') || (lowerAt(words, at - 2) === 'and' && senses.some(({ reciprocal }) => reciprocal)))

function isObject(words: RelationWords, at: number): boolean {
  const { entity, tag, lower } = wordAt(words, at)
  return entity !== null || tag === 'DET' || POSSESSIVE.has(lower)
}

/** Whether the verb can be followed by this word; a reciprocal verb by "over" and the subject of a dispute. */
const takes = ({ senses }: VerbForm, word: string): boolean =>
  senses.some(
    ({ particle, preps, reciprocal }) =>
      particle === word || (particle === null && preps.includes(word)) || (reciprocal && word === 'over'),
  )

/** Index of the last verb of a chain: "back" in "has refused to back". */
function lastVerb(words: RelationWords, start: number): number {
  let last = start
  for (let at = start + 1; at < words.length && !isName(words, at); at += 1) {
    if (isLink(words, at)) continue
    if (!continuesChain(words, at, last)) break
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

/** Whether a verb continues a chain: any verb after an auxiliary or "to", a gerund, or a verb after `HELPERS`. */
function continuesChain(words: RelationWords, at: number, last: number): boolean {
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

/** Whether the name before the verb is not the actor: "Ada, fired by Bo". */
function isReduced(words: RelationWords, verb: number): boolean {
  const by = wordAt(words, verb + 1).tag === 'ADV' ? verb + 2 : verb + 1
  return !isAux(wordAt(words, verb)) && lowerAt(words, by) === 'by'
}

/** Maximum number of words before a verb at which a condition may begin. */
const FARTHEST_CONDITION = 12

function assertionOf(words: RelationWords, start: number, verb: number): VerbGroup['assertion'] {
  const inside = words.slice(beforeAdverbs(words, start), verb).map(({ lower }) => lower)
  const undone = inside.some((word) => isNegation(word) || UNDONE.has(word) || UNSURE.has(word))
  if (undone || isDoubted(words, start)) return 'open'
  return inside.some((word) => REFUSALS.has(word)) ? 'denied' : 'asserted'
}

/** Index of the word before the adverbs that precede a verb: "not" in "not yet fully backed". */
function beforeAdverbs(words: RelationWords, start: number): number {
  let at = start - 1
  while (wordAt(words, at).tag === 'ADV') at -= 1
  return Math.max(0, at)
}

const isNegation = (word: string): boolean => NEGATIONS.has(word) || CONTRACTED.test(word)

/** Whether a word before the verb makes it uncertain: "if Ada attacked", "denied that Ada attacked". */
function isDoubted(words: RelationWords, start: number): boolean {
  for (let at = start - 1; at >= Math.max(0, start - FARTHEST_CONDITION); at -= 1) {
    const lower = lowerAt(words, at)
    if (DOUBTS.has(lower)) return true
    if (lower === ',' || lower === ';') return false
  }
  return false
}
