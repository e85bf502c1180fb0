import type { Clock } from '../ports/clock.ts'

/** At 00:00, 06:00, 12:00 and 18:00 UTC. */
export const BUILD_EVERY_MS = 6 * 3_600_000

export interface GraphBuildPorts<Built> {
  readonly clock: Clock
  /** Namespaces that have keys, and `shared`. */
  readonly namespaces: () => Promise<readonly string[]>
  readonly build: (namespace: string) => Promise<Built>
  readonly onBuilt: (namespace: string, built: Built) => void
  /** The next namespace is built nevertheless. `null`: the namespaces could not be listed; this is retried soon. */
  readonly onFailure: (namespace: string | null, cause: unknown) => void
}

/**
 * Rebuilds the graph of each namespace every six hours, which checks that the incrementally maintained one is right.
 */
export async function runGraphBuilds<Built>(ports: GraphBuildPorts<Built>, signal: AbortSignal): Promise<void> {
  const { clock } = ports
  for (;;) {
    await clock.sleep(BUILD_EVERY_MS - (clock.now() % BUILD_EVERY_MS), signal)
    if (signal.aborted) return
    for (const namespace of await listed(ports, signal)) if (!isOver(signal)) await buildOne(namespace, ports)
  }
}

const RETRY_MS = 60_000

/** Lists the namespaces. Retries, so that a failure does not skip a whole period. */
async function listed<Built>(
  { clock, namespaces, onFailure }: GraphBuildPorts<Built>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  while (!isOver(signal)) {
    try {
      return await namespaces()
    } catch (cause) {
      onFailure(null, cause)
      await clock.sleep(RETRY_MS, signal)
    }
  }
  return []
}

/** The signal may have aborted during an await. */
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
