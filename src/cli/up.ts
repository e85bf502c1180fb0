import type { Command } from 'commander'
import { resolve } from 'node:path'
import { loadConfig } from '../config/config.ts'
import type { Wiring } from '../ports/wiring.ts'
import { up, type UpOptions } from '../wiring/up/up.ts'

export const upCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('up')
    .description('start Kafka, registry and ClickHouse without Docker and the whole service, until Ctrl-C')
    .option('--home <dir>', 'folder for data, settings and logs (default: STORY_HOME, else .story)')
    .option('--port <n>', 'port of the API (default: PORT, else 8080 or the next free port)')
    .option('--no-sample', 'do not import the sample articles into an empty log')
    .option('--archive <dir>', 'import this archive into the empty log before the service starts')
    .option('--json', 'print one JSON line on stdout when ready')
    .action(async (options: UpOptions) => {
      const home = resolve(options.home ?? wiring.config.home)
      const environment = { ...wiring.environment, STORY_HOME: home }
      const config = loadConfig(environment)
      if (config.kafka.topicSuffix !== undefined) {
        throw new Error('TOPIC_SUFFIX is not supported with the engines of `story up`: use your own engines')
      }
      await up(home, options, { ...wiring, environment, config })
    })
}
