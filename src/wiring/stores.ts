import { clickhouseStore } from '../adapters/clickhouse/store.ts'
import { routedStore, type RoutedServer } from '../adapters/stores/routed-store.ts'
import { StoreHealth } from '../adapters/stores/store-health.ts'
import { viewedLog } from '../adapters/stores/viewed-log.ts'
import { answersPing, watchedStore, type WatchLimits } from '../api/http/watched-store.ts'
import type { Config } from '../config/config.ts'
import { unknownStore, type StoreConfig } from '../config/stores.ts'
import { isCovered } from '../domain/stores.ts'
import { viewOffsets } from '../operations/lag/view-offsets.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log, ViewedLog } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Wiring } from '../ports/wiring.ts'

/** Opens a port on first use and closes it when the command ends. */
export type Lazily = <Port extends { close(): Promise<void> }>(open: () => Promise<Port>) => () => Promise<Port>

interface OpenStoresParts {
  readonly config: Config
  readonly clock: Clock
  readonly log: () => Promise<Log>
  readonly tracing: () => Promise<{ readonly store: (store: Store) => Store }>
}

/** The ports of the configured stores. */
export function openStores(
  { config, clock, log, tracing }: OpenStoresParts,
  lazily: Lazily,
): Pick<Wiring, 'store' | 'viewedLog' | 'openStore'> {
  const traced = async (store: Store): Promise<Store> => (await tracing()).store(store)
  const opened = new Map(config.stores.map((store) => [store.name, lazily(() => traced(clickhouseStore(store)))]))
  const reading = lazily(async () => {
    const { store, log: viewed } = readStores({ stores: config.stores, log: await log(), clock })
    return { store: await traced(store), log: viewed, close: () => store.close() }
  })
  return {
    store: async () => (await reading()).store,
    viewedLog: async () => (await reading()).log,
    openStore: async (name) => {
      const open = opened.get(name)
      if (open === undefined) throw new Error(unknownStore(name, config))
      return open()
    },
  }
}

/** What readers of the views use. */
export interface ReadStores {
  readonly store: Store
  readonly log: ViewedLog
}

/** A store that does not respond while another one can answer is given up within a second. */
const QUICK: WatchLimits = { slowMs: 250, probeMs: 400 }

interface ReadStoresParts {
  readonly stores: readonly StoreConfig[]
  readonly log: Log
  readonly clock: Clock
}

/** One store is read as it is; several by namespace, health and position. */
export function readStores({ stores, log, clock }: ReadStoresParts): ReadStores {
  const [only, ...others] = stores
  if (only !== undefined && others.length === 0) return { store: clickhouseStore(only), log }
  const servers: readonly RoutedServer[] = stores.map((scope) => {
    if (!isCovered(scope, stores)) return { scope, store: clickhouseStore(scope) }
    const store = clickhouseStore({ ...scope, restartMs: 0 })
    const isReplaceable = async () => {
      const others = servers.filter((other) => other.scope !== scope)
      const responds = await Promise.all(others.map((other) => answersPing(other.store, clock, QUICK)))
      return isCovered(scope, [scope, ...others.filter((_, i) => responds[i]).map((other) => other.scope)])
    }
    const watched = watchedStore(store, clock, { ...QUICK, isReplaceable })
    return { scope, store: watched, lastResort: watchedStore(store, clock) }
  })
  const health = new StoreHealth({
    stores: servers.map(({ scope, store }) => ({ scope, store: { ping: () => answersPing(store, clock, QUICK) } })),
    offsetsOf: (name) => viewOffsets(name, log),
    clock,
  })
  return { store: routedStore(servers, health), log: viewedLog(log, stores, health) }
}
