import type { AnalystColumn, AnalystView } from './view-definitions.ts'

/** The text of docs/analyst-views.md: every view with its columns, in Markdown. */
export const viewsDocument = (views: readonly AnalystView[]): string =>
  `# Views for analysts

Printed by \`story analysts views\`; a test holds the server's own description of the views to it. Names and types stay: a
column may be added, none goes or changes its type without a new name. How to ask: [analysts.md](analysts.md).

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
