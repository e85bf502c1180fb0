import pLimit from 'p-limit'
import { StoreAway } from '../../ports/store.ts'
import { buildGraph, lookAtGraph, type BuildPorts, type BuildResult } from '../../views/graph/build.ts'
import { GraphBehind } from '../../views/graph/position.ts'
import { EngineAway, patience, patientLog } from '../http/engine-deadline.ts'
import type { GraphBuilds } from '../http/dependencies.ts'

/** Each is a process that computes: more at once would take the machine from all else. */
const AT_ONCE = 2

/** Rejects with `Away` when an engine or a view does not answer. */
export function graphBuilds(given: BuildPorts): GraphBuilds {
  // Queries of the store take as long as they declare: they read a whole namespace.
  const ports = { ...given, ...patientLog(given, patience(given.clock)) }
  const inTurn = pLimit(AT_ONCE)
  const building = new Map<string, Promise<BuildResult>>()
  const running = new Set<string>()
  const begin = async (namespace: string): Promise<BuildResult> => {
    // p-limit starts a free turn a few microtasks later: reads in between already belong to the build
    if (inTurn.activeCount + inTurn.pendingCount < AT_ONCE) running.add(namespace)
    try {
      return await inTurn(async () => {
        running.add(namespace)
        return orAway(buildGraph(ports, { namespace }))
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
    look: (namespace) => inTurn(() => orAway(lookAtGraph({ namespace }, ports))),
    isBuilding: (namespace) => running.has(namespace),
  }
}

async function orAway<Of>(work: Promise<Of>): Promise<Of> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof StoreAway) throw new EngineAway('store is away', { cause })
    if (cause instanceof GraphBehind) throw new EngineAway(cause.message, { cause })
    throw cause
  }
}
