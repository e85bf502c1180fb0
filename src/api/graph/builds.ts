import { StoreAway } from '../../ports/store.ts'
import { buildGraph, lookAtGraph, type BuildPorts, type BuildResult } from '../../views/graph/build.ts'
import { GraphBehind } from '../../views/graph/position.ts'
import { EngineAway, patience } from '../http/engine-deadline.ts'
import type { GraphBuilds } from '../http/dependencies.ts'
import { queue } from './queue.ts'

/** Longer than a healthy broker or registry takes. */
const PATIENCE_MS = 10_000
/** Each is a process that computes: more at once would take the machine from all else. */
const AT_ONCE = 2

/** Rejects with `Away` when an engine or a view does not answer. */
export function graphBuilds(given: BuildPorts): GraphBuilds {
  const ports = patient(given)
  const inTurn = queue(AT_ONCE)
  const building = new Map<string, Promise<BuildResult>>()
  const running = new Set<string>()
  const begin = async (namespace: string): Promise<BuildResult> => {
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

/** The store is asked for as long as the questions say: about a whole namespace. */
function patient(ports: BuildPorts): BuildPorts {
  const { log, codec, clock } = ports
  const within = patience(clock)
  return {
    ...ports,
    log: {
      produce: (records) => within(log.produce(records), 'log', PATIENCE_MS),
      ends: (topic) => within(log.ends(topic), 'log', PATIENCE_MS),
      committed: (group, topic) => within(log.committed(group, topic), 'log', PATIENCE_MS),
      read: (topic, partition, from) => log.read(topic, partition, from),
    },
    codec: {
      encode: (topic, event) => within(codec.encode(topic, event), 'registry', PATIENCE_MS),
      decode: (topic, value) => within(codec.decode(topic, value), 'registry', PATIENCE_MS),
    },
  }
}
