import type { Command } from 'commander'
import { clickhouseStore } from '../adapters/clickhouse/store.ts'
import { chosenStores, type StoreConfig } from '../config/stores.ts'
import { refreshAnalystViews } from '../engines/analysts/views.ts'
import { migrateStore } from '../operations/stores/migrate-store.ts'
import { recordsRead } from '../operations/stores/stores.ts'
import type { Store } from '../ports/store.ts'
import { migrations, pendingMigrations, type MigrateProgress } from '../views/migrate.ts'
import { checkMigrations, copyNameOf } from '../views/migrate-check.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { CommandOptions } from '../operations/options.ts'

interface MigrateCommandOptions extends CommandOptions {
  readonly check?: true
  readonly store?: string
}

export const migrateCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('migrate')
    .description('apply new migrations from src/views/migrations to ClickHouse; forward only')
    .option('--dry-run', 'print what would be applied, change nothing')
    .option('--check', 'apply new migrations to a copy of the tables, print the time each took, then drop the copy')
    .option('--store <name>', 'only this store, if there are several')
    .option('--json', 'print one JSON object per store')
    .action((options: MigrateCommandOptions) => eachStore(wiring, options))
}

/** One after the other: if one fails, the others are as they were. */
async function eachStore(wiring: Wiring, options: MigrateCommandOptions): Promise<void> {
  const several = wiring.config.stores.length > 1
  for (const store of chosenStores(wiring.config, options.store)) {
    if (several && !options.json) wiring.out.line(`${store.name}:`)
    await (options.check ? check : run)(wiring, { ...options, of: store })
  }
}

interface MigratedStore extends MigrateCommandOptions {
  readonly of: StoreConfig
}

async function check({ clock, out, ...wiring }: Wiring, { of, json }: MigratedStore): Promise<void> {
  if (of.shards.length > 0) throw new Error('--check needs a store without shards: name one with --store')
  const { database } = of
  const copyName = copyNameOf(database)
  const copy = clickhouseStore({ ...of, database: copyName })
  try {
    const store = await wiring.openStore(of.name)
    const checked = await checkMigrations({ database, store, copy, copyName, clock }, of)
    if (json) out.json({ store: of.name, checked })
    else if (checked.length === 0) out.line('nothing to apply')
    else checked.forEach(({ name, seconds }) => out.line(`${name} would be applied in ${seconds.toFixed(1)} s`))
  } finally {
    await copy.close()
  }
}

/**
 * Throws if the store has no tables although its views have read the log: new tables would lack what was read. A lost
 * disk, or another server of the same name.
 */
async function checkNotLost(wiring: Wiring, name: string, store: Store): Promise<void> {
  if ((await pendingMigrations(store)).length < migrations().length) return
  const records = await recordsRead(name, await wiring.log()).catch((cause: unknown) => {
    throw new Error(`Kafka does not say whether the views of the store ${name}, which is empty, have read the log`, {
      cause,
    })
  })
  if (records === 0) return
  throw new Error(
    `the store ${name} is empty, but its views have read ${records} records. Stop its views and run ` +
      `\`story stores forget ${name}\`: they then read everything again. Or restore a backup of its tables`,
  )
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

async function run(wiring: Wiring, { of, dryRun, json }: MigratedStore): Promise<void> {
  const { out } = wiring
  const store = await wiring.openStore(of.name)
  await checkNotLost(wiring, of.name, store)
  const names = dryRun ? await pendingMigrations(store) : await migrateStore(store, of, progressLines(wiring))
  if (!dryRun) await refreshAnalystViews(store, of.database)
  if (json) out.json({ store: of.name, applied: dryRun !== true, migrations: names })
  else if (names.length === 0) out.line('nothing to apply')
  else names.forEach((name) => out.line(`${name} ${dryRun ? 'would be applied' : 'applied'}`))
}
