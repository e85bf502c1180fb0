import type { Command } from 'commander'
import { join } from 'node:path'
import { ownerOf } from '../engines/lock-file.ts'
import { settingsHere, settingsOfRunning, type ResolvedSetting } from '../operations/settings.ts'
import type { Wiring } from '../ports/wiring.ts'
import { defaultOf, VARIABLES, type Variable } from '../config/config.ts'
import { MEANINGS } from '../config/meanings.ts'

const SECRET = /password|token|secret/i
const URL_WITH_PASSWORD = /^[a-z]+:\/\/[^/?#]*@/

/** Anything in PEM counts as a secret, including certificates, which would only clutter the output. */
const isSecret = (value: string, name: string): boolean =>
  SECRET.test(name) || value.includes('-----BEGIN ') || URL_WITH_PASSWORD.test(value)

/** The configuration with secrets masked. */
export function printable(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return value !== '' && isSecret(value, name) ? '(set)' : value
  if (Array.isArray(value)) return value.map((one: unknown) => printable(one, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, printable(inner, key)]))
}

export const configCommand = (program: Command, wiring: Wiring): void => {
  const config = program
    .command('config')
    .description('print the settings of the running `story up`, or of this shell if it is not running')
    .option('--json', 'print one JSON object')
    .action(({ json }: { readonly json?: true }) => show(wiring, json === true ? 'json' : 'lines'))
  config
    .command('variables')
    .description('print every variable with its meaning and default (the content of docs/configuration.md)')
    .action(() => wiring.out.line(configurationDocument().trimEnd()))
}

function show({ config, environment, out }: Wiring, as: 'json' | 'lines'): void {
  const { home } = config
  const process = ownerOf(join(home, 'up.lock'))?.pid ?? null
  const settings = process === null ? settingsHere(environment) : settingsOfRunning(environment, home)
  if (as === 'json') {
    out.json({ home, process, settings, understood: printable(config) })
    return
  }
  out.line(
    process === null
      ? `Settings of this shell; \`story up\` is not running in ${home}.`
      : `Settings of the running \`story up\` (process ${process}, ${home}).`,
  )
  settings.forEach((setting) => out.line(lineOf(setting)))
}

const lineOf = ({ variable, value, from, here }: ResolvedSetting): string =>
  [
    variable.padEnd(34),
    (value ?? '(not set)').padEnd(30),
    from,
    ...(here === undefined ? [] : [`differs: this shell has ${here ?? 'none'}`]),
  ].join('  ')

const HEAD = `# Configuration

All variables that the service reads. \`npx story config variables\` prints this page, \`npx story config\` the current values.

The first of these that sets a variable applies:

1. the environment (an empty value means the default, even if \`settings.env\` sets the variable);
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

/** The content of docs/configuration.md. */
export const configurationDocument = (): string => `${HEAD}${VARIABLES.map(row).join('\n')}\n`

function row(name: Variable): string {
  const { meaning, unit = '', default: shownDefault } = MEANINGS[name]
  const value = defaultOf(name)
  return `| \`${name}\` | ${meaning} | ${shownDefault ?? (value === null || value === '' ? '' : `\`${value}\``)} | ${unit} |`
}
