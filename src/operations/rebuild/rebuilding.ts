import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { clickhouseStore } from '../../adapters/clickhouse/store.ts'
import type { StoreConfig } from '../../config/stores.ts'
import { holds } from '../../domain/stores.ts'
import { pipeline } from '../../pipeline.ts'
import type { Store } from '../../ports/store.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { defaultLimits, type RuntimePorts } from '../../runtime/running.ts'
import type { ViewTarget } from '../../runtime/run-view.ts'
import type { View } from '../../runtime/shapes.ts'
import type { Progress } from '../../sources/progress.ts'
import { progressOf } from '../progress.ts'
import type { Holder } from './claim.ts'
import type { Sides } from './exchange.ts'
import { REBUILT_VIEWS, shadowOf, type RebuiltView } from './rebuilt-tables.ts'
import type { Wiring } from '../../ports/wiring.ts'

/** The dependencies of a rebuild. */
export interface RebuildParts {
  /** The store whose views are rebuilt. */
  readonly scope: Omit<ViewTarget, 'store'>
  readonly live: Store
  /** The shadow database, which has the new tables. */
  readonly shadow: Store
  readonly sides: Sides
  readonly replicated: boolean
  readonly running: RuntimePorts
  readonly holder: Holder
  readonly progress: Progress
  /** Throws the error that stopped a consumer, if one has crashed. */
  check(): void
  close(): Promise<void>
}

/** A view of the pipeline that is rebuilt in a store. */
export interface Rebuilt {
  readonly store: string
  readonly name: RebuiltView
  readonly view: View
}

export const rebuiltView = (name: RebuiltView, store: string): Rebuilt => {
  const view = pipeline.views.find((one) => one.name === name)
  if (view === undefined) throw new Error(`unknown view ${name}`)
  return { name, view, store }
}

export const everyView = (store: string): readonly Rebuilt[] => REBUILT_VIEWS.map((name) => rebuiltView(name, store))

export async function openRebuilding(wiring: Wiring, store: StoreConfig): Promise<RebuildParts> {
  const { clock, logger } = wiring
  const { database, replicated, shards } = store
  if (shards.length > 0) {
    throw new Error(
      'the views of a store with shards are not rebuilt: add a store and remove this one (docs/stores.md)',
    )
  }
  const sides = { live: database, shadow: shadowOf(database) }
  const shadow = clickhouseStore({ ...store, database: sides.shadow })
  const crashes: Error[] = []
  return {
    scope: { name: store.name, holds: (namespace) => holds(store, namespace) },
    live: await wiring.openStore(store.name),
    shadow,
    sides,
    replicated,
    running: {
      log: await wiring.log(),
      codec: await wiring.codec(),
      clock,
      logger: logger.child({}, { level: 'error' }), // progress is printed separately
      checkpoints: null,
      metrics: createMetrics(),
      limits: defaultLimits,
      onCrash: (cause) => crashes.push(cause),
    },
    holder: { id: randomBytes(12).toString('hex'), host: hostname(), pid: process.pid },
    progress: progressOf(wiring),
    check: () => {
      if (crashes[0] !== undefined) throw crashes[0]
    },
    close: () => shadow.close(),
  }
}

/** False if nothing was ever rebuilt, or everything was dropped. */
export async function hasShadow({ live, sides }: RebuildParts): Promise<boolean> {
  const found = await live.query({
    name: 'rebuild.shadow',
    sql: `SELECT name FROM system.tables WHERE database = {shadow: String} AND name = 'rebuilds'`,
    params: { shadow: sides.shadow },
    parse: (row) => row,
  })
  return found.length > 0
}
