import type { Command } from 'commander'
import { clickhouseStore } from '../adapters/clickhouse/store.ts'
import { refreshAnalystViews } from '../engines/analysts/views.ts'
import { migrate, pendingMigrations, type MigrateProgress } from '../views/migrate.ts'
import { checkMigrations, copyNameOf } from '../views/migrate-check.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { CommandOptions } from '../operations/options.ts'

interface MigrateCommandOptions extends CommandOptions {
  readonly check?: true
}

export const migrateCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('migrate')
    .description('apply new migrations from src/views/migrations to ClickHouse; forward only')
    .option('--dry-run', 'print what would be applied, change nothing')
    .option('--check', 'apply new migrations to a copy of the tables, print the time each took, then drop the copy')
    .option('--json', 'print one JSON object')
    .action((options: MigrateCommandOptions) => (options.check ? check(wiring, options) : run(wiring, options)))
}

async function check({ config, clock, out, ...wiring }: Wiring, { json }: MigrateCommandOptions): Promise<void> {
  const { database } = config.clickhouse
  const copyName = copyNameOf(database)
  const copy = clickhouseStore({ ...config.clickhouse, database: copyName })
  try {
    const store = await wiring.store()
    const checked = await checkMigrations({ database, store, copy, copyName, clock }, config.clickhouse)
    if (json) out.json({ checked })
    else if (checked.length === 0) out.line('nothing to apply')
    else checked.forEach(({ name, seconds }) => out.line(`${name} would be applied in ${seconds.toFixed(1)} s`))
  } finally {
    await copy.close()
  }
}

/** Interval of progress lines during a long migration. */
const PROGRESS_MS = 2_000

function progressLines({ out, clock }: Wiring): (progress: MigrateProgress) => void {
  let shownAt = clock.now()
  return ({ name, statement, of }) => {
    if (clock.now() - shownAt < PROGRESS_MS) return
    shownAt = clock.now()
    out.progress(`${name}: statement ${statement} of ${of}`)
  }
}

async function run(wiring: Wiring, { dryRun, json }: MigrateCommandOptions): Promise<void> {
  const { config, out } = wiring
  const store = await wiring.store()
  const names = dryRun
    ? await pendingMigrations(store)
    : await migrate(store, { ...config.clickhouse, onProgress: progressLines(wiring) })
  if (!dryRun) await refreshAnalystViews(store, config.clickhouse.database)
  if (json) out.json({ applied: dryRun !== true, migrations: names })
  else if (names.length === 0) out.line('nothing to apply')
  else names.forEach((name) => out.line(`${name} ${dryRun ? 'would be applied' : 'applied'}`))
}
