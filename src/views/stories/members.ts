import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { concernedByIds, withOrigins } from '../clusters/as-of.ts'
import { ITEMS, STORED_ITEMS_OF, storedOrFacts } from '../clusters/derived-rows.ts'
import { overFigures } from '../clusters/figures.ts'
import { moment } from '../instant.ts'
import { query, type AsOf, type RowOf } from '../query.ts'

/** One row per story in `ids`: the event time and origin of each member. */
const MEMBERS = `
    ${withOrigins('dated')},
    member_origins AS (
      SELECT
        cluster_id, article_id, any(occurred_at) AS at, any(origin) AS of_origin, max(from_origin) AS derived_from_origin
      FROM looked
      WHERE cluster_id IN {ids: Array(String)}
      GROUP BY cluster_id, article_id
    )
    SELECT cluster_id, groupArray((toUnixTimestamp64Milli(at), of_origin, derived_from_origin)) AS members
    FROM member_origins
    GROUP BY cluster_id`

/** The same from stored rows. No members if a story has none any more. */
const STORED_MEMBERS = `
    WITH items AS (
      SELECT
        cluster_id,
        arrayMap(
          (at, origin, from_origin) -> (toUnixTimestamp64Milli(at), origin, from_origin),
          members.occurred_at, members.origin, members.from_origin
        ) AS each
      FROM story_items FINAL
      ${STORED_ITEMS_OF}
    )
    SELECT cluster_id, each AS members FROM items`

/** Milliseconds since 1970, origin, and the origin that it derives from or an empty string; unordered. */
const memberRows = z.object({ cluster_id: z.string(), members: z.array(z.tuple([z.number(), z.string(), z.string()])) })

const ofStories = { params: z.object({ ids: z.array(z.string()), as_of: moment }), row: memberRows }

/** `storyMembers`, computed from facts alone. */
export const membersOfFacts = query({
  name: 'stories.members',
  sql: `
    WITH ${concernedByIds()},
    ${MEMBERS}`,
  ...ofStories,
})

const readMembers = storedOrFacts(ITEMS, {
  stored: query({
    name: 'stories.members_stored',
    sql: STORED_MEMBERS,
    ...ofStories,
  }),
  facts: membersOfFacts,
})

type MembersRow = RowOf<typeof membersOfFacts>

const withMembers = (rows: readonly MembersRow[]): readonly MembersRow[] =>
  rows.filter(({ members }) => members.length > 0)

/** One row per story with members as of a point in time. */
export const storyMembers =
  (store: Store) =>
  async (request: AsOf & { readonly ids: string[] }): Promise<readonly MembersRow[]> =>
    withMembers(await readMembers(store)(request))

/**
 * The event times of the articles of each story in a window (milliseconds since 1970), oldest first, which is less to read
 * than their members.
 */
export const timesOfWindow = overFigures({
  name: 'stories.times',
  columns: 'cluster_id, updated_at, times',
  select: `
    SELECT cluster_id, arrayMap(time -> toUnixTimestamp64Milli(time), figures.times) AS times FROM figures
    WHERE updated_at <= {as_of: DateTime64(3, 'UTC')}`,
  params: z.object({ from: moment, as_of: moment }),
  row: z.object({ cluster_id: z.string(), times: z.array(z.number()) }),
})
