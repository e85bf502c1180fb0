import { clickhouseStore } from '../adapters/clickhouse/store.ts'
import { routedStore } from '../adapters/stores/routed-store.ts'
import { StoreHealth } from '../adapters/stores/store-health.ts'
import { viewedLog } from '../adapters/stores/viewed-log.ts'
import { watchedStore, type WatchLimits } from '../api/http/watched-store.ts'
import type { StoreConfig } from '../config/stores.ts'
import { viewOffsets } from '../operations/lag/view-offsets.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log, ViewedLog } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'

/** What readers of the views use. */
export interface ReadStores {
  readonly store: Store
  readonly log: ViewedLog
}

/** Another store can answer, so a store that does not respond is given up within a second. */
const QUICK: WatchLimits = { slowMs: 250, probeMs: 500 }

interface ReadStoresParts {
  readonly stores: readonly StoreConfig[]
  readonly log: Log
  readonly clock: Clock
}

/** One store is read as it is; several by namespace, health and position. */
export function readStores({ stores, log, clock }: ReadStoresParts): ReadStores {
  const [only, ...others] = stores
  if (only !== undefined && others.length === 0) return { store: clickhouseStore(only), log }
  const servers = stores.map((scope) => ({
    scope,
    store: watchedStore(clickhouseStore({ ...scope, restartMs: 0 }), clock, QUICK),
  }))
  const health = new StoreHealth({
    stores: servers.map(({ scope: { name }, store }) => ({ name, store })),
    offsetsOf: (name) => viewOffsets(name, log),
    clock,
  })
  return { store: routedStore(servers, health), log: viewedLog(log, health) }
}
