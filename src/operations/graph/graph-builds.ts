import type { GraphBuilds } from '../../api/http/dependencies.ts'
import { graphBuilds } from '../../api/graph/builds.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { comparingApart } from './compare-apart.ts'

/** Builds of the graph on the engines of this configuration. One for a process: who builds at once shares a build. */
export const graphBuildsOf = async (wiring: Wiring): Promise<GraphBuilds> =>
  graphBuilds({
    store: await wiring.store(),
    log: await wiring.log(),
    codec: await wiring.codec(),
    clock: wiring.clock,
    memory: wiring.config.clustered.membersInMemory,
    compare: comparingApart(wiring.config.clickhouse),
  })
