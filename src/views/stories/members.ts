import { z } from 'zod'
import { onOneServer, type Store } from '../../ports/store.ts'
import { concernedByIds, concernedByWindow, withOrigins } from '../clusters/as-of.ts'
import { ITEMS, STORED_ITEMS_OF, storedOrFacts } from '../clusters/derived-rows.ts'
import { moment } from '../instant.ts'
import { query, type AsOf, type RowOf, type Window } from '../query.ts'

/** One row per story in `stories`: the event time and origin of each member. */
const membersSql = (stories: string): string => `
    ${withOrigins('dated')},
    member_origins AS (
      SELECT
        cluster_id, article_id, any(occurred_at) AS at, any(origin) AS of_origin, max(from_origin) AS derived_from_origin
      FROM looked
      WHERE cluster_id IN ${stories}
      GROUP BY cluster_id, article_id
    )
    SELECT cluster_id, groupArray((toUnixTimestamp64Milli(at), of_origin, derived_from_origin)) AS members
    FROM member_origins
    GROUP BY cluster_id`

/** The same from stored rows: `of` follows the table. No members if a story has none any more. */
const storedSql = (of: string): string => `
    WITH items AS (
      SELECT
        cluster_id,
        arrayMap(
          (at, origin, from_origin) -> (toUnixTimestamp64Milli(at), origin, from_origin),
          members.occurred_at, members.origin, members.from_origin
        ) AS each
      FROM story_items FINAL
      ${of}
    )
    SELECT cluster_id, each AS members FROM items`

/** Milliseconds since 1970, origin, and the origin that it derives from or an empty string; unordered. */
const memberRows = z.object({ cluster_id: z.string(), members: z.array(z.tuple([z.number(), z.string(), z.string()])) })

const ofStories = { params: z.object({ ids: z.array(z.string()), as_of: moment }), row: memberRows }
const ofWindow = { params: z.object({ from: moment, as_of: moment }), row: memberRows }

/** `storyMembers`, computed from facts alone. */
export const membersOfFacts = query({
  name: 'stories.members',
  sql: `
    WITH ${concernedByIds()},
    ${membersSql('{ids: Array(String)}')}`,
  ...ofStories,
})

const readMembers = storedOrFacts(ITEMS, {
  stored: query({
    name: 'stories.members_stored',
    sql: storedSql(STORED_ITEMS_OF),
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

const windowOfFacts = query({
  name: 'stories.window_members',
  sql: `
    WITH ${concernedByWindow()},
    ${membersSql('(SELECT cluster_id FROM touched)')}`,
  ...ofWindow,
})

const windowStored = query({
  name: 'stories.window_members_stored',
  sql: storedSql("WHERE namespace = {namespace: String} AND updated_at > {from: DateTime64(3, 'UTC')}"),
  params: ofWindow.params.omit({ as_of: true }),
  row: memberRows,
})

/**
 * `storyMembers` for all stories with articles in a window: one query costs as much as one for a few stories. Stories
 * without articles there may be among them.
 */
export async function windowMembers(stores: Store, { namespace, from, as_of }: Window): Promise<readonly MembersRow[]> {
  const store = onOneServer(stores)
  const outdated = await ITEMS.outdated(store, { namespace, as_of })
  if (outdated === null) return windowOfFacts(store)({ namespace, from, as_of })
  const ids = [...outdated]
  const [found, computed] = await Promise.all([
    windowStored(store)({ namespace, from }),
    ids.length === 0 ? [] : membersOfFacts(store)({ namespace, as_of, ids }),
  ])
  const isOutdated = new Set(ids)
  return withMembers([...found.filter(({ cluster_id }) => !isOutdated.has(cluster_id)), ...computed])
}
