import type { AnalystColumn, AnalystView } from './view-definitions.ts'

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
