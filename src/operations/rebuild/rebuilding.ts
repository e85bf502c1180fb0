import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { clickhouseStore } from '../../adapters/clickhouse/store.ts'
import { pipeline } from '../../pipeline.ts'
import type { Store } from '../../ports/store.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { defaultLimits, type RuntimePorts } from '../../runtime/running.ts'
import type { View } from '../../runtime/shapes.ts'
import type { Progress } from '../../sources/progress.ts'
import { progressOf } from '../progress.ts'
import type { Holder } from './claim.ts'
import type { Sides } from './exchange.ts'
import { REBUILT_VIEWS, shadowOf, type RebuiltView } from './rebuilt-tables.ts'
import type { Wiring } from '../../ports/wiring.ts'

/** The dependencies of a rebuild. */
export interface RebuildParts {
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

/** A view of the pipeline that is rebuilt. */
export interface Rebuilt {
  readonly name: RebuiltView
  readonly view: View
}

export const rebuiltView = (name: RebuiltView): Rebuilt => {
  const view = pipeline.views.find((one) => one.name === name)
  if (view === undefined) throw new Error(`unknown view ${name}`)
  return { name, view }
}

export const everyView = (): readonly Rebuilt[] => REBUILT_VIEWS.map(rebuiltView)

export async function openRebuilding(wiring: Wiring): Promise<RebuildParts> {
  const { config, clock, logger } = wiring
  const { database, replicated } = config.clickhouse
  const sides = { live: database, shadow: shadowOf(database) }
  const shadow = clickhouseStore({ ...config.clickhouse, database: sides.shadow })
  const crashes: Error[] = []
  return {
    live: await wiring.store(),
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
