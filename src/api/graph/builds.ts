import pLimit from 'p-limit'
import { StoreUnavailable } from '../../ports/store.ts'
import { buildGraph, previewGraph, type BuildPorts, type BuildResult } from '../../views/graph/build.ts'
import { GraphBehind } from '../../views/graph/position.ts'
import { EngineUnavailable, timeouts, logWithTimeouts } from '../http/engine-deadline.ts'
import type { GraphBuilds } from '../http/dependencies.ts'

/** Each build is a CPU-bound process: more would starve the rest of the machine. */
const MAX_PARALLEL = 2

/** Builds graphs. Rejects with `EngineUnavailable` if an engine is unavailable or a view is behind. */
export function graphBuilds(given: BuildPorts): GraphBuilds {
  // Queries of the store keep the timeouts that they declare, because they read a whole namespace.
  const ports = { ...given, ...logWithTimeouts(given, timeouts(given.clock)) }
  const inTurn = pLimit(MAX_PARALLEL)
  const building = new Map<string, Promise<BuildResult>>()
  const running = new Set<string>()
  const begin = async (namespace: string): Promise<BuildResult> => {
    // p-limit starts a free slot a few microtasks later: reads in between already belong to the build
    if (inTurn.activeCount + inTurn.pendingCount < MAX_PARALLEL) running.add(namespace)
    try {
      return await inTurn(async () => {
        running.add(namespace)
        return orUnavailable(buildGraph(ports, { namespace }))
      })
    } finally {
      building.delete(namespace)
      running.delete(namespace)
    }
  }
  return {
    build: async (namespace) => {
      const build = building.get(namespace) ?? begin(namespace)
      building.set(namespace, build)
      return build
    },
    preview: (namespace) => inTurn(() => orUnavailable(previewGraph({ namespace }, ports))),
    isBuilding: (namespace) => running.has(namespace),
  }
}

async function orUnavailable<Of>(work: Promise<Of>): Promise<Of> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw new EngineUnavailable('store is away', { cause })
    if (cause instanceof GraphBehind) throw new EngineUnavailable(cause.message, { cause })
    throw cause
  }
}
