import { Command, type Help } from 'commander'
import { commandsFor } from '../../src/cli/commands.ts'
import { loadConfig } from '../../src/config/config.ts'
import { connect } from '../../src/wiring/connect.ts'

const HEAD = `# Commands

All commands of \`story\`, as \`npx story help\` and \`npx story help COMMAND\` print them. This page is generated from that help
and checked by a test; \`npx vitest run --project unit test/parity/cli.test.ts -u\` writes it.

- \`--json\` prints machine-readable output on stdout. Progress and warnings go to stderr.
- \`--dry-run\` changes nothing.
- The exit code is 0 on success, 1 if the command failed and 2 if it was called with wrong arguments.

`

/** Documents with more about a command. */
const SEE: Readonly<Record<string, string>> = {
  init: 'tutorial.md',
  start: 'docker/README.md',
  import: 'producers.md',
  mcp: 'assistants.md',
  keys: 'keys.md',
  webhooks: 'webhooks.md#for-operators',
  analysts: 'analysts.md',
  dead: 'dead-letters.md',
  archive: 'backup.md',
  lag: 'operating.md',
  metrics: 'runbook.md#metrics',
  rebuild: 'rebuild.md',
  reprocess: 'reprocess.md',
  topology: 'topics.md',
  config: 'configuration.md',
  topics: 'topics.md',
  bench: 'sizing.md',
  quality: 'quality.md',
}

/** The CLI, without connections. */
export async function cliProgram(): Promise<Command> {
  const story = new Command('story')
  const wiring = connect(loadConfig({ LOG_LEVEL: 'silent' }), {})
  for (const register of await commandsFor(undefined)) register(story, wiring)
  return story
}

/** The content of docs/cli.md. */
export function cliDocument(story: Command): string {
  const rows = story.commands.map(
    (command) => `| [\`story ${command.name()}\`](#story-${command.name()}) | ${cell(command.description())} |`,
  )
  const index = ['| command | description |', '|---|---|', ...rows].join('\n')
  return `${HEAD}${[index, ...story.commands.flatMap((command) => sections(command, 2))].join('\n\n')}\n`
}

/** A section for the command, then one for each of its subcommands. */
function sections(command: Command, level: number): readonly string[] {
  const help = command.createHelp()
  const path = `story ${pathOf(command)}`
  const see = level === 2 ? SEE[command.name()] : undefined
  const parts = [
    `${'#'.repeat(level)} ${path}`,
    sentence(command.description()),
    ...(see === undefined ? [] : [`See [${see}](${see.startsWith('docker') ? '../' : ''}${see}).`]),
    ...(isGroup(command) ? [] : [`\`\`\`\n${help.commandUsage(command)}\n\`\`\``]),
    ...tables(command, help),
    ...afterHelp(command),
  ]
  return [parts.join('\n\n'), ...command.commands.flatMap((one) => sections(one, level + 1))]
}

/** Whether the command only groups subcommands. */
const isGroup = (command: Command): boolean => command.commands.length > 0 && command.options.length === 0

const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

function tables(command: Command, help: Help): readonly string[] {
  const options = command.options.filter(({ hidden }) => !hidden)
  return [
    ...table(
      'argument',
      command.registeredArguments.map((one) => [help.argumentTerm(one), help.argumentDescription(one)]),
    ),
    ...table(
      'option',
      options.map((one) => [one.flags, help.optionDescription(one)]),
    ),
  ]
}

const table = (head: string, rows: readonly (readonly [term: string, text: string])[]): readonly string[] =>
  rows.length === 0
    ? []
    : [
        [
          `| ${head} | description |`,
          '|---|---|',
          ...rows.map(([term, text]) => `| \`${term.replaceAll('|', '\\|')}\` | ${cell(text)} |`),
        ].join('\n'),
      ]

/** The texts added with `addHelpText`: what commander prints below the options. */
function afterHelp(command: Command): readonly string[] {
  let text = ''
  command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp()
  const after = text.replace(command.helpInformation(), '').trim()
  return after === '' ? [] : [`\`\`\`\n${after}\n\`\`\``]
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${cell(text.slice(1))}.`
