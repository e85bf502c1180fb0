import { type Command, InvalidArgumentError, Option } from 'commander'
import { privateNamespace } from './analysts.ts'
import { DEFAULT_SCOPES, isScope, type Scope, SCOPES } from '../api/http/keys/scopes.ts'
import { create, type CreateOptions } from '../operations/keys/create.ts'
import { list, type KeyListOptions } from '../operations/keys/read-keys.ts'
import { revoke } from '../operations/keys/revoke.ts'
import { rotate, type RotateOptions } from '../operations/keys/rotate.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { CommandOptions } from '../operations/options.ts'

export const keysCommand = (program: Command, wiring: Wiring): void => {
  const keys = program.command('keys').description('manage API keys; a key is shown once, only its hash is stored')
  keys
    .command('create')
    .description('create a key; the first key of a private namespace also creates its analyst')
    .addOption(tierOption())
    .option('--private <namespace>', 'private namespace of the key, created if new: [a-z0-9-]{3,40}', privateNamespace)
    .addOption(scopesOption())
    .addOption(readOnlyOption())
    .option('--curator', 'add the scope curate: corrections of stories in the shared namespace')
    .option('--expires <when>', 'expiry: a number of days (30d) or a date')
    .option('--name <name>', 'owner or purpose of the key', '')
    .option(
      '--no-analyst',
      'do not create a ClickHouse user for a new namespace (creating one restarts the ClickHouse of `story up`; reads wait a second or two)',
    )
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'check the options, create nothing')
    .action((options: CreateOptions) => create(wiring, options))
  keys
    .command('list')
    .description('list keys, oldest first')
    .option('--namespace <namespace>', 'only keys of this namespace')
    .option('--live', 'only keys that are neither expired nor revoked')
    .option('--json', 'print one JSON object')
    .action((options: KeyListOptions) => list(wiring, options))
  endingCommands(keys, wiring)
}

function endingCommands(keys: Command, wiring: Wiring): void {
  keys
    .command('rotate')
    .description('replace a key by one with the same rights; the old key expires after an overlap')
    .argument('<id>', 'id of the old key, from `story keys list`')
    .option('--overlap <time>', 'how long both keys are valid: 7d, 12h, 30m; 0 revokes the old key immediately', '7d')
    .option('--expires <when>', 'expiry of the new key: days (30d) or a date (default: the lifetime of the old key)')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'print what would be done, change nothing')
    .action((id: string, options: RotateOptions) => rotate(wiring, id, options))
  keys
    .command('revoke')
    .description('revoke a key; all instances refuse it within five seconds')
    .argument('<id>', 'id of the key, from `story keys list`')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'print what would be revoked, change nothing')
    .action((id: string, options: CommandOptions) => revoke(wiring, id, options))
}

const tierOption = (): Option =>
  new Option('--tier <tier>', 'endpoints and rate limits of the key')
    .choices(['starter', 'professional', 'enterprise'])
    .makeOptionMandatory()

const scopesOption = (): Option =>
  new Option(
    '--scopes <list>',
    `what the key may do, separated by commas: ${SCOPES.join(', ')} (default: ${DEFAULT_SCOPES.join(',')})`,
  ).argParser(addScopes)

const readOnlyOption = (): Option => new Option('--read-only', 'only the scope read').conflicts(['scopes', 'curator'])

/** Adds the scopes of one `--scopes` to those of earlier ones. */
function addScopes(list: string, earlier: readonly Scope[] = []): readonly Scope[] {
  const names = list.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !isScope(name))
  if (unknown !== undefined) throw new InvalidArgumentError(`No scope "${unknown}". Scopes: ${SCOPES.join(', ')}`)
  return [...earlier, ...names.filter(isScope)]
}
