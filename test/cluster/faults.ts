import { setTimeout as sleep } from 'node:timers/promises'
import { shuffled } from '../../src/quality/seeded-random.ts'
import type { ProxyTrouble } from '../chaos/proxy.ts'
import type { ChaosRandom } from '../chaos/random.ts'
import type { StartedServers } from './started-servers.ts'

const OF_PROCESSES = ['kill', 'pause'] as const
/** Nobody answers; bytes are swallowed both ways, on the way to the server, or on the way back. */
const OF_NETWORK = ['away', 'silent', 'silent to', 'silent from'] as const satisfies readonly ProxyTrouble[]

export interface ClusterFault {
  readonly kind: (typeof OF_PROCESSES)[number] | (typeof OF_NETWORK)[number] | 'restart'
  /** The process, such as `kafka-1` or `views-a-2`, or what is cut between brokers, such as `replication-1`. */
  readonly name: string
  /** How long a process stands still or is cut off, milliseconds. A kill and a restart last until the process is back. */
  readonly forMs: number
}

/** Shorter and longer than a session of a group; a broker counts as dead after 9 s. */
const LASTING_MS = [1_000, 12_000] as const

export interface FaultyParts {
  readonly processes: readonly string[]
  /** Brokers and stores that can be cut off, and listeners between brokers, such as `replication-1`. */
  readonly proxied: readonly string[]
}

/**
 * A fault for every kind of process before any kind has two, and for each of a kind in turn, in an order that the random
 * numbers determine. The registry is spared: a process that starts needs it, and nothing replaces it.
 */
export function faultPlan(parts: FaultyParts, count: number, random: ChaosRandom): readonly ClusterFault[] {
  const kinds = new Map<string, string[]>()
  const names = new Set([...parts.processes, ...parts.proxied])
  names.delete('registry')
  for (const name of names) {
    const kind = name.replace(/-\d$/, '')
    kinds.set(kind, [...(kinds.get(kind) ?? []), name])
  }
  const shuffle = <Item>(items: readonly Item[]) => shuffled(() => random.next(), items)
  const turns = [...kinds.values()].map(shuffle)
  const plan: ClusterFault[] = []
  for (let round = 0; plan.length < count; round++) {
    for (const turn of shuffle(turns)) {
      const name = turn[round % turn.length] ?? ''
      const forMs = random.between(...LASTING_MS)
      const possible = [
        ...(parts.processes.includes(name) ? OF_PROCESSES : []),
        ...(parts.proxied.includes(name) ? OF_NETWORK : []),
      ]
      plan.push({ kind: random.one(possible), name, forMs })
    }
  }
  return plan.slice(0, count)
}

/** An orderly restart of each process, one after the other. */
export const rollingRestart = (processes: readonly string[]): readonly ClusterFault[] =>
  processes.map((name) => ({ kind: 'restart', name, forMs: 0 }))

/** Views and API first: they can read what the new stages write. Stages from the end of the flow to its beginning. */
const UPGRADE_ORDER = ['views', 'api', 'scheduler', 'deciding', 'reading']

/** An orderly restart of the processes of the service, in the order of `docs/upgrading.md`. */
export const rollingUpgrade = (processes: readonly string[]): readonly ClusterFault[] =>
  rollingRestart(UPGRADE_ORDER.flatMap((kind) => processes.filter((name) => name.startsWith(kind))))

/** Resolves once the fault is over; after a kill or a restart, when the process that replaces it is ready. */
export async function applyFault(
  { kind, name, forMs }: ClusterFault,
  { running, proxies }: StartedServers,
): Promise<void> {
  if (kind !== 'kill' && kind !== 'restart' && kind !== 'pause') {
    const proxy = proxies.get(name)
    if (proxy === undefined) throw new Error(`there is no proxy ${name}`)
    return proxy.trouble(kind, forMs)
  }
  const pid = running.get(name)?.pid()
  if (pid === undefined) throw new Error(`there is no ${name}`)
  if (kind === 'pause') {
    process.kill(pid, 'SIGSTOP')
    await sleep(forMs)
    process.kill(pid, 'SIGCONT')
  } else {
    process.kill(pid, kind === 'kill' ? 'SIGKILL' : 'SIGTERM')
    await untilReplaced(name, pid, running)
  }
}

/** Whether a broker is concerned, whose copies of the log are behind for a while: two of three are needed to write. */
export const isOfBrokers = ({ name }: ClusterFault): boolean => /^(kafka|replication|controller)-/.test(name)

const REPLACED_MS = 180_000
const LOOK_EVERY_MS = 200

async function untilReplaced(name: string, pid: number, running: StartedServers['running']): Promise<void> {
  const end = performance.now() + REPLACED_MS
  while (performance.now() < end) {
    if (running.get(name)?.pid() !== pid) return
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error(`${name} was ended, and was not back after ${REPLACED_MS / 1000} s`)
}
