import type { VerbGroup } from './groups.ts'
import { type VerbForm, VERBS, type VerbSense } from './lexicon.ts'
import { isComma, namesBeginningAt } from './phrases.ts'
import { type Parties, type WordRelation, isName, lowerAt, type RelationWords, wordAt } from './words.ts'

/** RelationWords between a verb and the "by" of who did it. */
const FARTHEST_BY = 8

/** Relations that a verb asserts between its subject and its object, or between subjects: "Ada and Bo met". */
export function relationsByVerb(words: RelationWords, group: VerbGroup, subjects: Parties): readonly WordRelation[] {
  const form = VERBS.get(lowerAt(words, group.verb))
  if (form === undefined || group.assertion === 'open' || isWished(words, group, { form, subjects })) return []
  const senses = form.senses.filter(({ type }) => type !== 'causal')
  const relations = senses.flatMap((sense) => relationsBySense(words, { group, subjects, sense }))
  if (group.assertion === 'denied') return refused(relations)
  return relations.length > 0 ? relations : togetherBy(words, group, { form, subjects })
}

interface VerbUse {
  readonly form: VerbForm
  readonly subjects: Parties
}

/** "Demanded that Ada defend Bo": she has not. */
function isWished(
  words: RelationWords,
  { start, verb, form: kind }: VerbGroup,
  { form: { forms }, subjects }: VerbUse,
): boolean {
  const [subject] = subjects
  if (kind !== 'finite' || start !== verb || subject === undefined || subjects.length > 1) return false
  return forms.has('base') && !forms.has('past') && lowerAt(words, verb) === baseOf(words, verb, subject)
}

/** The verb as it stands, unless its subject is of many: "the Hawks defend". */
const baseOf = (words: RelationWords, verb: number, subject: number): string =>
  wordAt(words, subject).text.endsWith('s') ? '' : lowerAt(words, verb)

/** Who would not back somebody is against; who would not attack says nothing. */
const refused = (relations: readonly WordRelation[]): readonly WordRelation[] =>
  relations
    .filter(({ type, weak }) => type === 'collaborative' && !weak)
    .map((one) => ({ ...one, type: 'adversarial' }))

interface VerbMatch {
  readonly group: VerbGroup
  readonly subjects: Parties
  readonly sense: VerbSense
}

function relationsBySense(words: RelationWords, { group, subjects, sense }: VerbMatch): readonly WordRelation[] {
  const from = afterVerb(words, group.verb, sense)
  if (from === null) return []
  const { type, weak } = sense
  const pair = (source: number, target: number): WordRelation => ({ source, target, type, by: group.verb, weak })
  if (group.passive || group.form === 'reduced') {
    return agents(words, from, sense).flatMap((agent) => subjects.map((patient) => pair(agent, patient)))
  }
  const objects = namesBeginningAt(words, from, sense)
  return subjects.flatMap((subject) => objects.map((object) => pair(subject, object)))
}

/** Where what a verb is about begins: past its particle and preposition; null: it is used in another sense. */
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

/** "Ada and Bo met in Oslo". */
function togetherBy(
  words: RelationWords,
  { verb, passive, form: kind }: VerbGroup,
  { form, subjects }: VerbUse,
): readonly WordRelation[] {
  if (subjects.length < 2 || passive || kind === 'reduced') return []
  const sense = form.senses.find((one) => isMutual(words, verb, one))
  return sense === undefined ? [] : pairs(subjects, { type: sense.type, weak: sense.weak, by: verb })
}

const FOLLOWS: ReadonlySet<string> = new Set(['ADP', 'ADV', 'PUNCT', 'PART', 'CCONJ', 'X'])

/** Nobody else is met: what follows is a place, a time, an end or what it is about. */
function isMutual(words: RelationWords, verb: number, { reciprocal, particle, preps }: VerbSense): boolean {
  if (!reciprocal || (particle !== null && lowerAt(words, verb + 1) !== particle)) return false
  const at = particle === null ? verb + 1 : verb + 2
  const { lower, tag, entity } = wordAt(words, at)
  return entity === null && lower !== 'with' && !preps.includes(lower) && FOLLOWS.has(tag)
}

/** Each two of some, in the order of the sentence. */
export const pairs = (
  parties: Parties,
  relations: Pick<WordRelation, 'type' | 'weak' | 'by'>,
): readonly WordRelation[] =>
  parties.flatMap((source, i) => parties.slice(i + 1).map((target) => ({ source, target, ...relations })))
