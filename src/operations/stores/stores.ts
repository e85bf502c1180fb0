import type { StoreConfig } from '../../config/stores.ts'
import { pipeline } from '../../pipeline.ts'
import { viewGroup, type Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { pendingMigrations } from '../../views/migrate.ts'
import { readLag, readers } from '../lag/lag.ts'
import { lagOf } from '../lag/lags.ts'
import { viewOffsets } from '../lag/view-offsets.ts'

/** A configured store as operators see it. */
export interface StoreState {
  readonly name: string
  readonly url: string
  /** `null`: all except those of `except`. */
  readonly namespaces: readonly string[] | null
  readonly except: readonly string[]
  /** Native addresses; empty: no table is spread over shards. */
  readonly shards: readonly string[]
  readonly responds: boolean
  /** Migrations that were not applied; `null` if it does not respond. */
  readonly pending_migrations: number | null
  /** Records that its views have not read. */
  readonly lag: number
}

/** The state of the configured stores. */
export async function storeStates(
  wiring: Pick<Wiring, 'log' | 'openStore'> & { readonly config: Pick<Wiring['config'], 'stores'> },
): Promise<readonly StoreState[]> {
  const log = await wiring.log()
  return Promise.all(
    wiring.config.stores.map(async (store) => stateOf(store, { log, opened: await wiring.openStore(store.name) })),
  )
}

async function stateOf(
  { name, url, namespaces, except, shards }: StoreConfig,
  { log, opened }: { readonly log: Log; readonly opened: Store },
): Promise<StoreState> {
  const responds = await opened.ping().catch(() => false)
  const groups = readers([{ name }]).filter(({ group }) => isViewOf(group, name))
  const lags = await readLag(log, groups)
  return {
    ...{ name, url, namespaces, except, shards: shards.map(({ native }) => native), responds },
    pending_migrations: responds ? (await pendingMigrations(opened)).length : null,
    lag: lags.reduce((sum, partition) => sum + lagOf(partition), 0),
  }
}

const isViewOf = (group: string, store: string): boolean =>
  pipeline.views.some(({ name }) => viewGroup(name, store) === group)

/**
 * Deletes the offsets of a store's views, so that they read the log from its beginning. Returns their number of records.
 * Throws while the views run, and if there is nothing to delete.
 */
export async function forgetStore(name: string, log: Pick<Log, 'forget' | 'committed'>): Promise<number> {
  const records = await recordsRead(name, log)
  if (records === 0) throw new Error(`the views of a store ${name} have read nothing: see \`story stores list\``)
  for (const view of pipeline.views) await log.forget(viewGroup(view.name, name))
  return records
}

/** The number of records that a store's views have read. */
export async function recordsRead(name: string, log: Pick<Log, 'committed'>): Promise<number> {
  const views = Object.values(await viewOffsets(name, log))
  const offsets = views.flatMap((topics) => Object.values(topics).flat())
  return offsets.reduce((sum: number, offset) => sum + (offset ?? 0), 0)
}
