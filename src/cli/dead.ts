import type { Command } from 'commander'
import type { Wiring } from '../ports/wiring.ts'
import { list, type DeadListOptions, show } from '../operations/dead-letters/print-letters.ts'
import { resolve, type ResolveOptions } from '../operations/dead-letters/resolve.ts'

export const deadCommand = (program: Command, wiring: Wiring): void => {
  const dead = program
    .command('dead')
    .description('list, retry and drop dead letters: records that a stage could not process')
  filtered(dead.command('list'))
    .description('list unresolved dead letters, oldest first in each partition')
    .option('--settled', 'include dead letters that were retried or dropped')
    .option('--summary', 'print only the number by topic, stage and reason')
    .action((options: DeadListOptions) => list(wiring, options))
  dead
    .command('show')
    .description('show one dead letter: headers, event (or first bytes) and the command to retry it')
    .argument('<id>', 'topic:partition:offset of the dead letter or of the original record')
    .option('--json', 'print one JSON line per dead letter')
    .action((id: string, options: { readonly json?: true }) => show(wiring, id, options))
  filtered(dead.command('retry'))
    .description('send dead letters to the stage that rejected them, once')
    .option('--all', 'all unresolved dead letters')
    .option('--dry-run', 'print how many are selected, change nothing')
    .action((options: ResolveOptions) => resolve(wiring, 'retried', options))
  filtered(dead.command('drop'))
    .description('remove dead letters from the list; the records stay in the log until it expires them')
    .option('--all', 'all unresolved dead letters')
    .option('--dry-run', 'print how many are selected, change nothing')
    .action((options: ResolveOptions) => resolve(wiring, 'dropped', options))
}

/** Adds the options that select dead letters. */
const filtered = (command: Command): Command =>
  command
    .option('--stage <stage>', 'only from these stages (comma-separated)')
    .option('--topic <topic>', 'only from this topic')
    .option('--reason <reason>', 'only with these reasons (comma-separated)')
    .option('--namespace <namespace>', 'only events of this namespace (readable dead letters only)')
    .option('--since <when>', 'only rejected at or after this time: a date or an age (12h, 7d)')
    .option('--until <when>', 'only rejected before this time: a date or an age (12h, 7d)')
    .option('--id <place...>', 'topic:partition:offset of dead letters or of the original records')
    .option('--limit <number>', 'maximum number of dead letters')
    .option('--json', 'print one JSON object')
