import type { Command } from 'commander'
import type { Wiring } from '../ports/wiring.ts'
import { list, type DeadListOptions } from '../operations/dead-letters/list.ts'
import { resolve, type ResolveOptions } from '../operations/dead-letters/resolve.ts'
import { show } from '../operations/dead-letters/show.ts'

export const deadCommand = (program: Command, wiring: Wiring): void => {
  const dead = program.command('dead').description('what stages set aside because it would never work as it is')
  filtered(dead.command('list'))
    .description('dead letters that wait, the oldest of each partition first')
    .option('--settled', 'also those that were retried or dropped')
    .option('--summary', 'only how many, by topic, stage and reason')
    .action((options: DeadListOptions) => list(wiring, options))
  dead
    .command('show')
    .description('one letter wholly: headers, the event in it or how its bytes begin, and how to retry it')
    .argument('<id>', 'topic:partition:offset of the letter, or of the record it is about')
    .option('--json', 'one JSON line for each letter')
    .action((id: string, options: { readonly json?: true }) => show(wiring, id, options))
  filtered(dead.command('retry'))
    .description('send them again, once, to the stage that had set them aside')
    .option('--all', 'every letter that waits')
    .option('--dry-run', 'only say how many')
    .action((options: ResolveOptions) => resolve(wiring, 'retried', options))
  filtered(dead.command('drop'))
    .description('let them rest: they are not listed any more, and stay in the log as long as it keeps them')
    .option('--all', 'every letter that waits')
    .option('--dry-run', 'only say how many')
    .action((options: ResolveOptions) => resolve(wiring, 'dropped', options))
}

/** Which letters are meant. */
const filtered = (command: Command): Command =>
  command
    .option('--stage <stage>', 'set aside by this one, or by these (comma-separated)')
    .option('--topic <topic>', 'of this topic')
    .option('--reason <reason>', 'for this reason, or for these')
    .option('--namespace <namespace>', 'whose event says this namespace (letters that can be read)')
    .option('--since <when>', 'set aside from then on: a date, or how long ago (12h, 7d)')
    .option('--until <when>', 'set aside before then')
    .option('--id <place...>', 'topic:partition:offset of letters, or of the records they are about')
    .option('--limit <number>', 'so many at most')
    .option('--json', 'one JSON object')
