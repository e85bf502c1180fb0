import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../ports/store.ts'

/** Which tables belong to which view: what `story hash` reads, and what a rebuild would make again. */
export const TABLES = {
  jobs: ['jobs_processing', 'jobs_failed', 'jobs_retried'],
  articles: ['articles', 'article_vectors', 'tokens', 'jobs_completed'],
  entities: ['analyzed_articles', 'mentions', 'entity_articles'],
  clusters: [
    'members',
    'placements',
    'subject_listings',
    'story_changes',
    'settlements',
    'origins',
    'cluster_decisions',
    'cluster_feed',
  ],
  echo: ['enrichments'],
  stories: ['transitions'],
  corrections: ['corrections'],
  graph: ['relationships', 'thread_places', 'graph_builds', 'sentence_relations', 'relation_sentences'],
  trends: ['detections'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/**
 * No content: rows of `submissions` go after some days; `polls` and `deliveries` record the
 * looking and the sending, and the log keeps them some weeks; `changes` repeats for a month what other tables hold.
 */
export const FLEETING = ['submissions', 'polls', 'deliveries', 'changes']
export type ViewName = keyof typeof TABLES

export interface TableHash {
  readonly table: string
  readonly rows: number
  /** Hex, independent of the order of rows. */
  readonly hash: string
}

export type ViewHash = Awaited<ReturnType<typeof hashView>>

/**
 * What a view holds, over all namespaces, as one number: equal when the rows' content is equal, whatever the order, the
 * place in the log and the time of their writing. The only read beside migrations that names no namespace.
 */
export async function hashView(store: Store, view: ViewName) {
  const tables: TableHash[] = []
  for (const table of TABLES[view]) tables.push(await hashTable(store, { table }))
  const parts = tables.map(({ table, rows, hash }) => `${table} ${rows} ${hash}`)
  return {
    view,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    hash: createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32),
    tables,
  }
}

/** It reads every row of a table; a reader's limit is not meant for it. */
const LONGEST_SECONDS = 6 * 3_600

/** What is hashed: a table, of the connection's database unless another is named. */
export interface Hashed {
  readonly table: string
  readonly database?: string
  /** A condition on the columns that begin with `_`; never of user input. */
  readonly within?: string
  /** What is hashed of each row, where that is known already. */
  readonly content?: readonly string[]
}

export async function hashTable(store: Store, hashed: Hashed): Promise<TableHash> {
  const { table } = hashed
  const content = hashed.content ?? (await contentOfTable(store, hashed))
  const [found] = await store.query({
    name: `hash.${table}`,
    sql: `SELECT count() AS rows, lower(leftPad(hex(sum(cityHash64(${content.join(', ')}))), 16, '0')) AS hash FROM ${rowsThatCount(hashed)}`,
    params: {},
    maxSeconds: LONGEST_SECONDS,
    parse: (row) => z.object({ rows: z.number(), hash: z.string() }).parse(row),
  })
  if (found === undefined) throw new Error(`Table ${table} gave no hash`)
  return { table, ...found }
}

/**
 * Of the records of a story only the newest is content, and only while posts are left: how many there were depends on
 * how posts and articles interleaved.
 */
export function rowsThatCount({ table, database, within = '1' }: Hashed): string {
  const rows = `(SELECT * FROM ${database === undefined ? table : `${database}.${table}`} FINAL WHERE ${within})`
  return table === 'enrichments'
    ? `(SELECT * FROM (SELECT * FROM ${rows} ORDER BY _offset DESC LIMIT 1 BY namespace, cluster_id, platform)
        WHERE comment_count_analyzed > 0)`
    : rows
}

/** The expressions that are hashed of each row of a table. Throws where it is not there. */
export async function contentOfTable(store: Store, { table, database = '' }: Hashed): Promise<readonly string[]> {
  const content = contentOf(
    await store.query({
      name: 'hash.columns',
      sql: `SELECT name, type FROM system.columns
        WHERE database = if({database: String} = '', currentDatabase(), {database: String})
          AND table = {table: String} AND default_kind = '' ORDER BY name`,
      params: { table, database },
      parse: (row) => Column.parse(row),
    }),
  )
  if (content.length === 0) throw new Error(`Table ${table} does not exist. Run \`story migrate\``)
  return content
}

const Column = z.object({ name: z.string(), type: z.string() })

/** Ids, times and places that follow from when and where a record was written, not from what it says. */
const OF_THE_WRITING = new Set(['event_id', 'fetched_at', 'caused_offset'])
/** The arrival, where an article has no date. */
const EVENT_TIMES = new Set(['occurred_at', 'valid_from'])

/** A hash of nothing is nothing, and so would be the sum of all. */
const NULLABLE = /^(LowCardinality\()?Nullable\(/

/** What is hashed of each column. Columns that begin with `_` hold the place in the log. */
export function contentOf(columns: readonly z.output<typeof Column>[]): readonly string[] {
  const hasDated = columns.some(({ name }) => name === 'dated')
  return columns
    .filter(({ name }) => !name.startsWith('_') && !OF_THE_WRITING.has(name))
    .flatMap(({ name, type }) => {
      if (hasDated && EVENT_TIMES.has(name)) return [`if(dated, toString(${name}), '')`]
      return NULLABLE.test(type) ? [`isNull(${name})`, `ifNull(toString(${name}), '')`] : [name]
    })
}
