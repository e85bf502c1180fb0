import { Argument, type Command } from 'commander'
import { fromOf, withPorts, type RunBesidePorts } from '../operations/reprocess/run-beside.ts'
import type { Wiring } from '../ports/wiring.ts'
import { stageDependencies } from '../wiring/stages.ts'
import { linesOf } from '../operations/reprocess/report.ts'
import { dropBeside, reprocessStage, type ReprocessRequest } from '../operations/reprocess/reprocess-stage.ts'
import { OUTPUTS, reprocessed, type Reprocessed } from '../operations/reprocess/stages.ts'
import type { CommandOptions } from '../operations/options.ts'

interface ReprocessOptions extends CommandOptions {
  readonly version?: string
  readonly from?: string
  readonly accept?: true
  readonly drop?: true
}

export const reprocessCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('reprocess')
    .description(
      'run a new version of a stage beside the old one, compare the results and switch over; stories keep their ids',
    )
    .addArgument(new Argument('<stage>', `name of the stage: ${Object.keys(OUTPUTS).join(', ')}`))
    .option('--version <label>', 'version label in the new events (default: the version of the code)')
    .option('--from <offset or time>', 'where to start a stage without state: 1200 or 2026-11-22T10:00:00Z')
    .option('--dry-run', 'run and compare, do not switch over')
    .option('--accept', 'switch over even if more stories change than the limit allows')
    .option('--drop', 'delete the topics and the progress of a shadow run; with --dry-run, list them')
    .option('--json', 'print one JSON object')
    .action((stage: string, options: ReprocessOptions) => reprocess(wiring, reprocessed(stage), options))
}

async function reprocess(wiring: Wiring, stage: Reprocessed, options: ReprocessOptions): Promise<void> {
  const request = requestOf(stage, options)
  await withPorts(wiring, stageDependencies(wiring), async (ports) => {
    if (options.drop) await drop(wiring, { stage, options }, ports)
    else await run(wiring, { request, options }, ports)
  })
}

const requestOf = (stage: Reprocessed, { version, from, dryRun, accept }: ReprocessOptions): ReprocessRequest => ({
  stage,
  version: version === undefined ? null : labelOf(version),
  from: from === undefined ? null : fromOf(from),
  mode: dryRun ? 'compare' : accept ? 'accept' : 'switch',
})

/** Checks a version label, which is part of every event and of messages. */
function labelOf(version: string): string {
  if (/^[\w.-]{1,40}$/.test(version)) return version
  throw new Error(`--version ${version}: expected 1 to 40 letters, digits, dots, hyphens and underscores`)
}

async function run(
  { out }: Wiring,
  { request, options: { json } }: { readonly request: ReprocessRequest; readonly options: ReprocessOptions },
  ports: RunBesidePorts,
): Promise<void> {
  const report = await reprocessStage(request, ports)
  if (json) out.json(report)
  else linesOf(report).forEach((line) => out.line(line))
  if (report.held !== null) throw new Error(`not switched: ${report.held}`)
}

async function drop(
  { out }: Wiring,
  { stage, options }: { readonly stage: Reprocessed; readonly options: ReprocessOptions },
  ports: RunBesidePorts,
): Promise<void> {
  const { dryRun = false, json } = options
  const there = await ports.topics.there(stage.writes)
  const dropped = dryRun ? 0 : await dropBeside(stage, ports)
  if (json) out.json({ stage: stage.name, dry_run: dryRun, topics: there, dropped })
  else if (dryRun)
    [...there.map((name) => `${name} would be deleted`), `${there.length} topics`].forEach((line) => out.line(line))
  else out.line(`${dropped} topics of the shadow run of ${stage.name} deleted`)
}
