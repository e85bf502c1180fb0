import { setTimeout } from 'node:timers/promises'
import type { OwnService } from './own-service.ts'
import type { BenchPart } from './part.ts'
import { connectionsOf, processTree, roleOf, usesByRole } from './processes.ts'

export const idle: BenchPart = {
  about: 'CPU of an idle service by process; goal: 1 % of a core for ten connections',
  inService: async (_, service) => {
    const figures = await measure(service)
    return { figures, lines: table(figures) }
  },
}

/** The time until a start has finished its work. */
const SETTLE_MS = 20_000
const MEASURED_MS = 40_000

async function measure({ pid }: OwnService) {
  await setTimeout(SETTLE_MS)
  const [before, began] = [processTree(pid), performance.now()]
  await setTimeout(MEASURED_MS)
  const ms = performance.now() - began
  const after = processTree(pid)
  const cores = Object.fromEntries(usesByRole(before, after).map(({ role, cpuMs }) => [role, (cpuMs / ms) * 100]))
  const service = after.find((one) => roleOf(one) === 'service')
  const service_percent = cores['service'] ?? 0
  const connections = service === undefined ? 0 : connectionsOf(service.pid)
  return {
    /** The length of the measurement. */
    seconds: ms / 1000,
    /** CPU by role, in per cent of one core. */
    cores,
    /** CPU of the service process alone, without engines and models, in per cent of one core. */
    service_percent,
    /** TCP connections that the service process holds to all engines. */
    connections,
    /** CPU for ten connections, in per cent of one core. */
    ten_connections_percent: connections === 0 ? 0 : (service_percent / connections) * 10,
  }
}

const percent = (value: number): string => `${value.toFixed(2).padStart(6)} %`

const table = (f: Awaited<ReturnType<typeof measure>>): readonly string[] => [
  ...Object.entries(f.cores).map(([role, share]) => `  ${role.padEnd(12)} ${percent(share)} of a core`),
  `  the service holds ${f.connections} connections: ${percent(f.ten_connections_percent).trim()} of a core for ten`,
]
