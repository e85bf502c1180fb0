import { defaultOf, VARIABLES, type Variable } from '../config/config.ts'
import { MEANINGS } from '../config/meanings.ts'

const HEAD = `# Configuration

Every variable that the service reads. \`npx story config variables\` prints this page; \`npx story config\` shows the values that
hold.

A value comes from the first of these that has one: the environment; for addresses and ports, a running \`story up\` of the
same \`STORY_HOME\`; \`settings.env\` in \`STORY_HOME\`; the default. A variable that is set to nothing counts as unset, and
the file's value is not used either.

\`settings.env\` holds lines \`NAME=value\`; lines that begin with \`#\` are skipped, a value may stand in quotes. It is read at each
start, so settings survive a restart:

\`\`\`
# .story/settings.env
QUALITY_GATE=0.6
LIFECYCLE='{"breaking": {"origins": 4}}'
\`\`\`

A line that is not understood ends the start with its number. A file that holds secrets should be readable by its owner alone
(\`chmod 600\`).

| variable | meaning | default | unit |
|---|---|---|---|
`

/** What docs/configuration.md holds. */
export const configurationDocument = (): string => `${HEAD}${VARIABLES.map(row).join('\n')}\n`

function row(name: Variable): string {
  const { meaning, unit = '', default: said } = MEANINGS[name]
  const value = defaultOf(name)
  return `| \`${name}\` | ${meaning} | ${said ?? (value === null || value === '' ? '' : `\`${value}\``)} | ${unit} |`
}
