import type { Candidate, Decision } from '../../events/ledger.ts'
import type { Row } from '../../ports/store.ts'

/** What a choice was made from, as `cluster_decisions` and `story_changes` both keep it. */
export const decisionCells = ({ rule, chosen, runner_up, threshold, versions }: Decision): Row => ({
  rule,
  ...candidateCells('chosen', chosen),
  ...candidateCells('runner_up', runner_up),
  threshold,
  versions,
})

const candidateCells = (place: 'chosen' | 'runner_up', candidate: Candidate | null): Row => ({
  [`${place}_cluster_id`]: candidate === null ? null : candidate.cluster_id,
  [`${place}_score`]: candidate === null ? null : candidate.score,
  [`${place}_features`]: candidate === null ? {} : candidate.features,
})
