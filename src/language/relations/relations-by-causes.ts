import type { VerbGroup } from './groups.ts'
import { VERBS, type VerbSense } from './lexicon.ts'
import { type Parties, type WordRelation, isName, lowerAt, type RelationWords, wordAt } from './words.ts'

/** RelationWords of a subject or an object that are looked at. */
const FARTHEST = 12

const ENDS: ReadonlySet<string> = new Set(', ; : . " “ ” — – ( ) that which who while'.split(' '))

/**
 * One party's doing that leads to something of another: "Ada's ban forced Bo to leave", "the fall of Ada led to losses at
 * Bo", "Ada quit, prompting Bo to follow". Where a subject names two, nobody knows whose doing it was.
 */
export function relationsByCause(words: RelationWords, group: VerbGroup, subjects: Parties): readonly WordRelation[] {
  const senses = group.assertion === 'asserted' ? (VERBS.get(lowerAt(words, group.verb))?.senses ?? []) : []
  const partiesInOrder = group.passive || group.form === 'reduced' ? turned : straight
  return senses.flatMap((sense) => (sense.type === 'causal' ? partiesInOrder(words, { group, subjects, sense }) : []))
}

interface Causing {
  readonly group: VerbGroup
  readonly subjects: Parties
  readonly sense: Pick<VerbSense, 'needsTo' | 'preps'>
}

function straight(
  words: RelationWords,
  { group: { form, start, verb }, subjects, sense }: Causing,
): readonly WordRelation[] {
  if (form === 'bare') return []
  const source = only(subjects) ?? (form === 'gerund' ? null : onlyBefore(words, start))
  return causal(source, affected(words, verb, sense), verb)
}

/** "Bo was forced to leave by Ada" is seldom; "the crisis was triggered by Ada", "Bo was forced by Ada to leave". */
function turned(
  words: RelationWords,
  { group: { verb }, subjects, sense: { needsTo, preps } }: Causing,
): readonly WordRelation[] {
  const by = [verb + 1, verb + 2].find((at) => lowerAt(words, at) === 'by')
  if (by === undefined || preps.length > 0) return []
  if (needsTo && !words.slice(by, by + FARTHEST).some(({ lower }) => lower === 'to')) return []
  return causal(onlyAfter(words, by + 1), only(subjects), verb)
}

const causal = (source: number | null, target: number | null, by: number): readonly WordRelation[] =>
  source === null || target === null ? [] : [{ source, target, type: 'causal', by, weak: false }]

const only = (parties: Parties): number | null => (parties.length === 1 ? (parties[0] ?? null) : null)

const BECAUSE: ReadonlySet<string> = new Set(['because of', 'due to', 'thanks to'])

/** "Ada shut the plant because of Bo". */
export function relationsByBecause(words: RelationWords, group: VerbGroup, subjects: Parties): readonly WordRelation[] {
  const target = only(subjects)
  if (target === null || group.assertion !== 'asserted') return []
  for (let at = group.verb + 1; at < words.length && !ENDS.has(lowerAt(words, at)); at += 1) {
    if (!BECAUSE.has(`${lowerAt(words, at)} ${lowerAt(words, at + 1)}`)) continue
    return isName(words, at + 2) && !isListed(words, at + 3) ? causal(at + 2, target, at) : []
  }
  return []
}

/** "Because of Ada, money and fame". */
const isListed = (words: RelationWords, at: number): boolean =>
  lowerAt(words, at) === ',' || lowerAt(words, at) === 'and'

/** The one name that the subject before a verb is of; null: there are more, or the subject is too long to know. */
function onlyBefore(words: RelationWords, end: number): number | null {
  const found: number[] = []
  for (let at = end - 1; at >= 0 && !endsClause(words, at); at -= 1) {
    if (end - at > FARTHEST) return null
    if (isName(words, at) && !isWhere(words, at)) found.push(at)
  }
  return only(found)
}

const DOERS: ReadonlySet<string> = new Set(['of', 'by', 'from'])

/** "Ambitions in Ada", "ties to the Ada campaign": not whose they are. */
function isWhere(words: RelationWords, name: number): boolean {
  const before = wordAt(words, wordAt(words, name - 1).tag === 'DET' ? name - 2 : name - 1)
  return (before.tag === 'ADP' || before.lower === 'to') && !DOERS.has(before.lower)
}

/** A mark, or a verb other than that of "tariffs imposed by Ada". */
function endsClause(words: RelationWords, at: number): boolean {
  const { entity, lower, tag } = wordAt(words, at)
  if (entity !== null) return false
  return ENDS.has(lower) || tag === 'AUX' || (tag === 'VERB' && lowerAt(words, at + 1) !== 'by')
}

function onlyAfter(words: RelationWords, from: number): number | null {
  const found: number[] = []
  for (let at = from; at < Math.min(words.length, from + FARTHEST) && !endsClause(words, at); at += 1) {
    if (isName(words, at)) found.push(at)
  }
  return only(found)
}

/** The one that a cause changes: who is made to do something, or whose something it is. */
function affected(words: RelationWords, verb: number, { needsTo, preps }: Causing['sense']): number | null {
  if (preps.length > 0) return preps.includes(lowerAt(words, verb + 1)) ? onlyAfter(words, verb + 2) : null
  if (!needsTo) return onlyAfter(words, verb + 1)
  const to = words.slice(verb + 1, verb + 1 + FARTHEST).findIndex(({ lower }) => lower === 'to')
  const end = verb + to
  const clause = words.slice(verb + 1, end)
  return to > 0 && isName(words, end) && !clause.some((_, i) => endsClause(words, verb + 1 + i)) ? end : null
}
