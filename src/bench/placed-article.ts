import { NO_MEMBER, type ArticleClustered } from '../events/ledger.ts'

/** An article that opens a story. All other fields have empty values. */
export const PLACED_ARTICLE: ArticleClustered = {
  event_id: '',
  namespace: 'bench',
  occurred_at: 0,
  caused_by: null,
  produced_by: { stage: 'clustered', version: 'bench' },
  action: 'opened',
  cluster_id: '',
  article_id: '',
  content_hash: '',
  decision: { rule: 'link', chosen: null, runner_up: null, threshold: 0, versions: {} },
  origin: null,
  member: NO_MEMBER,
  change: null,
  assignment_confidence: null,
  subject_id: null,
}
