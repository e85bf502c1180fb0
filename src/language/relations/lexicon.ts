import type { AssertedType } from './relation.ts'

/** What a verb says of its subject and its object. */
export interface VerbSense {
  readonly type: AssertedType
  /** Follows the verb: `out` of "lash out at". */
  readonly particle: string | null
  /** One of these stands before the other party; empty: nothing does. */
  readonly preps: readonly string[]
  /** Said also of those who feel otherwise: it counts only where the sentence does not. */
  readonly weak: boolean
  /** "Praised Ada's plan" speaks of Ada. */
  readonly evaluative: boolean
  /** "Ada and Bo met" is about the two. */
  readonly reciprocal: boolean
  /** Of causes: "drove Bo to resign", but not "drove Bo". */
  readonly needsTo: boolean
}

interface VerbList {
  readonly type: AssertedType
  readonly flags?: readonly ('weak' | 'evaluative' | 'reciprocal' | 'needsTo')[]
  /** Lemmas; `lash/out/at` has a particle, `clash//with|against` prepositions. */
  readonly verbs: string
}

const VERB_LISTS: readonly VerbList[] = [
  {
    type: 'adversarial',
    flags: ['evaluative'],
    verbs: `attack criticise criticize condemn denounce blast slam oppose reject mock ridicule deride lambast lambaste
      excoriate rebuke assail bash castigate decry deplore disparage denigrate vilify lament undermine thwart defy
      protest blame`,
  },
  {
    type: 'adversarial',
    verbs: `accuse sue bomb invade shell strike sanction threaten fire sack oust expel charge indict arrest detain kill
      assassinate murder insult taunt reprimand scold chide berate skewer demonise demonize confront boycott ban punish
      penalise penalize beat defeat trounce thrash topple overthrow unseat sabotage betray antagonise antagonize harass
      bully blackmail hack raid besiege blockade bombard annex pummel discredit smear slander impeach prosecute snub
      ostracise ostracize repel shoot stab wound poison torture persecute humiliate offend attack/back/ fight battle
      rival fire/back/at hit/back/at lash/out/at hit/out/at strike/back/at crack/down/on lash/back/at
      fire//at|on|upon retaliate//against rail//against protest//against campaign//against vote//against
      fight//against turn//against side//against war//with|against conspire//against inveigh//against
      testify//against sneer//at scoff//at compete//with|against`,
  },
  {
    type: 'adversarial',
    flags: ['reciprocal'],
    verbs: `clash//with fight//with feud//with quarrel//with spar//with battle//with wrangle//with bicker//with
      tangle//with duel//with compete//with break//with fall/out/with square/off/with|against face/off/with|against`,
  },
  { type: 'adversarial', flags: ['weak'], verbs: 'warn challenge block counter rebuff pressure press' },
  {
    type: 'collaborative',
    flags: ['evaluative'],
    verbs: `back support endorse praise applaud hail commend laud champion defend salute welcome embrace`,
  },
  {
    type: 'collaborative',
    verbs: `help assist aid thank congratulate befriend reassure bankroll subsidise subsidize rescue host honor honour
      bail/out/ side//with vote//for campaign//for rally//behind|around stand//by stick//by vouch//for
      root//for sympathise//with sympathize//with`,
  },
  {
    type: 'collaborative',
    flags: ['reciprocal'],
    verbs: `ally//with align//with partner//with cooperate//with co-operate//with collaborate//with team/up/with
      team//with join/forces/with merge//with reconcile//with join/hands/with`,
  },
  { type: 'collaborative', flags: ['weak'], verbs: 'join appoint nominate hire fund finance sign//with protect' },
  {
    type: 'collaborative',
    flags: ['weak', 'reciprocal'],
    verbs: 'meet meet//with agree//with work//with negotiate//with meet/up/with',
  },
  { type: 'causal', verbs: 'trigger cause spark prompt provoke precipitate lead//to result//in bring/about/ set/off/' },
  {
    type: 'causal',
    flags: ['needsTo'],
    verbs: 'force prompt compel oblige induce persuade drive push spur lead pressure cause goad embolden',
  },
]

/** Past, participle and present participle, where they do not follow from the lemma; those alike are said once. */
const IRREGULAR: Readonly<Record<string, readonly [past: string, participle: string, present: string]>> = {
  strike: ['struck', 'struck', 'striking'],
  fight: ['fought', 'fought', 'fighting'],
  beat: ['beat', 'beaten', 'beating'],
  overthrow: ['overthrew', 'overthrown', 'overthrowing'],
  meet: ['met', 'met', 'meeting'],
  lead: ['led', 'led', 'leading'],
  drive: ['drove', 'driven', 'driving'],
  shoot: ['shot', 'shot', 'shooting'],
  hit: ['hit', 'hit', 'hitting'],
  stand: ['stood', 'stood', 'standing'],
  stick: ['stuck', 'stuck', 'sticking'],
  bring: ['brought', 'brought', 'bringing'],
  set: ['set', 'set', 'setting'],
  break: ['broke', 'broken', 'breaking'],
  fall: ['fell', 'fallen', 'falling'],
  slam: ['slammed', 'slammed', 'slamming'],
  ban: ['banned', 'banned', 'banning'],
  spar: ['sparred', 'sparred', 'sparring'],
  snub: ['snubbed', 'snubbed', 'snubbing'],
  stab: ['stabbed', 'stabbed', 'stabbing'],
  spur: ['spurred', 'spurred', 'spurring'],
  compel: ['compelled', 'compelled', 'compelling'],
  repel: ['repelled', 'repelled', 'repelling'],
}

export type Form = 'base' | 'present' | 'past' | 'participle' | 'gerund'

export interface VerbForm {
  readonly senses: readonly VerbSense[]
  readonly forms: ReadonlySet<Form>
}

const VOWEL_Y = /[aeiou]y$/
const HISSING = /(?:s|x|z|ch|sh)$/

function pastOf(lemma: string): string {
  if (lemma.endsWith('e')) return `${lemma}d`
  return lemma.endsWith('y') && !VOWEL_Y.test(lemma) ? `${lemma.slice(0, -1)}ied` : `${lemma}ed`
}

function presentOf(lemma: string): string {
  if (HISSING.test(lemma)) return `${lemma}es`
  return lemma.endsWith('y') && !VOWEL_Y.test(lemma) ? `${lemma.slice(0, -1)}ies` : `${lemma}s`
}

function formsOf(lemma: string): readonly (readonly [string, Form])[] {
  const regular = [pastOf(lemma), pastOf(lemma), `${lemma.replace(/e$/, '')}ing`] as const
  const [past, participle, gerund] = IRREGULAR[lemma] ?? regular
  return [
    [lemma, 'base'],
    [presentOf(lemma), 'present'],
    [past, 'past'],
    [participle, 'participle'],
    [gerund, 'gerund'],
  ]
}

/** `welcomed` to what it says; words in lower case. */
export const VERBS: ReadonlyMap<string, VerbForm> = verbs()

function verbs(): Map<string, VerbForm> {
  const found = new Map<string, { senses: VerbSense[]; forms: Set<Form> }>()
  for (const list of VERB_LISTS) {
    for (const verb of list.verbs.split(/\s+/)) {
      const [lemma = ''] = verb.split('/')
      const sense = senseOf(list, verb)
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

function senseOf({ type, flags = [] }: VerbList, verb: string): VerbSense {
  const [, particle = '', preps = ''] = verb.split('/')
  return {
    type,
    particle: particle === '' ? null : particle,
    preps: preps === '' ? [] : preps.split('|'),
    weak: flags.includes('weak'),
    evaluative: flags.includes('evaluative'),
    reciprocal: flags.includes('reciprocal'),
    needsTo: flags.includes('needsTo'),
  }
}
