import { defaultOf, VARIABLES, type Variable } from '../config/config.ts'
import { MEANINGS } from '../config/meanings.ts'

const HEAD = `# Configuration

All variables that the service reads. \`npx story config variables\` prints this page, \`npx story config\` the current values.

The first of these that sets a variable applies:

1. the environment (an empty value counts as unset, and \`settings.env\` is not used either);
2. for addresses and ports, a running \`story up\` of the same \`STORY_HOME\`;
3. \`settings.env\` in \`STORY_HOME\`;
4. the default.

\`settings.env\` is read at each start. It has lines \`NAME=value\`, with optional quotes around the value; lines that begin with \`#\` are ignored:

\`\`\`
# .story/settings.env
QUALITY_GATE=0.6
LIFECYCLE='{"breaking": {"origins": 4}}'
\`\`\`

An invalid line stops the start and is reported by number. Make a file with secrets readable by its owner only (\`chmod 600\`).

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
