import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectPath } from '../../config/project-path.ts'
import { SHARED } from '../../domain/intake/articles.ts'
import type { Store } from '../../ports/store.ts'
import { type AnalystNames, analystNames, namespaceOfReader } from './users.ts'

/** In creation order: a view may read from those before it. */
const NAMES = (
  'syndication articles revisions embeddings mentions article_entities entities entity_days entity_relationships ' +
  'members clusters cluster_entities subjects membership_history decisions lifecycle corrections ' +
  'relationships threads trends echo echo_history changes'
).split(' ')

export interface AnalystColumn {
  readonly name: string
  /** The ClickHouse name of the type. */
  readonly type: string
  readonly comment: string
}

/**
 * A view for analysts, defined in `views/<name>.sql`. Its columns are a public contract: `docs/analyst-views.md` lists
 * them.
 */
export interface AnalystView {
  readonly name: string
  /** What a row represents, and the topic that it comes from. */
  readonly comment: string
  readonly columns: readonly AnalystColumn[]
  /**
   * One statement with the placeholders `{{views}}`, `{{facts}}`, `{{namespace}}` and `{{definer}}`. Row policies do not
   * apply to tables that are spread over shards: a view that reads one names the namespace.
   */
  readonly sql: string
}

export const analystViews = (): readonly AnalystView[] => NAMES.map(viewOf)

/** Parses a view. Throws if a column has no comment, because its unit would be undocumented. */
function viewOf(name: string): AnalystView {
  const sql = textOf(name).replace('{{accounts}}', () => textOf('parts/accounts').replaceAll(/^--.*\n/gm, ''))
  const listed = /\n\(\n([\s\S]*?)\n\)\n\{\{definer\}\}/.exec(sql)?.[1]
  const comment = /\nCOMMENT '([^']+)'$/.exec(sql)?.[1]
  if (listed === undefined || comment === undefined) {
    throw new Error(`${name}.sql: a view is its columns in brackets, {{definer}}, AS SELECT and a COMMENT at the end`)
  }
  return { name, comment, columns: listed.split('\n').map((line) => columnOf(name, line)), sql }
}

const textOf = (name: string): string =>
  readFileSync(projectPath(`src/engines/analysts/views/${name}.sql`), 'utf8')
    .replaceAll('\r\n', '\n')
    .trim()

function columnOf(view: string, line: string): AnalystColumn {
  const [, name = '', type = '', comment = ''] = /^ {2}(\w+) +(\S.*?) +COMMENT '([^']+)',?$/.exec(line) ?? []
  if (name === '') throw new Error(`${view}.sql: a column is a line of name, type and COMMENT '...', not "${line}"`)
  return { name, type, comment }
}

/** The statement that creates a view in an analyst's database, over the tables in `database`. */
const statementOf = ({ sql }: AnalystView, database: string, { views, reader, namespace }: AnalystNames): string =>
  sql
    .replaceAll('{{views}}', views)
    .replaceAll('{{facts}}', database)
    .replaceAll('{{namespace}}', namespace)
    .replaceAll('{{definer}}', `DEFINER = ${reader} SQL SECURITY DEFINER`)

const VERSION_DIGITS = 12

/** A hash that changes when any of the statements changes. */
export const versionOf = (statements: readonly string[]): string =>
  createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, VERSION_DIGITS)

/** The text of docs/analyst-views.md: all views with their columns, in Markdown. */
export const viewsDocument = (views: readonly AnalystView[]): string =>
  `# Views for analysts

Printed by \`story analysts views\`; a test compares it with the server. Names and types are stable: a
column may be added, but none is removed or changes its type. Example queries: [analysts.md](analysts.md).

| view | rows |
|---|---|
${views.map(({ name, comment }) => `| [${name}](#${name}) | ${comment} |`).join('\n')}

${views.map(section).join('\n\n')}
`

const section = ({ name, comment, columns }: AnalystView): string =>
  `## ${name}

${comment}.

| column | type | meaning |
|---|---|---|
${columns.map(line).join('\n')}`

const line = ({ name, type, comment }: AnalystColumn): string => `| ${name} | \`${type}\` | ${comment} |`

/** The analysts of a database, read from the server: every reader with a row policy. */
export async function knownAnalysts(store: Store, database: string): Promise<readonly AnalystNames[]> {
  const row = z.object({ reader: z.string() })
  const found = await store.query({
    name: 'analysts.known',
    sql: `
      SELECT DISTINCT arrayJoin(apply_to_list) AS reader FROM system.row_policies
      WHERE database = {database: String} AND table = '' AND select_filter != '' ORDER BY reader`,
    params: { database },
    parse: (one) => row.parse(one),
  })
  return found.flatMap(({ reader }) => {
    const namespace = namespaceOfReader(reader)
    return namespace === null ? [] : [analystNames(namespace)]
  })
}

/**
 * Updates the views of every analyst to this version. Run after each migration; views that are up to date are not
 * changed.
 */
export async function refreshAnalystViews(store: Store, database: string): Promise<void> {
  for (const names of await knownAnalysts(store, database)) await refreshViews(store, database, names)
}

export const createViews = ({ views }: AnalystNames): string => `CREATE DATABASE IF NOT EXISTS ${views} ENGINE = Atomic`

/**
 * Updates the views of an analyst. The version is stored in the comment of the analyst's database and is written last,
 * so that an interrupted update is repeated. Each view is replaced atomically: a query sees the old or the new
 * definition.
 */
export async function refreshViews(store: Store, database: string, names: AnalystNames): Promise<void> {
  const definitions = analystViews()
  const statements = definitions.map((view) => statementOf(view, database, names))
  const comment = `Stable views for analysts: docs/analysts.md of the service. Version ${versionOf(statements)}`
  const there = await databaseOf(store, names)
  if (there.comment === comment && definitions.every(({ name }) => there.tables.includes(name))) return

  await store.command(createViews(names))
  for (const statement of statements) await store.command(statement)
  for (const name of there.tables) {
    if (!definitions.some((view) => view.name === name))
      await store.command(`DROP VIEW IF EXISTS ${names.views}.${name} SYNC`)
  }
  if (names.namespace === SHARED) await store.command(`DROP DATABASE IF EXISTS ${database}_${SHARED} SYNC`) // old
  await store.command(`ALTER DATABASE ${names.views} MODIFY COMMENT '${comment}'`)
}

/** The comment is empty if the database does not exist. */
async function databaseOf(store: Store, { views }: AnalystNames) {
  const row = z.object({ comment: z.string(), tables: z.array(z.string()) })
  const [found] = await store.query({
    name: 'analysts.views',
    sql: `
      SELECT
        (SELECT any(comment) FROM system.databases WHERE name = {views: String}) AS comment,
        (SELECT groupArray(name) FROM system.tables WHERE database = {views: String}) AS tables`,
    params: { views },
    parse: (one) => row.parse(one),
  })
  return found ?? { comment: '', tables: [] }
}
