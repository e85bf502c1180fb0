import type { Command } from 'commander'
import { SHARED } from '../domain/intake/articles.ts'
import type { GraphBuilds } from '../api/http/dependencies.ts'
import type { Wiring } from '../ports/wiring.ts'
import { graphBuildsOf } from '../operations/graph/graph-builds.ts'
import { type CommandOptions, checkedNamespace } from '../operations/options.ts'

interface GraphOptions extends CommandOptions {
  readonly namespace: string
}

export const graphCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('graph')
    .description('manage the story graph')
    .command('build')
    .description('build the graph from the stored facts and repair differences in the live graph')
    .option('--namespace <name>', 'namespace of the graph', SHARED)
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'print the differences, change nothing')
    .action((options: GraphOptions) => build(wiring, options))
}

async function build(wiring: Wiring, { namespace, json, dryRun }: GraphOptions): Promise<void> {
  checkedNamespace(namespace)
  const begun = wiring.clock.now()
  const builds = await graphBuildsOf(wiring)
  const found = dryRun === true ? await dryRunResult(builds, namespace) : await builds.build(namespace)
  const result = { namespace, ...found, duration_seconds: (wiring.clock.now() - begun) / 1000 }
  if (json) {
    wiring.out.json(result)
    return
  }
  wiring.out.line(
    `${result.clusters_processed} stories, ${result.relationships_created} relationships, ${result.narrative_threads_built} ` +
      `threads, ${result.entity_pairs_processed} pairs of entities in ${result.duration_seconds} s`,
  )
  wiring.out.line(`${result.differences} ${dryRun === true ? 'differences' : 'differences repaired'}`)
  if (result.beyond_memory > 0)
    wiring.out.line(`${result.beyond_memory} more differences are outside the retention of the stage`)
  if (!result.kept) wiring.out.line('the stage has not started yet; it emits them when it starts')
}

/** The result that a build would have, without repairs. */
async function dryRunResult(builds: GraphBuilds, namespace: string) {
  const { stories, links, threads, entity_pairs, differences, kept } = await builds.preview(namespace)
  const beyond_memory = differences.filter((difference) => difference.beyond_memory).length
  return {
    clusters_processed: stories,
    relationships_created: links,
    entity_pairs_processed: entity_pairs,
    narrative_threads_built: threads,
    differences: differences.length - beyond_memory,
    beyond_memory,
    kept,
  }
}
