import { z } from 'zod'
import { QueryTooLarge, StoreUnavailable, type Store } from '../../ports/store.ts'
import { contentOfTable, hashTable, rowsThatCount, type TableHash } from '../../views/hash.ts'
import { before } from './carry.ts'
import type { Sides } from './exchange.ts'

/** A live table and its rebuilt copy, compared up to the same position in the log. */
export interface ComparedTable {
  readonly table: string
  readonly live: Pick<TableHash, 'rows' | 'hash'>
  readonly rebuilt: Pick<TableHash, 'rows' | 'hash'>
  readonly same: boolean
  /** `null` if the tables are the same, or have too many rows to compare row by row. */
  readonly difference: CompareDifference | null
}

export interface CompareDifference {
  readonly only_live: OnlyThere
  readonly only_rebuilt: OnlyThere
}

const OnlyThere = z.object({
  rows: z.number(),
  /** Sorting keys of some of these rows. */
  examples: z.array(z.string()).readonly(),
})
type OnlyThere = z.infer<typeof OnlyThere>

export interface CompareComparison {
  readonly sides: Sides
  readonly table: string
  /** Both tables are complete before these offsets of the table's topic, by partition. */
  readonly upTo: readonly number[]
}

/** Compares the content, as hashed by `story hash`, of rows before a position in the log. */
export async function compareTable(store: Store, { sides, table, upTo }: CompareComparison): Promise<ComparedTable> {
  const within = before(upTo)
  const content = await contentOfTable(store, { table, database: sides.live }) // both sides have the same columns
  const [live, rebuilt] = [
    await hashTable(store, { database: sides.live, table, within, content }),
    await hashTable(store, { database: sides.shadow, table, within, content }),
  ]
  const same = live.hash === rebuilt.hash && live.rows === rebuilt.rows
  const difference = same ? null : await differenceOf(store, { sides, table, upTo }, content.join(', '))
  return { table, live: totalsOf(live), rebuilt: totalsOf(rebuilt), same, difference }
}

const totalsOf = ({ rows, hash }: TableHash) => ({ rows, hash })

const EXAMPLES = 5
const LONGEST_SECONDS = 6 * 3_600

async function differenceOf(
  store: Store,
  { sides, table, upTo }: CompareComparison,
  content: string,
): Promise<CompareDifference | null> {
  const key = await sortingKey(store, sides.live, table)
  const rows = (database: string) => rowsThatCount({ database, table, within: before(upTo) })
  const onlyIn = async (here: string, there: string): Promise<OnlyThere> => {
    const [found] = await store.query({
      name: 'rebuild.difference',
      sql: `SELECT count() AS rows, groupArray(${EXAMPLES})(key) AS examples
        FROM (SELECT toString(tuple(${key})) AS key, cityHash64(${content}) AS content FROM ${rows(here)})
        WHERE content NOT IN (SELECT cityHash64(${content}) FROM ${rows(there)})`,
      params: {},
      maxSeconds: LONGEST_SECONDS,
      parse: (row) => OnlyThere.parse(row),
    })
    return found ?? { rows: 0, examples: [] }
  }
  try {
    return { only_live: await onlyIn(sides.live, sides.shadow), only_rebuilt: await onlyIn(sides.shadow, sides.live) }
  } catch (cause) {
    if (cause instanceof QueryTooLarge || cause instanceof StoreUnavailable) return null
    throw cause
  }
}

async function sortingKey(store: Store, database: string, table: string): Promise<string> {
  const [found] = await store.query({
    name: 'rebuild.sorting-key',
    sql: 'SELECT sorting_key AS key FROM system.tables WHERE database = {database: String} AND name = {table: String}',
    params: { database, table },
    parse: (row) => z.object({ key: z.string() }).parse(row),
  })
  return found?.key ?? 'namespace'
}
