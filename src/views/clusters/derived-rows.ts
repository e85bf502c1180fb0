import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'

/** The stories that hold or held an article of which the log has a fact from an offset on. */
export const touchedSince = (offset: string): string => `
      SELECT DISTINCT cluster_id FROM placements
      WHERE namespace = {namespace: String} AND article_id IN
      (
        SELECT article_id FROM placements
        WHERE namespace = {namespace: String} AND toInt64(_offset) > ${offset}
      )
      UNION DISTINCT
      SELECT cluster_id FROM settlements
      WHERE namespace = {namespace: String} AND toInt64(_offset) > ${offset}`

/** With more stories than this to be computed from facts, a list is computed from facts as a whole. */
const MANY = 2_000

/**
 * A table with one row per story, computed from the facts up to a log offset, and the table with this offset for each
 * namespace.
 */
export interface DerivedRows {
  readonly table: string
  readonly read: string
  /** The log offset up to which the rows of a namespace include the facts; `null` if there are none yet. */
  readonly upTo: (store: Store, namespace: string) => Promise<number | null>
  /**
   * The stories whose row does not hold as of a point in time: facts about them are newer than the row, or later than
   * the point in time. `null` if they are many. All of them, if the table was not filled yet.
   */
  readonly outdated: (store: Store, at: AsOf) => Promise<readonly string[] | null>
}

function derivedRows(table: string): DerivedRows {
  const read = `${table}_read`
  const offset = query({
    name: `${table}.read`,
    sql: `SELECT max(_offset) AS up_to, count() AS known FROM ${read} WHERE namespace = {namespace: String}`,
    params: z.object({}),
    row: z.object({ up_to: z.number(), known: z.number() }),
  })
  const changedSince = query({
    name: `${table}.outdated`,
    sql: `
    WITH (
      SELECT if(count() = 0, -1, toInt64(max(_offset))) FROM ${read} WHERE namespace = {namespace: String}
    ) AS up_to
    SELECT DISTINCT cluster_id FROM
    (
      SELECT cluster_id FROM ${table}
      WHERE namespace = {namespace: String} AND changed_at > {as_of: DateTime64(3, 'UTC')}
      UNION ALL
      ${touchedSince('up_to')}
    )
    LIMIT ${MANY + 1}`,
    params: z.object({ as_of: moment }),
    row: z.object({ cluster_id: z.string() }),
  })
  const upTo = async (store: Store, namespace: string) => {
    const [row] = await offset(store)({ namespace })
    return row === undefined || row.known === 0 ? null : row.up_to
  }
  const outdated = async (store: Store, at: AsOf) => {
    const rows = await changedSince(store)(at)
    return rows.length > MANY ? null : rows.map(({ cluster_id }) => cluster_id)
  }
  return { table, read, upTo, outdated }
}

/** What lists rank and filter by. */
export const FIGURES = derivedRows('story_figures')
/** What lists show. */
export const ITEMS = derivedRows('story_items')

interface StoriesRequest extends AsOf {
  readonly ids: string[]
}

type ReadStories<Request, Row> = (store: Store) => (request: Request) => Promise<readonly Row[]>

/** Reads the stories whose stored row holds as of the point in time from the table, and the others from facts. */
export const storedOrFacts =
  <Request extends StoriesRequest, Row>(
    rows: DerivedRows,
    { stored, facts }: { readonly stored: ReadStories<Request, Row>; readonly facts: ReadStories<Request, Row> },
  ): ReadStories<Request, Row> =>
  (store) =>
  async (request) => {
    const outdated = await rows.outdated(store, request)
    if (outdated === null) return facts(store)(request)
    const stale = new Set(outdated)
    const read = (from: ReadStories<Request, Row>, ids: string[]) =>
      ids.length === 0 ? [] : from(store)({ ...request, ids })
    const [kept, computed] = await Promise.all([
      read(
        stored,
        request.ids.filter((id) => !stale.has(id)),
      ),
      read(
        facts,
        request.ids.filter((id) => stale.has(id)),
      ),
    ])
    return [...kept, ...computed]
  }
