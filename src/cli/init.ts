import type { Command } from 'commander'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { loadConfig } from '../config/config.ts'
import { init, type InitOptions } from '../operations/init/init.ts'
import type { Terminal } from '../operations/init/questions.ts'
import type { Wiring } from '../ports/wiring.ts'

export const initCommand = (program: Command, wiring: Wiring, openTerminal = standardTerminal): void => {
  program
    .command('init')
    .description('ask for a name, outlets and a key, and write the settings and the list of feeds for `story up`')
    .option('--name <name>', 'name of your newsroom or project, given to the first API key (default: demo)')
    .option('--region <regions>', 'bundled lists of outlets, separated by commas, or none (default: world)', collected)
    .option('--opml <file>', 'the feeds of an OPML list')
    .option('--feed <url>', 'address of a feed; may be repeated', collected)
    .option('--key', 'create a key at the first start (the default)')
    .option('--no-key', 'do not create a key at the first start')
    .option('--yes', 'ask nothing: use the current settings or the defaults for what is not given')
    .option('--force', 'replace the list of feeds, and values in settings.env')
    .option('--home <dir>', 'folder for data, settings and logs (default: STORY_HOME, else .story)')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'print what would be written, write nothing')
    .addHelpText('after', ABOUT)
    .action(async (options: InitOptions) => {
      if (options.home === undefined) return init(wiring, options, openTerminal)
      const home = resolve(options.home)
      const environment = { ...wiring.environment, STORY_HOME: home }
      return init({ ...wiring, environment, config: loadConfig(environment) }, { ...options, home }, openTerminal)
    })
}

const ABOUT = `
Writes settings.env and feeds.opml in the home; needs no running service. The next \`story up\` creates the key and
watches the feeds, since keys and feeds are events in its log. The command can be repeated: it changes nothing that is
there already, and without --force it refuses to replace anything.`

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Asks on stderr, so that stdout has the result only. `null` if the input is no terminal. */
function standardTerminal(): Terminal | null {
  if (!process.stdin.isTTY) return null
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new Error('stopped: nothing was written')))
  })
  ended.catch(() => undefined) // closed after the last answer
  return {
    say: (line) => void process.stderr.write(`${line}\n`),
    ask: (question) => Promise.race([lines.question(question), ended]),
    close: () => lines.close(),
  }
}
