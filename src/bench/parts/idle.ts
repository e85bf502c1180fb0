import { connectionsOf } from '../connections.ts'
import { benchIdle, type IdleFigure } from '../idle-bench.ts'
import type { BenchPart } from './part.ts'

export const idle: BenchPart = {
  says: 'CPU of an idle service by process; goal: 1 % of a core for ten connections',
  inService: async (_, service) => {
    const figures = await benchIdle(service, connectionsOf)
    return { figures, lines: table(figures) }
  },
}

const percent = (value: number): string => `${value.toFixed(2).padStart(6)} %`

const table = (f: IdleFigure): readonly string[] => [
  ...Object.entries(f.cores).map(([role, share]) => `  ${role.padEnd(12)} ${percent(share)} of a core`),
  `  the service holds ${f.connections} connections: ${percent(f.ten_connections_percent).trim()} of a core for ten`,
]
