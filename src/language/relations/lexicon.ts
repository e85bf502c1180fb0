import { linesIn, wordLists } from '../model-files.ts'
import { type AssertedType, assertedType } from './relation.ts'

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

/** Past, participle and present participle, where they do not follow from the lemma; those alike are said once. */
const IRREGULAR = new Map(
  linesIn('relations/irregular-verbs').map((line) => {
    const [lemma = '', past = '', participle = '', gerund = ''] = line.split(' ')
    return [lemma, [past, participle, gerund] as const]
  }),
)

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
  const [past, participle, gerund] = IRREGULAR.get(lemma) ?? regular
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
