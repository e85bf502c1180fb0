import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../ports/store.ts'

/** The tables of each view: `story hash` reads them, and a rebuild recreates them. */
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
  monitors: ['matches'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/**
 * Tables that are not part of the content: rows of `submissions` expire after some days; `polls` and `deliveries`
 * record I/O, which the log keeps for some weeks; `changes` repeats content of other tables for a month.
 */
export const NOT_HASHED = ['submissions', 'polls', 'deliveries', 'changes', 'fetches']
/**
 * Tables that are computed from other tables, at any time: neither hashed nor rebuilt from the log. In the order in
 * which they are emptied: a namespace without a row in `..._read` is read from facts.
 */
export const DERIVED = ['story_figures_read', 'story_figures', 'story_items_read', 'story_items']
export type ViewName = keyof typeof TABLES

export interface TableHash {
  readonly table: string
  readonly rows: number
  /** Hex; does not depend on the order of rows. */
  readonly hash: string
}

export type ViewHash = Awaited<ReturnType<typeof hashView>>

/**
 * A hash of a view's content over all namespaces. Equal content has an equal hash, whatever the order of rows, their
 * log offsets and their insert times. Apart from migrations, the only read without a namespace.
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

/** The query reads every row of a table, so the limit for API queries does not apply. */
const LONGEST_SECONDS = 6 * 3_600

/** The table to hash, by default in the connection's database. */
export interface Hashed {
  readonly table: string
  readonly database?: string
  /** A condition on the columns whose names begin with `_`. Must not contain user input. */
  readonly within?: string
  /** The expressions to hash per row, if they are known already. */
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
  if (found === undefined) throw new Error(`The query returned no hash of table ${table}`)
  return { table, ...found }
}

/**
 * Of the enrichments of a story, only the newest is content, and only if it has posts: the number of records depends on
 * how posts and articles interleaved.
 */
export function rowsThatCount({ table, database, within = '1' }: Hashed): string {
  const rows = `(SELECT * FROM ${database === undefined ? table : `${database}.${table}`} FINAL WHERE ${within})`
  return table === 'enrichments'
    ? `(SELECT * FROM (SELECT * FROM ${rows} ORDER BY _offset DESC LIMIT 1 BY namespace, cluster_id, platform)
        WHERE comment_count_analyzed > 0)`
    : rows
}

/** The expressions to hash per row of a table. Throws if the table does not exist. */
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

/** Columns that depend on when and where a record was written, not on its content. */
const WRITE_COLUMNS = new Set(['event_id', 'fetched_at', 'caused_offset'])
/** Not hashed for an article without a date: its event time is then the time of arrival. */
const EVENT_TIMES = new Set(['occurred_at', 'valid_from'])

/** The hash of NULL is NULL, which would exclude the row from the sum; so `isNull` and the value are hashed. */
const NULLABLE = /^(LowCardinality\()?Nullable\(/

/** The expressions to hash per column. Columns whose names begin with `_` hold the log position and are skipped. */
export function contentOf(columns: readonly z.output<typeof Column>[]): readonly string[] {
  const hasDated = columns.some(({ name }) => name === 'dated')
  return columns
    .filter(({ name }) => !name.startsWith('_') && !WRITE_COLUMNS.has(name))
    .flatMap(({ name, type }) => {
      if (hasDated && EVENT_TIMES.has(name)) return [`if(dated, toString(${name}), '')`]
      return NULLABLE.test(type) ? [`isNull(${name})`, `ifNull(toString(${name}), '')`] : [name]
    })
}
