import type { Decision } from '../../events/ledger.ts'
import type { AssignmentKind, AssignmentWeights } from '../../language/clustering/model.ts'
import type { Features } from './features.ts'

export interface Assignment {
  readonly kind: AssignmentKind
  readonly facts: Readonly<Record<string, number>>
}

/** Cap on the distance of a score from the threshold or the runner-up: beyond it, an assignment is nearly certain. */
const FAR = 6
type AssignmentOwnText = Pick<Features, 'dated' | 'hasBody'>

/** The kind of an assignment and the facts known on arrival, from which its confidence is computed. */
export function assignmentOf(
  { rule, chosen, runner_up, threshold }: Pick<Decision, 'rule' | 'chosen' | 'runner_up' | 'threshold'>,
  own: AssignmentOwnText,
): Assignment {
  const text = textFacts([own])
  if (rule === 'copy') return { kind: 'copied', facts: text }
  if (chosen === null) {
    const gap = runner_up === null ? FAR : Math.min(threshold - runner_up.score, FAR)
    return {
      kind: 'opened',
      facts: { ...text, gap, near: Math.min(gap, 1), size: logSize(runner_up?.features['size']) },
    }
  }
  const margin = Math.min(chosen.score - threshold, FAR)
  const lead = runner_up === null ? FAR : Math.min(chosen.score - runner_up.score, FAR)
  const { size, mean_link = 0, max_link = 0 } = chosen.features
  return {
    kind: 'joined',
    facts: {
      ...text,
      margin,
      near: Math.min(margin, 1),
      lead,
      rivalled: Math.min(lead, 1),
      size: logSize(size),
      mean_link,
      spread: max_link - mean_link,
    },
  }
}

/**
 * The probability, 0 to 1, that the next recluster keeps the assignment. Rounded to four decimals, so that it is
 * reproducible.
 */
export function assignmentConfidence({ kind, facts }: Assignment, weights: AssignmentWeights): number {
  const own = weights[kind]
  let logit = own['bias'] ?? 0
  for (const [name, value] of Object.entries(facts)) logit += (own[name] ?? 0) * value
  return Math.round(1e4 / (1 + Math.exp(-logit))) / 1e4
}

/** The assignment of each article of a story after the recluster. */
export const settledAssignment = (members: readonly AssignmentOwnText[]): Assignment => ({
  kind: 'settled',
  facts: { ...textFacts(members), size: logSize(members.length), alone: Number(members.length === 1) },
})

/** The confidence of each article of a story after the recluster; 0 if it moved all of them on to other stories. */
export const settledConfidence = (members: readonly AssignmentOwnText[], weights: AssignmentWeights): number =>
  members.length === 0 ? 0 : assignmentConfidence(settledAssignment(members), weights)

/** Shares of texts, 0 to 1: headline-only and undated. */
const textFacts = (texts: readonly AssignmentOwnText[]): Record<'headline' | 'undated', number> => ({
  headline: texts.filter(({ hasBody }) => !hasBody).length / texts.length,
  undated: texts.filter(({ dated }) => !dated).length / texts.length,
})

const logSize = (size = 1): number => Math.log(Math.max(size, 1))
