import { agree, disagree } from './evidence.ts'
import type { Features } from './features.ts'
import type { PairWeights, Weights } from './model.ts'
import { termsCosine } from './terms.ts'

const DAY_MS = 86_400_000

export type Kind = 'body' | 'headline'

/** Feature values of two articles; `bias` is 1, `undated` 1 where one of them has no date (the gap is 0 then). */
export interface Pair {
  readonly kind: Kind
  readonly values: PairValues
}

export type PairValues = Readonly<Record<string, number>>

/** How alike two articles are, feature by feature: with their texts if both have one, else by their headlines. */
export function pair(a: Features, b: Features): Pair {
  const undated = a.dated && b.dated ? 0 : 1
  const gap_days = undated === 1 ? 0 : Math.abs(a.time - b.time) / DAY_MS
  const title_cosine = cosine(a.title, b.title)
  if (!a.hasBody || !b.hasBody) {
    const title_terms_cosine = termsCosine(a.titleTerms, b.titleTerms)
    return { kind: 'headline', values: { title_cosine, title_terms_cosine, gap_days, bias: 1, undated } }
  }
  return {
    kind: 'body',
    values: {
      lead_cosine: cosine(a.lead, b.lead),
      title_cosine,
      body_terms_cosine: termsCosine(a.bodyTerms, b.bodyTerms),
      entity_terms_cosine: termsCosine(a.entityTerms, b.entityTerms),
      gap_days,
      ...evidenceOf(a.evidence, b.evidence, undated),
      bias: 1,
      undated,
    },
  }
}

/** 1 where it speaks so: against one event, but for a year that both name where a date is missing. */
const evidenceOf = (a: Features['evidence'], b: Features['evidence'], undated: 0 | 1): PairValues => ({
  numbers_apart: disagree(a['numbers'], b['numbers']) ? 1 : 0,
  weekdays_apart: disagree(a['weekdays'], b['weekdays']) ? 1 : 0,
  places_apart: disagree(a['places'], b['places']) ? 1 : 0,
  undated_same_year: undated === 1 && agree(a['years'], b['years']) ? 1 : 0,
})

/** The logit that two articles report one event; above 0 it is the likelier answer. */
export const pairLogit = ({ kind, values }: Pair, weights: Weights['pair']): number => weighted(values, weights[kind])

function weighted(values: PairValues, weights: PairWeights): number {
  let sum = 0
  for (const name in weights) sum += (weights[name] ?? 0) * (values[name] ?? 0)
  return sum
}

/** Of two unit vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
