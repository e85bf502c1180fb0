import type { AssertedType } from './relation.ts'

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

interface NounList {
  readonly type: AssertedType
  readonly preps: string
  readonly mutual?: true
  readonly weak?: true
  readonly nouns: string
}

const NOUN_LISTS: readonly NounList[] = [
  {
    type: 'adversarial',
    preps: 'with against',
    mutual: true,
    nouns: `war wars conflict conflicts dispute disputes feud rivalry clash clashes fight fights battle battles standoff
      stand-off showdown rift row spat quarrel hostilities tensions confrontation grudge vendetta argument odds
      skirmish skirmishes fighting enmity animosity`,
  },
  { type: 'adversarial', preps: 'with', mutual: true, nouns: 'fire blows barbs insults accusations' },
  {
    type: 'adversarial',
    preps: 'against on at',
    nouns: `lawsuit lawsuits suit attack attacks assault assaults strike strikes airstrike airstrikes raid raids offensive
      crackdown sanctions embargo tariffs broadside broadsides tirade tirades retaliation vendetta`,
  },
  { type: 'adversarial', preps: 'against', nouns: 'complaint charges case accusations allegations threats smear' },
  {
    type: 'adversarial',
    preps: 'of',
    nouns: `invasion occupation annexation blockade siege bombing shelling bombardment criticism condemnation boycott
      denunciation harassment persecution mockery`,
  },
  {
    type: 'collaborative',
    preps: 'with',
    mutual: true,
    nouns: `alliance partnership deal deals agreement agreements accord accords pact pacts treaty treaties truce ceasefire
      cease-fire merger cooperation co-operation collaboration coalition friendship venture`,
  },
  {
    type: 'collaborative',
    preps: 'with',
    mutual: true,
    weak: true,
    nouns: 'talks meeting meetings summit negotiations',
  },
  { type: 'collaborative', preps: 'for of', nouns: 'support backing endorsement praise' },
  { type: 'collaborative', preps: 'to', nouns: 'aid assistance help' },
  { type: 'collaborative', preps: 'with', nouns: 'solidarity' },
]

export const NOUNS: ReadonlyMap<string, NounSense> = new Map(
  NOUN_LISTS.flatMap(({ type, preps, mutual, weak, nouns }) => {
    const sense = { type, preps: list(preps), mutual: mutual ?? false, weak: weak ?? false }
    return nouns.split(/\s+/).map((noun) => [noun, sense] as const)
  }),
)

/** Of "the union of Ada and Bo". */
export const MADE_OF: ReadonlySet<string> = list('alliance partnership merger coalition union')

/** Who somebody is to somebody else: "an ally of Ada", "Ada's rival Bo". */
export const ROLES: ReadonlyMap<string, AssertedType> = new Map([
  ...[
    ...list(`ally allies partner backer backers supporter supporters endorser confidant confidante friend friends
    protege protégé mentor collaborator loyalist surrogate defender`),
  ].map((role) => [role, 'collaborative'] as const),
  ...[
    ...list(
      'rival rivals critic critics opponent opponents enemy enemies foe foes adversary adversaries nemesis antagonist',
    ),
  ].map((role) => [role, 'adversarial'] as const),
])

/** Verbs that say only that there is what their object names: "signed a deal", "launched an attack". */
export const LIGHT_VERBS: ReadonlySet<string> = list(`
  sign signs signed signing reach reaches reached reaching strike strikes struck striking make makes made making seal
  seals sealed announce announces announced launch launches launched launching file files filed filing wage wages waged
  waging declare declares declared declaring impose imposes imposed imposing express expresses expressed expressing offer
  offers offered voice voices voiced hold holds held holding have has had having form forms formed forging forge forged
  open opens opened start starts started starting begin begins began bring brings brought enter enters entered conclude
  concludes concluded finalise finalised finalize finalized deepen deepened strengthen strengthened build builds built
  maintain maintains maintained give gives gave given mount mounts mounted mounting order orders ordered escalate escalates
  escalated intensify intensified renew renews renewed renewing levy levied slap slapped lead leads led heap heaped lend
  lends lent pledge pledges pledged continue continues continued complete completes completed carry carried conduct
  conducts conducted fight fights fought fighting exchange exchanges exchanged exchanging trade trades traded trading
  negotiate negotiated ink inked broker pursue pursued escalating is are was were be been being remain remains remained
  resume resumed agree agreed unleash unleashed stage staged press pressed send sends sent provide provides provided`)

/** Common nouns that act for whose they are: "the Ada administration", "Acme executives", "Peru's government". */
export const PROXIES: ReadonlySet<string> = list(`
  government administration campaign officials official troops troop forces force army military ministry regime executives
  executive lawyers lawyer attorneys attorney team leaders leader leadership party police spokesman spokeswoman spokesperson
  president premier minister parliament congress senate diplomats diplomat authorities prosecutors prosecutor aides aide
  negotiators warplanes jets navy marines soldiers fighters militants gunmen rebels militia militias insurgents separatists
  management board regulators regulator lawmakers delegation ambassador envoy state side company group department
  intelligence fleet artillery airstrikes officers agents chief chairman ceo foundation`)

/** Offices a name in commas may follow: "his counterpart, Bo". */
export const OFFICES: ReadonlySet<string> = list(`
  counterpart president minister chancellor chief leader rival ally husband wife brother sister son daughter predecessor
  successor chairman chairwoman secretary director governor senator mayor judge nominee candidate opponent adviser advisor
  lawyer attorney king queen prince premier executive ceo founder general commander ambassador envoy speaker colleague boss
  aide strategist manager coach deputy critic`)

/** Not asserted as it stands: not done, or not sure. */
export const NOT_DONE: ReadonlySet<string> = list(
  'refuse refuses refused refusing decline declines declined declining fail fails failed failing',
)
export const UNDONE: ReadonlySet<string> = list(`
  deny denies denied denying stop stops stopped stopping cease ceases ceased avoid avoids avoided neglected forgot hesitate
  hesitated hesitates reject rejects rejected quit regret regrets regretted`)
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
