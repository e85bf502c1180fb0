import { linesIn, wordLists, wordList } from '../model-files.ts'

/** The relations that a sentence can assert between two entities, beyond naming both. */
export type AssertedType = 'collaborative' | 'adversarial' | 'causal'

/** The relation type that a word list names. Any other name is an error. */
function assertedType(name: string): AssertedType {
  if (name === 'collaborative' || name === 'adversarial' || name === 'causal') return name
  throw new Error(`No type of relation: ${name}`)
}

/** The relation that a verb asserts between its subject and its object. */
export interface VerbSense {
  readonly type: AssertedType
  /** A word that must follow the verb: `out` of "lash out at". */
  readonly particle: string | null
  /** One of these prepositions comes before the other party; empty if none is needed. */
  readonly preps: readonly string[]
  /** Whether the sense counts only if the sentiment of the sentence does not contradict it. */
  readonly weak: boolean
  /** Whether the owner of the object is affected: "praised Ada's plan" is about Ada. */
  readonly evaluative: boolean
  /** Whether the verb can relate its subjects to each other: "Ada and Bo met". */
  readonly reciprocal: boolean
  /** Whether a causal verb needs "to": "drove Bo to resign", but not "drove Bo". */
  readonly needsTo: boolean
}

/** Past, participle and present participle, if they are irregular; equal forms are given once. */
const IRREGULAR = new Map(
  linesIn('relations/irregular-verbs').map((line) => {
    const [lemma = '', past = '', participle = '', gerund = ''] = line.split(' ')
    return [lemma, [past, participle, gerund] as const]
  }),
)

type Form = 'base' | 'present' | 'past' | 'participle' | 'gerund'

export interface VerbForm {
  readonly senses: readonly VerbSense[]
  readonly forms: ReadonlySet<Form>
}

const VOWEL_Y = /[aeiou]y$/
const SIBILANT = /(?:s|x|z|ch|sh)$/

function pastOf(lemma: string): string {
  if (lemma.endsWith('e')) return `${lemma}d`
  return lemma.endsWith('y') && !VOWEL_Y.test(lemma) ? `${lemma.slice(0, -1)}ied` : `${lemma}ed`
}

function presentOf(lemma: string): string {
  if (SIBILANT.test(lemma)) return `${lemma}es`
  return lemma.endsWith('y') && !VOWEL_Y.test(lemma) ? `${lemma.slice(0, -1)}ies` : `${lemma}s`
}

function formsOf(lemma: string): readonly (readonly [string, Form])[] {
  const regular = [pastOf(lemma), pastOf(lemma), `${lemma.replace(/e$/, '')}ing`] as const
  const [past, participle, gerund] = IRREGULAR.get(lemma) ?? regular
  return [
    [lemma, 'base'],
    [presentOf(lemma), 'present'],
    [past, 'past'],
    [participle, 'participle'],
    [gerund, 'gerund'],
  ]
}

/** Verbs by form, such as `welcomed`, in lower case. */
export const VERBS: ReadonlyMap<string, VerbForm> = verbs()

function verbs(): Map<string, VerbForm> {
  const found = new Map<string, { senses: VerbSense[]; forms: Set<Form> }>()
  for (const [heading, verbs] of wordLists('relation-verbs')) {
    for (const verb of verbs) {
      const [lemma = ''] = verb.split('/')
      const sense = senseOf(heading, verb)
      for (const [written, form] of formsOf(lemma)) {
        const known = found.get(written) ?? { senses: [], forms: new Set<Form>() }
        if (!known.senses.includes(sense)) known.senses.push(sense)
        known.forms.add(form)
        found.set(written, known)
      }
    }
  }
  return found
}

/** `heading`: the type, then flags; `verb`: `lash/out/at` has a particle, `clash//with|against` prepositions. */
function senseOf(heading: string, verb: string): VerbSense {
  const [type = '', ...flags] = heading.split(' ')
  const [, particle = '', preps = ''] = verb.split('/')
  return {
    type: assertedType(type),
    particle: particle === '' ? null : particle,
    preps: preps === '' ? [] : preps.split('|'),
    weak: flags.includes('weak'),
    evaluative: flags.includes('evaluative'),
    reciprocal: flags.includes('reciprocal'),
    needsTo: flags.includes('needsTo'),
  }
}

/** The relation that a noun asserts between the two names around it, or between its owner and its target. */
export interface NounSense {
  readonly type: AssertedType
  /** Prepositions before the other party: `on` of "attack on Ada". */
  readonly preps: ReadonlySet<string>
  /** Whether the noun can relate equal parties: "war between Ada and Bo", "Ada and Bo signed a pact". */
  readonly mutual: boolean
  readonly weak: boolean
}

export const NOUNS: ReadonlyMap<string, NounSense> = new Map(
  [...wordLists('relation-nouns')].flatMap(([heading, nouns]) => {
    const [type = '', ...rest] = heading.split(' ')
    const preps = new Set(rest.filter((word) => word !== 'mutual' && word !== 'weak'))
    const sense = { type: assertedType(type), preps, mutual: rest.includes('mutual'), weak: rest.includes('weak') }
    return [...nouns].map((noun) => [noun, sense] as const)
  }),
)

/** Nouns with their parties after "of": "the union of Ada and Bo". */
export const MADE_OF = wordList('relations/made-of')

/** Roles of one person towards another: "an ally of Ada", "Ada's rival Bo". */
export const ROLES: ReadonlyMap<string, AssertedType> = new Map([
  ...[...wordList('relations/collaborative-roles')].map((role) => [role, 'collaborative'] as const),
  ...[...wordList('relations/adversarial-roles')].map((role) => [role, 'adversarial'] as const),
])

/** Verbs whose meaning is in their object: "signed a deal", "launched an attack". */
export const LIGHT_VERBS = wordList('relations/light-verbs')
/** Common nouns that represent an entity: "the Ada administration", "Acme executives", "Peru's government". */
export const PROXIES = wordList('relations/proxies')
/** Offices that a name in commas may follow: "his counterpart, Bo". */
export const OFFICES = wordList('relations/offices')
/** Words in a verb group: refused by the subject, negated or stopped, or uncertain. */
export const REFUSALS = wordList('relations/not-done')
export const UNDONE = wordList('relations/undone')
export const NEGATIONS = wordList('relations/negations')
export const UNSURE = wordList('relations/unsure')
export const HYPOTHETIC = wordList('relations/hypothetic')
/** Words before a verb group that make it uncertain. */
export const DOUBTS = wordList('relations/doubts')
/** Words that begin a clause, though they may be prepositions too. */
export const BEGINS_CLAUSE = wordList('relations/begins-clause')
export const BE = wordList('relations/be')
