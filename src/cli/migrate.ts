import type { Command } from 'commander'
import { refreshAnalystViews } from '../engines/analysts/views.ts'
import { migrate, pendingMigrations } from '../views/migrate.ts'
import type { Wiring } from './wiring.ts'

interface Options {
  readonly dryRun?: true
  readonly json?: true
}

export const migrateCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('migrate')
    .description('apply what is new in src/views/migrations to the store; forward only')
    .option('--dry-run', 'only say what would be applied')
    .option('--json', 'one JSON object')
    .action(async (options: Options) => await run(wiring, options))
}

async function run(wiring: Wiring, { dryRun, json }: Options): Promise<void> {
  const { config, out } = wiring
  const store = await wiring.store()
  const names = dryRun ? await pendingMigrations(store) : await migrate(store, config.clickhouse)
  if (!dryRun) await refreshAnalystViews(store, config.clickhouse.database)
  if (json) out.json({ applied: dryRun !== true, migrations: names })
  else if (names.length === 0) out.line('nothing to apply')
  else names.forEach((name) => out.line(`${name} ${dryRun ? 'would be applied' : 'applied'}`))
}
