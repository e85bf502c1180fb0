import type { VerbGroup } from './groups.ts'
import { LIGHT_VERBS, MADE_OF, NEGATIONS, type NounSense, NOUNS, ROLES } from './lexicon.ts'
import { namesBeginningAt, namesJoinedAt, PRONOUNS } from './phrases.ts'
import { type Parties, type WordRelation, isName, lowerAt, owns, type RelationWords, wordAt } from './words.ts'
import { pairs } from './relations-by-verbs.ts'

/** RelationWords between a verb and the noun that is its object, or an owner and what is theirs. */
const FARTHEST = 5

/** "The war between Ada and Bo", "the alliance of Ada and Bo", "Ada's attack on Bo", "Bo's rival Ada". */
export function relationsByNouns(words: RelationWords): readonly WordRelation[] {
  return words.flatMap(({ entity, lower }, at) => {
    if (entity !== null) return []
    const sense = NOUNS.get(lower)
    const role = ROLES.get(lower)
    if (sense !== undefined) return [...between(words, at, sense), ...owned(words, at, sense)]
    return role === undefined ? [] : inRole(words, at, role)
  })
}

/** "Ada signed a pact with Bo", "Ada and Bo signed a pact", "Ada is at war with Bo". */
export function relationsByObject(words: RelationWords, group: VerbGroup, subjects: Parties): readonly WordRelation[] {
  if (group.assertion !== 'asserted' || group.passive || !LIGHT_VERBS.has(lowerAt(words, group.verb))) return []
  const at = objectNoun(words, group.verb)
  const sense = at === null ? undefined : NOUNS.get(lowerAt(words, at))
  return at === null || sense === undefined ? [] : relationsByNoun(words, at, { sense, subjects })
}

interface NounMatch {
  readonly sense: NounSense
  readonly subjects: Parties
}

function relationsByNoun(words: RelationWords, noun: number, { sense, subjects }: NounMatch): readonly WordRelation[] {
  const { type, weak, mutual, preps } = sense
  const relations = { type, weak, by: noun }
  const others = partiesAfter(words, noun, sense)
  if (others.length > 0) return subjects.flatMap((source) => others.map((target) => ({ source, target, ...relations })))
  return mutual && !preps.has(lowerAt(words, noun + 1)) ? pairs(subjects, relations) : []
}

const OBJECT_TAGS: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NOUN', 'NUM', 'ADV'])
const LEADS_IN: ReadonlySet<string> = new Set(['at', 'in', 'into'])

/** The noun of ours that a verb's object ends with, or that follows "at" or "in". */
function objectNoun(words: RelationWords, verb: number): number | null {
  const from = LEADS_IN.has(lowerAt(words, verb + 1)) ? verb + 2 : verb + 1
  for (let at = from; at < from + FARTHEST && isOfObject(words, at); at += 1) {
    if (NOUNS.has(lowerAt(words, at)) && !NOUNS.has(lowerAt(words, at + 1))) return at
  }
  return null
}

function isOfObject(words: RelationWords, at: number): boolean {
  const { entity, lower, tag } = wordAt(words, at)
  if (entity !== null || NEGATIONS.has(lower)) return false
  return OBJECT_TAGS.has(tag) || tag === 'VERB' || PRONOUNS.has(lower) || NOUNS.has(lower)
}

function partiesAfter(words: RelationWords, noun: number, { preps }: NounSense): Parties {
  return preps.has(lowerAt(words, noun + 1)) ? namesBeginningAt(words, noun + 2, { evaluative: false }) : []
}

function between(words: RelationWords, at: number, { type, mutual, weak }: NounSense): readonly WordRelation[] {
  const prep = lowerAt(words, at + 1)
  const isMade = prep === 'of' && MADE_OF.has(lowerAt(words, at))
  return mutual && (prep === 'between' || isMade) ? pairs(namesJoinedAt(words, at + 2), { type, weak, by: at }) : []
}

function owned(words: RelationWords, at: number, sense: NounSense): readonly WordRelation[] {
  const source = ownerBefore(words, at)
  if (source === null) return []
  const relations = { type: sense.type, weak: sense.weak, by: at }
  return partiesAfter(words, at, sense).map((target) => ({ source, target, ...relations }))
}

/** Whether the word at a place goes between a noun and its owner or holder: "sharp" of "Ada's sharp attack". */
function isBetween(words: RelationWords, at: number): boolean {
  const { entity, lower, tag } = wordAt(words, at)
  return entity === null && !owns(words, at) && !NEGATIONS.has(lower) && OBJECT_TAGS.has(tag)
}

/** Ada, of "Ada's sharp attack". */
function ownerBefore(words: RelationWords, noun: number): number | null {
  let at = noun - 1
  while (noun - at < FARTHEST && isBetween(words, at)) at -= 1
  return owns(words, at) && isName(words, at - 1) ? at - 1 : null
}

const IS: ReadonlySet<string> = new Set([',', 'is', 'was', 'remains', 'remained', 'became', 'becomes'])

/** Ada, of "Ada, a close ally of Bo" and "Ada is a close ally of Bo". */
function holderBefore(words: RelationWords, role: number): number | null {
  let at = role - 1
  while (role - at < FARTHEST && isBetween(words, at)) at -= 1
  return IS.has(lowerAt(words, at)) && isName(words, at - 1) ? at - 1 : null
}

/** "Ada, a close ally of Bo", "Ada is a critic of Bo", "Bo's rival Ada", "the Bo ally Ada". */
function inRole(words: RelationWords, role: number, type: WordRelation['type']): readonly WordRelation[] {
  const relations = { type, weak: false, by: role }
  const holder = lowerAt(words, role + 1) === 'of' ? holderBefore(words, role) : null
  if (holder !== null) {
    const targets = namesBeginningAt(words, role + 2, { evaluative: false })
    return targets.map((target) => ({ source: holder, target, ...relations }))
  }
  const target = isName(words, role - 1) ? role - 1 : ownerBefore(words, role)
  const source = lowerAt(words, role + 1) === ',' ? role + 2 : role + 1
  return target !== null && isName(words, source) ? [{ source, target, ...relations }] : []
}
