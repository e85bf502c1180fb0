import { z } from 'zod'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

const ACTION = z.enum(['move', 'merge', 'split', 'keep_apart'])

const COLUMNS = `
      correction_id, action, cluster_id, other_cluster_id, article_ids, reason, key_id,
      toUnixTimestamp64Milli(requested_at) AS requested_ms`

const row = z.object({
  correction_id: z.string(),
  action: ACTION,
  cluster_id: z.string(),
  other_cluster_id: z.string().nullable(),
  article_ids: z.array(z.string()),
  reason: z.string().nullable(),
  key_id: z.string(),
  requested_ms: z.number(),
})

export type CorrectionRow = z.output<typeof row>

/**
 * Corrections requested up to a point in time that involve one of the stories, including a story that a split opened;
 * newest first.
 */
export const correctionsOf = query({
  name: 'corrections.of',
  sql: `
    SELECT ${COLUMNS}
    FROM corrections FINAL
    WHERE namespace = {namespace: String} AND action != 'undo' AND requested_at <= {until: DateTime64(3, 'UTC')}
      AND (cluster_id IN {ids: Array(String)} OR ifNull(other_cluster_id, '') IN {ids: Array(String)}
        OR correction_id IN
        (
          SELECT ifNull(correction_id, '') FROM story_changes
          WHERE namespace = {namespace: String} AND action = 'corrected' AND cluster_id IN {ids: Array(String)}
        ))
    ORDER BY _offset DESC
    LIMIT {limit: UInt32}`,
  params: z.object({ ids: z.array(z.string()), until: moment, limit: z.int() }),
  row,
})

/**
 * Corrections (without undo requests) whose id has this prefix, newest first. There may be several, because an
 * idempotency key can be reused after a day.
 */
export const correctionsUnder = query({
  name: 'corrections.under',
  sql: `
    SELECT ${COLUMNS}
    FROM corrections FINAL
    WHERE namespace = {namespace: String} AND startsWith(correction_id, {prefix: String}) AND action != 'undo'
    ORDER BY _offset DESC
    LIMIT 10`,
  params: z.object({ prefix: z.string().min(1) }),
  row,
})

const outcome = z.object({
  correction_id: z.string(),
  correction_action: z.enum([...ACTION.options, 'undo']),
  cluster_id: z.string(),
  from_cluster_id: z.string().nullable(),
  article_ids: z.array(z.string()),
  refused: z.string().nullable(),
})

export type CorrectionOutcome = z.output<typeof outcome>

/** The outcomes of corrections and of their undo requests, in ledger order. */
export const correctionOutcomes = query({
  name: 'corrections.outcomes',
  sql: `
    SELECT
      ifNull(correction_id, '') AS correction_id, ifNull(correction_action, '') AS correction_action, cluster_id,
      from_cluster_id, article_ids, refused
    FROM story_changes FINAL
    WHERE namespace = {namespace: String} AND action = 'corrected'
      AND ifNull(story_changes.correction_id, '') IN {correction_ids: Array(String)}
    ORDER BY _offset`,
  params: z.object({ correction_ids: z.array(z.string()) }),
  row: outcome,
})

/** The corrections among these for which an undo was requested. */
export const undoingRequests = query({
  name: 'corrections.undoings',
  sql: `
    SELECT DISTINCT correction_id
    FROM corrections
    WHERE namespace = {namespace: String} AND action = 'undo' AND correction_id IN {correction_ids: Array(String)}`,
  params: z.object({ correction_ids: z.array(z.string()) }),
  row: z.object({ correction_id: z.string() }),
})

/** One row per article that currently belongs to one of the stories. */
export const membersNow = query({
  name: 'corrections.members_now',
  sql: `
    WITH concerned AS (
      SELECT article_id FROM placements
      WHERE namespace = {namespace: String} AND cluster_id IN {ids: Array(String)}
    )
    SELECT article_id, argMax(placements.cluster_id, _offset) AS belongs_to
    FROM placements FINAL
    PREWHERE article_id IN (SELECT article_id FROM concerned)
    WHERE namespace = {namespace: String}
    GROUP BY article_id
    HAVING belongs_to IN {ids: Array(String)}
    ORDER BY article_id`,
  params: z.object({ ids: z.array(z.string()) }),
  row: z.object({ article_id: z.string(), belongs_to: z.string() }),
})

interface CorrectionStatus {
  readonly status: 'applied' | 'pending' | 'refused' | 'undone'
  /** A constant with the reason of the refusal; `null` if it was not refused. */
  readonly refused_because: string | null
}

/** The status of a correction from the outcomes of itself and of its undo requests. */
export function correctionStatus(correctionId: string, ledger: readonly CorrectionOutcome[]): CorrectionStatus {
  const own = ledger.filter(({ correction_id }) => correction_id === correctionId)
  const done = own.find(({ correction_action }) => correction_action !== 'undo')
  if (done === undefined) return { status: 'pending', refused_because: null }
  if (done.refused !== null) return { status: 'refused', refused_because: done.refused }
  const undone = own.some(({ correction_action, refused }) => correction_action === 'undo' && refused === null)
  return { status: undone ? 'undone' : 'applied', refused_because: null }
}
