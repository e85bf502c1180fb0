import type { VerbGroup } from './groups.ts'
import {
  type VerbForm,
  VERBS,
  type VerbSense,
  LIGHT_VERBS,
  MADE_OF,
  NEGATIONS,
  type NounSense,
  NOUNS,
  ROLES,
} from './lexicon.ts'
import { type Clause, isComma, namesBeginningAt, namesJoinedAt, PRONOUNS } from './parties.ts'
import { type Parties, type WordRelation, isName, lowerAt, type RelationWords, wordAt, isPossessive } from './words.ts'

/** Maximum number of words between a verb and the "by" of its agent. */
const FARTHEST_BY = 8

/** Relations that a verb asserts between its subject and its object, or between several subjects: "Ada and Bo met". */
export function relationsByVerb(words: RelationWords, clause: Clause): readonly WordRelation[] {
  const form = VERBS.get(lowerAt(words, clause.verb))
  if (form === undefined || clause.assertion === 'open' || isSubjunctive(words, clause, form)) return []
  const senses = form.senses.filter(({ type }) => type !== 'causal')
  const relations = senses.flatMap((sense) => relationsBySense(words, clause, sense))
  if (clause.assertion === 'denied') return refused(relations)
  return relations.length > 0 ? relations : relationsOfSubjects(words, clause, form)
}

/** Whether the verb only states a wish: "demanded that Ada defend Bo", but not the plural of "the Hawks defend Bo". */
function isSubjunctive(words: RelationWords, { start, verb, form, subjects }: Clause, { forms }: VerbForm): boolean {
  const [subject] = subjects
  if (form !== 'finite' || start !== verb || subject === undefined || subjects.length > 1) return false
  return forms.has('base') && !forms.has('past') && !wordAt(words, subject).text.endsWith('s')
}

/** Refusing to support is adversarial; refusing to attack asserts nothing. */
const refused = (relations: readonly WordRelation[]): readonly WordRelation[] =>
  relations
    .filter(({ type, weak }) => type === 'collaborative' && !weak)
    .map((one) => ({ ...one, type: 'adversarial' }))

function relationsBySense(words: RelationWords, clause: Clause, sense: VerbSense): readonly WordRelation[] {
  const { verb, subjects } = clause
  const from = afterVerb(words, verb, sense)
  if (from === null) return []
  const { type, weak } = sense
  const pair = (source: number, target: number): WordRelation => ({ source, target, type, by: verb, weak })
  if (isAgentLast(clause)) {
    return agents(words, from, sense).flatMap((agent) => subjects.map((patient) => pair(agent, patient)))
  }
  const objects = namesBeginningAt(words, from, sense)
  return subjects.flatMap((subject) => objects.map((object) => pair(subject, object)))
}

/** Whether the agent follows the verb: "Ada was fired by Bo", "Ada, fired by Bo". */
const isAgentLast = ({ passive, form }: VerbGroup): boolean => passive || form === 'reduced'

/** Start of a verb's object, after its particle and preposition; `null` if the verb is used in another sense. */
function afterVerb(words: RelationWords, verb: number, { particle, preps }: VerbSense): number | null {
  if (particle !== null && lowerAt(words, verb + 1) !== particle) return null
  let at = particle === null ? verb + 1 : verb + 2
  while (wordAt(words, at).tag === 'ADV') at += 1
  if (preps.length === 0) return at
  return preps.includes(lowerAt(words, at)) ? at + 1 : null
}

function agents(words: RelationWords, from: number, sense: VerbSense): Parties {
  for (let at = from; at < from + FARTHEST_BY && !isComma(words, at) && !isName(words, at); at += 1) {
    if (lowerAt(words, at) === 'by') return namesBeginningAt(words, at + 1, sense)
  }
  return []
}

/** Relations between the subjects: "Ada and Bo met in Oslo". */
function relationsOfSubjects(words: RelationWords, clause: Clause, { senses }: VerbForm): readonly WordRelation[] {
  const { verb, subjects } = clause
  if (subjects.length < 2 || isAgentLast(clause)) return []
  const sense = senses.find((one) => isMutual(words, verb, one))
  return sense === undefined ? [] : pairs(subjects, { type: sense.type, weak: sense.weak, by: verb })
}

const FOLLOWS: ReadonlySet<string> = new Set(['ADP', 'ADV', 'PUNCT', 'PART', 'CCONJ', 'X'])

/** Whether no other party follows: only a place, a time, a topic or the end of the sentence. */
function isMutual(words: RelationWords, verb: number, { reciprocal, particle, preps }: VerbSense): boolean {
  if (!reciprocal || (particle !== null && lowerAt(words, verb + 1) !== particle)) return false
  const at = particle === null ? verb + 1 : verb + 2
  const { lower, tag, entity } = wordAt(words, at)
  return entity === null && lower !== 'with' && !preps.includes(lower) && FOLLOWS.has(tag)
}

/** All pairs of the given items, in sentence order. */
const pairs = (parties: Parties, relations: Pick<WordRelation, 'type' | 'weak' | 'by'>): readonly WordRelation[] =>
  parties.flatMap((source, i) => parties.slice(i + 1).map((target) => ({ source, target, ...relations })))

/** Maximum number of words between a verb and its noun object, or between an owner and the noun. */
const FARTHEST_NOUN = 5

/** "The war between Ada and Bo", "the alliance of Ada and Bo", "Ada's attack on Bo", "Bo's rival Ada". */
export function relationsByNouns(words: RelationWords): readonly WordRelation[] {
  return words.flatMap(({ entity, lower }, at) => {
    if (entity !== null) return []
    const sense = NOUNS.get(lower)
    const role = ROLES.get(lower)
    if (sense !== undefined) return [...between(words, at, sense), ...byOwner(words, at, sense)]
    return role === undefined ? [] : inRole(words, at, role)
  })
}

/** "Ada signed a pact with Bo", "Ada and Bo signed a pact", "Ada is at war with Bo". */
export function relationsByObject(words: RelationWords, clause: Clause): readonly WordRelation[] {
  const { assertion, passive, verb, subjects } = clause
  if (assertion !== 'asserted' || passive || !LIGHT_VERBS.has(lowerAt(words, verb))) return []
  const noun = objectNoun(words, verb)
  const sense = NOUNS.get(lowerAt(words, noun))
  if (sense === undefined) return []
  const { type, weak, mutual, preps } = sense
  const relations = { type, weak, by: noun }
  const others = partiesAfter(words, noun, sense)
  if (others.length > 0) return subjects.flatMap((source) => others.map((target) => ({ source, target, ...relations })))
  return mutual && !preps.has(lowerAt(words, noun + 1)) ? pairs(subjects, relations) : []
}

const OBJECT_TAGS: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NOUN', 'NUM', 'ADV'])
const OBJECT_PREPOSITIONS: ReadonlySet<string> = new Set(['at', 'in', 'into'])

/** Index of the noun of `NOUNS` that ends a verb's object or follows "at" or "in"; -1 if there is none. */
function objectNoun(words: RelationWords, verb: number): number {
  const from = OBJECT_PREPOSITIONS.has(lowerAt(words, verb + 1)) ? verb + 2 : verb + 1
  for (let at = from; at < from + FARTHEST_NOUN && isOfObject(words, at); at += 1) {
    if (NOUNS.has(lowerAt(words, at)) && !NOUNS.has(lowerAt(words, at + 1))) return at
  }
  return -1
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

function byOwner(words: RelationWords, at: number, sense: NounSense): readonly WordRelation[] {
  const source = ownerBefore(words, at)
  if (source === null) return []
  const relations = { type: sense.type, weak: sense.weak, by: at }
  return partiesAfter(words, at, sense).map((target) => ({ source, target, ...relations }))
}

/** Whether a word may be between a noun and its owner or holder: "sharp" in "Ada's sharp attack". */
function isBetween(words: RelationWords, at: number): boolean {
  const { entity, lower, tag } = wordAt(words, at)
  return entity === null && !isPossessive(words, at) && !NEGATIONS.has(lower) && OBJECT_TAGS.has(tag)
}

/** Index of the nearest word before a noun that may not be between it and its owner or holder. */
function wordBefore(words: RelationWords, noun: number): number {
  let at = noun - 1
  while (noun - at < FARTHEST_NOUN && isBetween(words, at)) at -= 1
  return at
}

/** Ada in "Ada's sharp attack". */
function ownerBefore(words: RelationWords, noun: number): number | null {
  const at = wordBefore(words, noun)
  return isPossessive(words, at) && isName(words, at - 1) ? at - 1 : null
}

const IS: ReadonlySet<string> = new Set([',', 'is', 'was', 'remains', 'remained', 'became', 'becomes'])

/** Ada in "Ada, a close ally of Bo" and "Ada is a close ally of Bo". */
function holderBefore(words: RelationWords, role: number): number | null {
  const at = wordBefore(words, role)
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

/** Maximum number of words of a subject or object that are examined. */
const FARTHEST_CAUSE = 12
const ENDS: ReadonlySet<string> = new Set(', ; : . " “ ” — – ( ) that which who while'.split(' '))

/**
 * Causal relations: "Ada's ban forced Bo to leave", "the fall of Ada led to losses at Bo", "Ada quit, prompting Bo to
 * follow". None if a subject names several parties, because the cause is then uncertain.
 */
export function relationsByCause(words: RelationWords, clause: Clause): readonly WordRelation[] {
  const senses = clause.assertion === 'asserted' ? (VERBS.get(lowerAt(words, clause.verb))?.senses ?? []) : []
  const partiesInOrder = isAgentLast(clause) ? causeByPassive : causeByActive
  return senses.flatMap((sense) => (sense.type === 'causal' ? partiesInOrder(words, clause, sense) : []))
}

function causeByActive(
  words: RelationWords,
  { form, start, verb, subjects }: Clause,
  sense: VerbSense,
): readonly WordRelation[] {
  if (form === 'bare') return []
  const source = onlyParty(subjects) ?? (form === 'gerund' ? null : onlyBefore(words, start))
  return causal(source, affected(words, verb, sense), verb)
}

/** "The crisis was triggered by Ada", "Bo was forced by Ada to leave"; "Bo was forced to leave by Ada" is rare. */
function causeByPassive(
  words: RelationWords,
  { verb, subjects }: Clause,
  { needsTo, preps }: VerbSense,
): readonly WordRelation[] {
  const by = [verb + 1, verb + 2].find((at) => lowerAt(words, at) === 'by')
  if (by === undefined || preps.length > 0) return []
  if (needsTo && !words.slice(by, by + FARTHEST_CAUSE).some(({ lower }) => lower === 'to')) return []
  return causal(onlyAfter(words, by + 1), onlyParty(subjects), verb)
}

const causal = (source: number | null, target: number | null, by: number): readonly WordRelation[] =>
  source === null || target === null ? [] : [{ source, target, type: 'causal', by, weak: false }]

const onlyParty = (parties: Parties): number | null => (parties.length === 1 ? (parties[0] ?? null) : null)

const BECAUSE: ReadonlySet<string> = new Set(['because of', 'due to', 'thanks to'])

/** "Ada shut the plant because of Bo". */
export function relationsByBecause(words: RelationWords, clause: Clause): readonly WordRelation[] {
  const target = onlyParty(clause.subjects)
  if (target === null || clause.assertion !== 'asserted') return []
  for (let at = clause.verb + 1; at < words.length && !ENDS.has(lowerAt(words, at)); at += 1) {
    if (!BECAUSE.has(`${lowerAt(words, at)} ${lowerAt(words, at + 1)}`)) continue
    return isName(words, at + 2) && !continuesList(words, at + 3) ? causal(at + 2, target, at) : []
  }
  return []
}

/** Whether other causes follow: "because of Ada, money and fame". */
const continuesList = (words: RelationWords, at: number): boolean =>
  lowerAt(words, at) === ',' || lowerAt(words, at) === 'and'

/** The only name in the subject before a verb; `null` if there are several or the subject is too long. */
function onlyBefore(words: RelationWords, end: number): number | null {
  const found: number[] = []
  for (let at = end - 1; at >= 0 && !endsClause(words, at); at -= 1) {
    if (end - at > FARTHEST_CAUSE) return null
    if (isName(words, at) && !isAfterPreposition(words, at)) found.push(at)
  }
  return onlyParty(found)
}

const ACTOR_PREPOSITIONS: ReadonlySet<string> = new Set(['of', 'by', 'from'])

/** Whether a preposition shows that the name does not act: "ambitions in Ada", "ties to the Ada campaign". */
function isAfterPreposition(words: RelationWords, name: number): boolean {
  const before = wordAt(words, wordAt(words, name - 1).tag === 'DET' ? name - 2 : name - 1)
  return (before.tag === 'ADP' || before.lower === 'to') && !ACTOR_PREPOSITIONS.has(before.lower)
}

/** Whether the word ends the clause: punctuation, or a verb other than in "tariffs imposed by Ada". */
function endsClause(words: RelationWords, at: number): boolean {
  const { entity, lower, tag } = wordAt(words, at)
  if (entity !== null) return false
  return ENDS.has(lower) || tag === 'AUX' || (tag === 'VERB' && lowerAt(words, at + 1) !== 'by')
}

function onlyAfter(words: RelationWords, from: number): number | null {
  const found: number[] = []
  for (let at = from; at < Math.min(words.length, from + FARTHEST_CAUSE) && !endsClause(words, at); at += 1) {
    if (isName(words, at)) found.push(at)
  }
  return onlyParty(found)
}

/** The party that a cause affects: the one made to act, or the owner of what changes. */
function affected(words: RelationWords, verb: number, { needsTo, preps }: VerbSense): number | null {
  if (preps.length > 0) return preps.includes(lowerAt(words, verb + 1)) ? onlyAfter(words, verb + 2) : null
  if (!needsTo) return onlyAfter(words, verb + 1)
  const to = words.slice(verb + 1, verb + 1 + FARTHEST_CAUSE).findIndex(({ lower }) => lower === 'to')
  const end = verb + to
  const clause = words.slice(verb + 1, end)
  return to > 0 && isName(words, end) && !clause.some((_, i) => endsClause(words, verb + 1 + i)) ? end : null
}
