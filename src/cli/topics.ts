import type { Command } from 'commander'
import { projectPath } from '../config/project-path.ts'
import { readTopicFiles, type TopicChange } from '../config/topics.ts'
import { growCommand, type GrowOptions } from '../operations/grow/commands.ts'
import { replicateCommand, type ReplicateOptions } from '../operations/replicate/replicate.ts'
import { aclArguments, grants } from '../operations/topic-acls.ts'
import { applyTopics, plannedTopics } from '../operations/topics.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { CommandOptions } from '../operations/options.ts'

export const topicsCommand = (program: Command, wiring: Wiring): void => {
  const topics = program.command('topics').description('manage the Kafka topics defined in topics/*.yaml')
  topics
    .command('plan')
    .description('print what `apply` would change')
    .option('--json', 'print one JSON object')
    .action(({ json }: CommandOptions) => planOrApply(wiring, { ...(json && { json }), dryRun: true }))
  topics
    .command('apply')
    .description('create missing topics and correct settings; partition counts are never changed')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'print what would change, change nothing')
    .action((options: CommandOptions) => planOrApply(wiring, options))
  topics
    .command('grow')
    .description('copy all topics to new ones with more partitions, in which records keep their order, ids and offsets')
    .requiredOption('--partitions <number>', 'partitions of each partitioned topic: a multiple of the present number')
    .option('--suffix <text>', 'end of the names of the new topics (default: .p and the number)')
    .option('--finish', 'with every process stopped: stop writes, copy the rest and the committed offsets')
    .option('--abort', 'delete the new topics and accept records in the old ones again')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'print how much would be copied, change nothing')
    .action((options: GrowOptions) => growCommand(wiring, options))
  topics
    .command('replicate')
    .description('copy partitions to further brokers until each has so many copies; run it again if it was interrupted')
    .argument('[topics...]', 'further topics, such as that of the schema registry')
    .requiredOption('--replicas <number>', 'copies of each partition')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'print what would be copied, change nothing')
    .action((others: string[], options: ReplicateOptions) => replicateCommand(wiring, others, options))
  topics
    .command('acls')
    .description('print the ACLs that each process needs, one line of `kafka-acls.sh` arguments each')
    .option('--prefix <text>', 'prefix of the user names', 'story-')
    .option('--json', 'print one JSON object')
    .action(({ prefix, json }: { readonly prefix: string; readonly json?: true }) => {
      const all = grants(readTopicFiles(projectPath('topics')), wiring.config.kafka.topicSuffix)
      if (json) wiring.out.json({ grants: all.map((one) => ({ ...one, principal: `User:${prefix}${one.principal}` })) })
      else all.forEach((one) => wiring.out.line(aclArguments(one, prefix).map(quoted).join(' ')))
    })
}

/** Quotes `*` so that a shell does not expand it to file names. */
const quoted = (word: string): string => (word === '*' ? "'*'" : word)

async function planOrApply(wiring: Wiring, { json, dryRun }: CommandOptions): Promise<void> {
  const changes = dryRun ? await plannedTopics(wiring.config) : await applyTopics(wiring.config)
  if (json) wiring.out.json({ applied: dryRun !== true, changes })
  else [...changes.flatMap(changeLines), summary(changes, dryRun === true)].forEach((line) => wiring.out.line(line))
}

function changeLines(change: TopicChange): readonly string[] {
  switch (change.kind) {
    case 'create':
      return [`create    ${change.topic.name} (${change.topic.partitions} partition(s))`]
    case 'configure':
      return change.differences.map(
        ({ entry, from, to }) => `configure ${change.name} ${entry} ${from ?? 'unset'} -> ${to}`,
      )
    case 'conflict':
      return [`conflict  ${change.name} has ${change.partitions} partition(s), expected ${change.expected}`]
  }
}

function summary(changes: readonly TopicChange[], planned: boolean): string {
  if (changes.length === 0) return 'All topics match their definitions.'
  return planned ? `${changes.length} change(s) to apply.` : `${changes.length} change(s) applied.`
}
