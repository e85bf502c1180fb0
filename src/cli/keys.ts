import { type Command, Option } from 'commander'
import { privateNamespace } from './analysts.ts'
import { create, type CreateOptions } from '../operations/keys/create.ts'
import { list, type KeyListOptions } from '../operations/keys/list.ts'
import { revoke } from '../operations/keys/revoke.ts'
import { rotate, type RotateOptions } from '../operations/keys/rotate.ts'
import type { Wiring } from '../ports/wiring.ts'

interface Common {
  readonly json?: true
  readonly dryRun?: true
}

export const keysCommand = (program: Command, wiring: Wiring): void => {
  const keys = program.command('keys').description('API keys: only their hash is kept, a key is shown once')
  keys
    .command('create')
    .description('issue a key; the first of a private namespace comes with an analyst of its own')
    .addOption(tierOption())
    .option(
      '--private <namespace>',
      'in the private namespace <namespace> (made if new): [a-z0-9-]{3,40}',
      privateNamespace,
    )
    .option('--curator', 'may correct stories of the shared namespace')
    .option('--expires <when>', 'after so many days (30d), or at a date')
    .option('--name <name>', 'whose it is, or what for', '')
    .option(
      '--no-analyst',
      'without a ClickHouse user for a new namespace (making one restarts the ClickHouse of `story up`: reads wait a second or two)',
    )
    .option('--json', 'one JSON object')
    .option('--dry-run', 'check the options, create nothing')
    .action((options: CreateOptions) => create(wiring, options))
  keys
    .command('list')
    .description('every key, oldest first')
    .option('--namespace <namespace>', 'of this one alone')
    .option('--live', 'neither expired nor revoked')
    .option('--json', 'one JSON object')
    .action((options: KeyListOptions) => list(wiring, options))
  endingCommands(keys, wiring)
}

function endingCommands(keys: Command, wiring: Wiring): void {
  keys
    .command('rotate')
    .description('replace a key by one with the same rights; the old one ends after an overlap')
    .argument('<id>', 'of the old key, as `keys list` shows it')
    .option('--overlap <time>', 'how long both are good: 7d, 12h, 30m; 0 revokes the old one now', '7d')
    .option('--expires <when>', 'of the new key; without it, it lives as long as the old one was made to')
    .option('--json', 'one JSON object')
    .option('--dry-run', 'only say what would be done')
    .action((id: string, options: RotateOptions) => rotate(wiring, id, options))
  keys
    .command('revoke')
    .description('refuse a key everywhere within five seconds')
    .argument('<id>', 'its id, as `keys list` shows it')
    .option('--json', 'one JSON object')
    .option('--dry-run', 'only say what would be revoked')
    .action((id: string, options: Common) => revoke(wiring, id, options))
}

const tierOption = (): Option =>
  new Option('--tier <tier>', 'what it may call, and how often')
    .choices(['starter', 'professional', 'enterprise'])
    .makeOptionMandatory()
