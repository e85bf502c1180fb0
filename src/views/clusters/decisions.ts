import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'
import { surviving, type StoryQuery } from './surviving-story.ts'

/** At most one row: the ledger entry that determines where an article belongs as of a point in time. */
const assignmentOf = query({
  name: 'clusters.word',
  sql: `
    WITH known AS (
      SELECT article_id FROM members
      WHERE namespace = {namespace: String} AND article_id = {article_id: String}
        AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    )
    SELECT cluster_id, event_id, action
    FROM placements FINAL
    WHERE namespace = {namespace: String} AND article_id = {article_id: String}
      AND article_id IN (SELECT article_id FROM known)
      AND valid_from <= {as_of: DateTime64(3, 'UTC')}
    ORDER BY _offset DESC
    LIMIT 1`,
  params: z.object({ article_id: z.string(), as_of: moment }),
  row: z.object({ cluster_id: z.string(), event_id: z.string(), action: z.string() }),
})

const DECIDED = `
      event_id, chosen_cluster_id, chosen_score, chosen_features, runner_up_cluster_id, runner_up_score,
      runner_up_features, threshold, versions, _log_at AS decided_at`

const decided = {
  event_id: z.string(),
  decided_at: z.string(),
  rule: z.string(),
  chosen_cluster_id: z.string().nullable(),
  chosen_score: z.number().nullable(),
  chosen_features: z.record(z.string(), z.number()),
  runner_up_cluster_id: z.string().nullable(),
  runner_up_score: z.number().nullable(),
  runner_up_features: z.record(z.string(), z.number()),
  threshold: z.number(),
  versions: z.record(z.string(), z.string()),
  /** Number of articles that the decision moved together. */
  articles: z.number(),
  correction_id: z.string().nullable(),
  /** UTC day, `2018-12-31`; `null` unless a recluster made the decision. */
  rebuild_day: z.string().nullable(),
}

/** At most one row: the decision when an article arrived or was revised. */
const arrivalDecision = query({
  name: 'clusters.decision',
  sql: `
    SELECT ${DECIDED}, if(rule = '', 'link', rule) AS rule, 1 AS articles, NULL AS correction_id, NULL AS rebuild_day
    FROM cluster_decisions FINAL
    WHERE namespace = {namespace: String} AND article_id = {article_id: String} AND event_id = {event_id: String}`,
  params: z.object({ article_id: z.string(), event_id: z.string() }),
  row: z.object(decided),
})

/** At most one row: the decision of a change of stories. */
const changeDecision = query({
  name: 'clusters.change_decision',
  sql: `
    SELECT ${DECIDED}, rule, length(article_ids) AS articles, correction_id, rebuild_day
    FROM story_changes FINAL
    WHERE namespace = {namespace: String} AND event_id = {event_id: String}`,
  params: z.object({ event_id: z.string() }),
  row: z.object(decided),
})

/**
 * The recorded decision that assigned an article to a story as of a point in time. The id of a merged story resolves to
 * the surviving story. `no story` or `no member` if there is no such story or member.
 */
export async function memberWhy(store: Store, params: StoryQuery & { readonly article_id: string }) {
  const [story, [placed]] = await Promise.all([surviving(store, params), assignmentOf(store)(params)])
  if (story === null) return 'no story'
  if (placed?.cluster_id !== story.cluster_id) return 'no member'

  const { namespace, article_id } = params
  const { cluster_id, event_id, action } = placed
  const read = ARRIVAL_ACTIONS.has(action) ? arrivalDecision(store) : changeDecision(store)
  const [row] = await read({ namespace, article_id, event_id })
  if (row === undefined)
    throw new Error(`No decision is recorded for event ${event_id}, which assigned article ${article_id}`)

  return {
    cluster_id,
    article_id,
    event_id,
    decided_at: row.decided_at,
    action,
    rule: row.rule,
    threshold: row.threshold,
    versions: row.versions,
    articles: row.articles,
    correction_id: row.correction_id,
    rebuild_day: row.rebuild_day,
    chosen: candidate(row.chosen_cluster_id, row.chosen_score, row.chosen_features),
    runner_up: candidate(row.runner_up_cluster_id, row.runner_up_score, row.runner_up_features),
  }
}

/** Actions on arrival or revision of a single article. */
const ARRIVAL_ACTIONS = new Set(['opened', 'joined', 'revised'])

const candidate = (cluster_id: string | null, score: number | null, features: Record<string, number>) =>
  cluster_id === null || score === null ? null : { cluster_id, score, features }
