import { setTimeout } from 'node:timers/promises'
import type { OwnService } from './own-service.ts'
import { processTree, roleOf } from './processes.ts'

export interface IdleFigure {
  /** Seconds looked at. */
  readonly seconds: number
  /** By role, per cent of one core. */
  readonly cores: Readonly<Record<string, number>>
  /** Of the service process alone, without engines and models: per cent of one core. */
  readonly service_percent: number
  /** TCP connections it holds meanwhile, to all engines. */
  readonly connections: number
  /** The same for ten of them: per cent of one core. */
  readonly ten_connections_percent: number
}

/** Until what a start still has to do is done. */
const SETTLE_MS = 20_000
const LOOK_MS = 40_000

/** What a whole service costs that has nothing to do. */
export async function benchIdle({ pid }: OwnService, connectionsOf: (pid: number) => number): Promise<IdleFigure> {
  await setTimeout(SETTLE_MS)
  const before = new Map(processTree(pid).map((one) => [one.pid, one.cpuMs]))
  const began = performance.now()
  await setTimeout(LOOK_MS)
  const ms = performance.now() - began
  const after = processTree(pid)
  const cores: Record<string, number> = {}
  for (const one of after) {
    const role = roleOf(one)
    cores[role] = (cores[role] ?? 0) + ((one.cpuMs - (before.get(one.pid) ?? 0)) / ms) * 100
  }
  const service = after.find((one) => roleOf(one) === 'service')
  const service_percent = cores['service'] ?? 0
  const connections = service === undefined ? 0 : connectionsOf(service.pid)
  return {
    seconds: ms / 1000,
    cores,
    service_percent,
    connections,
    ten_connections_percent: connections === 0 ? 0 : (service_percent / connections) * 10,
  }
}
