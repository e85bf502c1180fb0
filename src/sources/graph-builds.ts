import type { GraphBuilt } from '../events/graph.ts'
import type { Clock } from '../ports/clock.ts'

/** At 0, 6, 12 and 18 h UTC. */
export const BUILD_EVERY_MS = 6 * 3_600_000

export interface GraphBuildPorts {
  readonly clock: Clock
  /** Namespaces that have keys, and `shared`. */
  readonly namespaces: () => Promise<readonly string[]>
  readonly build: (namespace: string) => Promise<GraphBuilt>
  readonly onBuilt: (namespace: string, built: GraphBuilt) => void
  /** The next one is tried all the same. */
  readonly onFailure: (namespace: string, cause: unknown) => void
}

/** Every six hours the graph of each namespace is built anew: it proves that the one which is kept is right. */
export async function runGraphBuilds(ports: GraphBuildPorts, signal: AbortSignal): Promise<void> {
  const { clock, namespaces } = ports
  for (;;) {
    await clock.sleep(BUILD_EVERY_MS - (clock.now() % BUILD_EVERY_MS), signal)
    if (signal.aborted) return
    for (const namespace of await namespaces()) if (!isOver(signal)) await buildOne(namespace, ports)
  }
}

/** It may have ended while something was waited for. */
const isOver = ({ aborted }: AbortSignal): boolean => aborted

async function buildOne(namespace: string, { build, onBuilt, onFailure }: GraphBuildPorts): Promise<void> {
  try {
    onBuilt(namespace, await build(namespace))
  } catch (cause) {
    onFailure(namespace, cause)
  }
}
