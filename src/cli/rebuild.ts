import { Argument, type Command } from 'commander'
import { chosenStore } from '../config/stores.ts'
import { REBUILT_VIEWS, type RebuiltView } from '../operations/rebuild/rebuilt-tables.ts'
import type { Wiring } from '../ports/wiring.ts'
import { fromOf, rereadInPlace, type ReadAgain } from '../operations/rebuild/reread.ts'
import { plan, planLines } from '../operations/rebuild/plan.ts'
import {
  everyView,
  openRebuilding,
  rebuiltView,
  type RebuildParts,
  type Rebuilt,
} from '../operations/rebuild/rebuilding.ts'
import { outcomeLines, rebuild } from '../operations/rebuild/run.ts'
import { drop, retiredViews, rollBack } from '../operations/rebuild/take-back.ts'
import type { CommandOptions } from '../operations/options.ts'

interface RebuildCommandOptions extends CommandOptions {
  readonly all?: true
  readonly store?: string
  readonly from?: string
  readonly accept?: true
  readonly restart?: true
  readonly rollback?: true
  readonly drop?: true
}

export const rebuildCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('rebuild')
    .description('rebuild a view from the log beside the live one, compare the two and swap them')
    .addArgument(new Argument('[view]', 'name of the view').choices(REBUILT_VIEWS))
    .option('--all', 'all views')
    .option('--store <name>', 'the store whose tables are rebuilt, if there are several; the others are not affected')
    .option('--dry-run', 'print what would be read and the estimated time, change nothing')
    .option('--accept', 'swap even if the rebuilt tables differ from the live ones')
    .option('--restart', 'start from the beginning instead of resuming an interrupted rebuild')
    .option(
      '--from <offset or time>',
      'read from here into the live tables instead of new ones; repeated records change nothing',
    )
    .option('--rollback', 'restore the tables that the last rebuild replaced')
    .option('--drop', 'delete the replaced or rejected tables')
    .option('--json', 'print one JSON line per view')
    .action((view: RebuiltView | undefined, options: RebuildCommandOptions) => run(wiring, view, options))
}

async function run(wiring: Wiring, view: RebuiltView | undefined, options: RebuildCommandOptions): Promise<void> {
  if (view === undefined && !options.all) throw new Error(`Name a view (${REBUILT_VIEWS.join(', ')}) or use --all`)
  const store = chosenStore(wiring.config, options.store)
  const chosen = view === undefined || options.all ? everyView(store.name) : [rebuiltView(view, store.name)]
  if (options.rollback && options.drop) throw new Error('--rollback and --drop cannot be used together')

  const ports = await openRebuilding(wiring, store)
  try {
    await actionOf(options)({ wiring, ports, chosen, options })
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

function actionOf({ dryRun, rollback, drop: dropping, from }: RebuildCommandOptions) {
  if (dryRun) return rollback || dropping ? printShadowTables : printPlans
  if (rollback)
    return async (command: RebuildCommand) =>
      printReadAgain(command, await rollBack(command.chosen, command.ports), 'rolled back')
  if (dropping) return printDropped
  if (from === undefined) return printOutcomes
  return async (command: RebuildCommand) =>
    printReadAgain(command, await rereadInPlace(command.chosen, fromOf(from), command.ports), 'read again in place')
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
  for (const one of await retiredViews(chosen, ports)) {
    const { view, phase, since } = one
    if (options.json) out.json(one)
    else out.line(`${view.padEnd(12)} ${phase === null ? 'no shadow tables' : `${phase}, since ${since ?? ''}`}`)
  }
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
    `Rebuilt ${left.join(', ')} differs from the live view; not swapped. Use --accept to swap anyway or --drop to discard it`,
  )
}
