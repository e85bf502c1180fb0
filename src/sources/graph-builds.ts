import type { Clock } from '../ports/clock.ts'

/** At 0, 6, 12 and 18 h UTC. */
export const BUILD_EVERY_MS = 6 * 3_600_000

export interface GraphBuildPorts<Built> {
  readonly clock: Clock
  /** Namespaces that have keys, and `shared`. */
  readonly namespaces: () => Promise<readonly string[]>
  readonly build: (namespace: string) => Promise<Built>
  readonly onBuilt: (namespace: string, built: Built) => void
  /** The next one is tried all the same. Null: which namespaces there are is not known, and is asked again soon. */
  readonly onFailure: (namespace: string | null, cause: unknown) => void
}

/** Every six hours the graph of each namespace is rebuilt: it proves that the one which is kept is right. */
export async function runGraphBuilds<Built>(ports: GraphBuildPorts<Built>, signal: AbortSignal): Promise<void> {
  const { clock } = ports
  for (;;) {
    await clock.sleep(BUILD_EVERY_MS - (clock.now() % BUILD_EVERY_MS), signal)
    if (signal.aborted) return
    for (const namespace of await listed(ports, signal)) if (!isOver(signal)) await buildOne(namespace, ports)
  }
}

const ASK_AGAIN_MS = 60_000

/** Who cannot be listed at once is no reason to leave a period out. */
async function listed<Built>(
  { clock, namespaces, onFailure }: GraphBuildPorts<Built>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  while (!isOver(signal)) {
    try {
      return await namespaces()
    } catch (cause) {
      onFailure(null, cause)
      await clock.sleep(ASK_AGAIN_MS, signal)
    }
  }
  return []
}

/** It may have ended while something was waited for. */
const isOver = ({ aborted }: AbortSignal): boolean => aborted

async function buildOne<Built>(
  namespace: string,
  { build, onBuilt, onFailure }: GraphBuildPorts<Built>,
): Promise<void> {
  try {
    onBuilt(namespace, await build(namespace))
  } catch (cause) {
    onFailure(namespace, cause)
  }
}
