import { z } from 'zod'
import { onOneServer, type Store } from '../../ports/store.ts'
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
  readonly offsets: string
  /** The log offset up to which the rows of a namespace include the facts; `null` if there are none yet. */
  readonly upTo: (store: Store, namespace: string) => Promise<number | null>
  /**
   * The stories whose row does not hold, because facts about them are newer; with `readsChanges`, also those with facts
   * later than the point in time. `null` if they are many, or if the table was not filled yet.
   */
  readonly outdated: (store: Store, at: AsOf) => Promise<readonly string[] | null>
}

/** Later than all facts. */
const NO_OFFSET = '9223372036854775807'

interface DerivedTable {
  readonly table: string
  /** Otherwise each read of the table compares the point in time with `changed_at` itself. */
  readonly readsChanges: boolean
}

function derivedRows({ table, readsChanges }: DerivedTable): DerivedRows {
  const offsets = `${table}_read`
  const offset = query({
    name: `${table}.up_to`,
    sql: `SELECT max(_offset) AS up_to, count() AS known FROM ${offsets} WHERE namespace = {namespace: String}`,
    params: z.object({}),
    row: z.object({ up_to: z.number(), known: z.number() }),
  })
  const shape: z.ZodObject = readsChanges ? z.object({ as_of: moment }) : z.object({})
  const changedSince = query({
    name: `${table}.outdated`,
    sql: `
    WITH (
      SELECT if(count() = 0, ${NO_OFFSET}, toInt64(max(_offset))) FROM ${offsets} WHERE namespace = {namespace: String}
    ) AS up_to
    SELECT DISTINCT cluster_id FROM
    (
      SELECT '' AS cluster_id WHERE up_to = ${NO_OFFSET}
      UNION ALL
      ${readsChanges ? changedAfter(table) : ''}
      ${touchedSince('up_to')}
    )
    LIMIT ${MANY + 1}`,
    params: shape,
    row: z.object({ cluster_id: z.string() }),
  })
  const upTo = async (store: Store, namespace: string) => {
    const [row] = await offset(store)({ namespace })
    return row === undefined || row.known === 0 ? null : row.up_to
  }
  const outdated = async (store: Store, at: AsOf) => {
    const ids = (await changedSince(store)({ ...at })).map(({ cluster_id }) => cluster_id)
    return ids.length > MANY || ids.includes('') ? null : ids
  }
  return { table, offsets, upTo, outdated }
}

const changedAfter = (table: string): string => `
      SELECT cluster_id FROM ${table}
      WHERE namespace = {namespace: String} AND changed_at > {as_of: DateTime64(3, 'UTC')}
      UNION ALL`

/** What lists rank and filter by. */
export const FIGURES = derivedRows({ table: 'story_figures', readsChanges: true })
/** What lists show. Read as `STORED_ITEMS_OF`. */
export const ITEMS = derivedRows({ table: 'story_items', readsChanges: false })

/**
 * Follows `story_items FINAL`: the rows of the stories `ids` that hold as of a point in time. The PREWHERE is applied before
 * FINAL, so that whole rows are read of these stories only; this is safe because all rows of a story have its id.
 */
export const STORED_ITEMS_OF = `PREWHERE cluster_id IN {ids: Array(String)}
      WHERE namespace = {namespace: String} AND changed_at <= {as_of: DateTime64(3, 'UTC')}`

interface StoriesRequest extends AsOf {
  readonly ids: string[]
}

type ReadStories<Request, Row> = (store: Store) => (request: Request) => Promise<readonly Row[]>

/**
 * Reads the stories whose stored row holds as of the point in time from the table, and those that are outdated or have no
 * row there from facts.
 */
export const storedOrFacts =
  <Request extends StoriesRequest, Row extends { readonly cluster_id: string }>(
    rows: DerivedRows,
    { stored, facts }: { readonly stored: ReadStories<Request, Row>; readonly facts: ReadStories<Request, Row> },
  ): ReadStories<Request, Row> =>
  (stores) =>
  async (request) => {
    const store = onOneServer(stores)
    const outdated = await rows.outdated(store, request)
    if (outdated === null) return facts(store)(request)
    const read = (from: ReadStories<Request, Row>, ids: string[]) =>
      ids.length === 0 ? [] : from(store)({ ...request, ids })
    const isOutdated = new Set(outdated)
    const valid = request.ids.filter((id) => !isOutdated.has(id))
    const others = request.ids.filter((id) => isOutdated.has(id))
    const [found, computed] = await Promise.all([read(stored, valid), read(facts, others)])
    const has = new Set(found.map(({ cluster_id }) => cluster_id))
    const missing = valid.filter((id) => !has.has(id))
    return [...found, ...computed, ...(await read(facts, missing))]
  }
