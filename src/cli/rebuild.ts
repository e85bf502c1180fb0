import { Argument, type Command } from 'commander'
import { REBUILT_VIEWS, type RebuiltView } from '../operations/rebuild/rebuilt-tables.ts'
import type { Wiring } from '../ports/wiring.ts'
import { fromOf, rereadInPlace, type ReadAgain } from '../operations/rebuild/in-place.ts'
import { plan } from '../operations/rebuild/plan.ts'
import {
  everyView,
  openRebuilding,
  rebuiltView,
  type RebuildParts,
  type Rebuilt,
} from '../operations/rebuild/rebuilding.ts'
import { rebuild } from '../operations/rebuild/run.ts'
import { outcomeLines, planLines } from '../operations/rebuild/outcome-lines.ts'
import { beside, drop, rollBack } from '../operations/rebuild/take-back.ts'

interface RebuildCommandOptions {
  readonly all?: true
  readonly dryRun?: true
  readonly from?: string
  readonly accept?: true
  readonly restart?: true
  readonly rollback?: true
  readonly drop?: true
  readonly json?: true
}

export const rebuildCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('rebuild')
    .description('make a view anew from the log, beside the live one, compare the two and exchange them')
    .addArgument(new Argument('[view]', 'one view').choices(REBUILT_VIEWS))
    .option('--all', 'every view')
    .option('--dry-run', 'only say what would be read, and about how long that takes')
    .option('--accept', 'exchange also where the rebuilt tables differ from the live ones')
    .option('--restart', 'begin at the beginning, even where a rebuild was broken off')
    .option(
      '--from <offset or time>',
      'no new tables: read from there into the live ones, where repeats change nothing',
    )
    .option('--rollback', 'take the tables back that the last rebuild replaced')
    .option('--drop', 'let go of the replaced tables')
    .option('--json', 'one JSON line for each view')
    .action((view: RebuiltView | undefined, options: RebuildCommandOptions) => run(wiring, view, options))
}

async function run(wiring: Wiring, view: RebuiltView | undefined, options: RebuildCommandOptions): Promise<void> {
  const views = view === undefined ? [] : [rebuiltView(view)]
  const chosen = options.all ? everyView() : views
  if (chosen.length === 0) throw new Error(`Say which view (${REBUILT_VIEWS.join(', ')}), or --all`)
  if (options.rollback && options.drop) throw new Error('--rollback and --drop: say one of the two')

  const ports = await openRebuilding(wiring)
  try {
    await does(options)({ wiring, ports, chosen, options })
  } finally {
    await ports.close()
  }
}

interface RebuildCommand {
  readonly wiring: Wiring
  readonly ports: RebuildParts
  readonly chosen: readonly Rebuilt[]
  readonly options: RebuildCommandOptions
}

function does(options: RebuildCommandOptions): (command: RebuildCommand) => Promise<void> {
  const { rollback, drop: dropping } = options
  if (options.dryRun) return rollback || dropping ? printShadowTables : printPlans
  if (options.rollback)
    return async (command) => printReadAgain(command, await rollBack(command.chosen, command.ports), 'taken back')
  if (options.drop) return printDropped
  return options.from === undefined ? printOutcomes : (command) => readAgain(command, options.from ?? '')
}

async function printPlans({ wiring: { out }, ports, chosen, options }: RebuildCommand): Promise<void> {
  const from = options.from === undefined ? null : fromOf(options.from)
  for (const rebuilt of chosen) {
    const found = await plan(rebuilt, from, ports)
    if (options.json) out.json(found)
    else planLines(found).forEach((line) => out.line(line))
  }
}

async function printShadowTables({ wiring: { out }, ports, chosen, options }: RebuildCommand): Promise<void> {
  for (const one of await beside(chosen, ports)) {
    const { view, phase, since } = one
    if (options.json) out.json(one)
    else out.line(`${view.padEnd(12)} ${phase === null ? 'nothing beside it' : `${phase}, since ${since ?? ''}`}`)
  }
}

async function readAgain(command: RebuildCommand, from: string): Promise<void> {
  printReadAgain(command, await rereadInPlace(command.chosen, fromOf(from), command.ports), 'read again in place')
}

function printReadAgain({ wiring: { out }, options }: RebuildCommand, done: readonly ReadAgain[], what: string): void {
  for (const one of done) {
    if (options.json) out.json(one)
    else out.line(`${one.view.padEnd(12)} ${what} (${one.read_again} records)`)
  }
}

async function printDropped({ wiring: { out }, ports, chosen, options }: RebuildCommand): Promise<void> {
  const dropped = await drop(chosen, ports)
  if (options.json) out.json({ dropped })
  else dropped.forEach((view) => out.line(`${view.padEnd(12)} dropped`))
}

async function printOutcomes({ wiring, ports, chosen, options }: RebuildCommand): Promise<void> {
  const { out, clock } = wiring
  const startedAt = clock.now()
  const outcomes = await rebuild(
    chosen,
    { broken: options.restart ? 'restart' : 'go on', differences: options.accept ? 'accept' : 'refuse' },
    ports,
  )
  const seconds = (clock.now() - startedAt) / 1000
  for (const outcome of outcomes) {
    if (options.json) out.json({ ...outcome, seconds })
    else outcomeLines(outcome).forEach((line) => out.line(line))
  }
  if (!options.json) out.line(`${seconds.toFixed(1)} s`)
  const left = outcomes.filter(({ exchanged }) => !exchanged).map(({ view }) => view)
  if (left.length === 0) return
  throw new Error(
    `${left.join(', ')} would not be what it is now, so it was not exchanged: with --accept it is, with --drop the rebuilt tables go`,
  )
}
