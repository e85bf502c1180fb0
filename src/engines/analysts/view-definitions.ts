import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { projectPath } from '../../config/project-path.ts'
import type { AnalystNames } from './users.ts'

/** In the order in which they are made: a view may read those before it. */
const NAMES = [
  ...['syndication', 'articles', 'revisions', 'embeddings'],
  ...['mentions', 'article_entities', 'entities', 'entity_days', 'entity_relationships'],
  ...[
    'members',
    'clusters',
    'cluster_entities',
    'subjects',
    'membership_history',
    'decisions',
    'lifecycle',
    'corrections',
  ],
  ...['relationships', 'threads', 'trends', 'echo', 'echo_history', 'changes'],
]

export interface AnalystColumn {
  readonly name: string
  /** As the server names it. */
  readonly type: string
  readonly comment: string
}

/** A view for analysts: one file `views/<name>.sql`. Its columns are a contract: `docs/analyst-views.md` holds them. */
export interface AnalystView {
  readonly name: string
  /** What a row is, and from which topic. */
  readonly comment: string
  readonly columns: readonly AnalystColumn[]
  /** One statement, with `{{views}}`, `{{facts}}` and `{{definer}}` in it. */
  readonly sql: string
}

export const analystViews = (): readonly AnalystView[] => NAMES.map(viewOf)

/** Throws where a column has no comment: nobody would know its unit. */
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

/** The statement that makes a view in an analyst's database, of the tables in `database`. */
export const statementOf = ({ sql }: AnalystView, database: string, { views, reader }: AnalystNames): string =>
  sql
    .replaceAll('{{views}}', views)
    .replaceAll('{{facts}}', database)
    .replaceAll('{{definer}}', `DEFINER = ${reader} SQL SECURITY DEFINER`)

const VERSION_DIGITS = 12

/** Another one when any of the statements is another. */
export const versionOf = (statements: readonly string[]): string =>
  createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, VERSION_DIGITS)

/** The text of docs/analyst-views.md: every view with its columns, in Markdown. */
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
