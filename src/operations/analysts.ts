import { analysts, type Analysts } from '../engines/analysts/analysts.ts'
import type { Wiring } from '../ports/wiring.ts'

/** Manages the read-only ClickHouse users of private namespaces. */
export const analystsOf = async (wiring: Wiring): Promise<Analysts> =>
  analysts({
    store: await wiring.store(),
    clock: wiring.clock,
    clickhouse: wiring.config.clickhouse,
    home: wiring.config.home,
  })
