import { wordList } from '../model-files.ts'
import { wordLists } from '../model-files.ts'
import { type AssertedType, assertedType } from './relation.ts'

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** What a noun says of the two names around it, or of its owner and its target. */
export interface NounSense {
  readonly type: AssertedType
  /** Before the other party: `on` of "attack on Ada". */
  readonly preps: ReadonlySet<string>
  /** "Between Ada and Bo", and "Ada and Bo signed a pact". */
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

/** Of "the union of Ada and Bo". */
export const MADE_OF: ReadonlySet<string> = list('alliance partnership merger coalition union')

/** Who somebody is to somebody else: "an ally of Ada", "Ada's rival Bo". */
export const ROLES: ReadonlyMap<string, AssertedType> = new Map([
  ...[...wordList('relations/collaborative-roles')].map((role) => [role, 'collaborative'] as const),
  ...[...wordList('relations/adversarial-roles')].map((role) => [role, 'adversarial'] as const),
])

/** Verbs that say only that there is what their object names: "signed a deal", "launched an attack". */
export const LIGHT_VERBS = wordList('relations/light-verbs')

/** Common nouns that act for whose they are: "the Ada administration", "Acme executives", "Peru's government". */
export const PROXIES = wordList('relations/proxies')

/** Offices a name in commas may follow: "his counterpart, Bo". */
export const OFFICES = wordList('relations/offices')

/** Not asserted as it stands: not done, or not sure. */
export const NOT_DONE: ReadonlySet<string> = list(
  'refuse refuses refused refusing decline declines declined declining fail fails failed failing',
)
export const UNDONE = wordList('relations/undone')
export const NEGATIONS: ReadonlySet<string> = list('not never neither nor no hardly barely without cannot')
export const UNSURE: ReadonlySet<string> = list('may might could would should can')
export const HYPOTHETIC: ReadonlySet<string> = list('if unless whether lest')
/** Before a verb, though not of it. */
export const DOUBTS: ReadonlySet<string> = list('if unless whether lest neither nor deny denies denied denying')
/** Words that begin a clause, though they may be prepositions too. */
export const BEGINS_CLAUSE: ReadonlySet<string> = list(
  'after before since until till while as because though although whereas when where that once if unless whether',
)
export const BE: ReadonlySet<string> = list('is are was were be been being am get gets got gotten getting')
