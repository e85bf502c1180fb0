import type { Command } from 'commander'
import type { CommandOptions } from '../operations/options.ts'
import { forgetStore, recordsRead, storeStates, type StoreState } from '../operations/stores/stores.ts'
import type { Wiring } from '../ports/wiring.ts'

export const storesCommand = (program: Command, wiring: Wiring): void => {
  const stores = program.command('stores').description('the ClickHouse servers of CLICKHOUSE_STORES')
  stores
    .command('list')
    .description('print each server: what it holds, whether it responds, and how many records its views have not read')
    .option('--json', 'print one JSON object')
    .action((options: CommandOptions) => list(wiring, options))
  stores
    .command('forget')
    .description(
      "delete the offsets of a store's views: after its disk was lost, so that they read everything again, or after it was removed",
    )
    .argument('<name>', 'name of the store; its views must be stopped')
    .option('--dry-run', 'print how many records its views have read, change nothing')
    .option('--json', 'print one JSON object')
    .action((name: string, options: CommandOptions) => forget(wiring, name, options))
}

async function list(wiring: Wiring, { json }: CommandOptions): Promise<void> {
  const stores = await storeStates(wiring)
  if (json) wiring.out.json({ stores })
  else stores.forEach((store) => wiring.out.line(lineOf(store)))
}

function lineOf({ name, url, namespaces, except, shards, pending_migrations, lag, responds }: StoreState): string {
  const held = namespaces?.join(', ') ?? (except.length === 0 ? 'all' : `all except ${except.join(', ')}`)
  const state = responds ? `${lag} records behind` : 'does not respond'
  const pending =
    pending_migrations === null || pending_migrations === 0 ? '' : `, ${pending_migrations} migrations pending`
  const spread = shards.length === 0 ? '' : `, on ${shards.length} shards`
  return `${name.padEnd(12)} ${url.padEnd(32)} ${state}${pending}  (${held}${spread})`
}

async function forget({ out, ...wiring }: Wiring, name: string, { json, dryRun }: CommandOptions): Promise<void> {
  const log = await wiring.log()
  const records = dryRun ? await recordsRead(name, log) : await forgetStore(name, log)
  if (json) out.json({ ...(dryRun && { dry_run: true }), store: name, records })
  else
    out.line(`The views of ${name} ${dryRun ? 'have' : 'had'} read ${records} records${dryRun ? '' : '; forgotten'}.`)
}
