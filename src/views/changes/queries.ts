import { z } from 'zod'
import { CHANGE_TYPES } from '../../events/changes.ts'
import { moment } from '../instant.ts'
import { query } from '../query.ts'

/** Changes of a namespace after a place in the log, in the order of the log. */
export const changesAfter = query({
  name: 'changes.after',
  sequential: true,
  sql: `
    SELECT
      event_id AS id, type, occurred_at, data, _offset AS place, _partition AS log_partition,
      toUnixTimestamp64Milli(_log_at) AS logged_at
    FROM changes FINAL
    WHERE namespace = {namespace: String} AND _offset > {after: Int64} AND _log_at >= {since: DateTime64(3, 'UTC')}
      AND has({types: Array(String)}, type)
    ORDER BY _offset
    LIMIT {limit: UInt32}`,
  params: z.object({ after: z.int(), since: moment, types: z.array(z.enum(CHANGE_TYPES)), limit: z.int() }),
  row: z
    .object({
      id: z.string(),
      type: z.enum(CHANGE_TYPES),
      occurred_at: z.string(),
      data: z.string(),
      place: z.number(),
      log_partition: z.number(),
      logged_at: z.number(),
    })
    .transform(({ place, log_partition, ...row }) => ({ ...row, offset: place, partition: log_partition })),
})

/** Where the feed of a namespace stands, as far as the view has it. */
export const newestChange = query({
  name: 'changes.newest',
  sequential: true,
  sql: `
    SELECT _offset AS place, _partition AS log_partition
    FROM changes
    WHERE namespace = {namespace: String}
    ORDER BY _offset DESC
    LIMIT 1`,
  params: z.object({}),
  row: z
    .object({ place: z.number(), log_partition: z.number() })
    .transform(({ place, log_partition }) => ({ offset: place, partition: log_partition })),
})
