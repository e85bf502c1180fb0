import type { Command } from 'commander'
import { parts, topologyLines } from '../operations/topology.ts'
import type { Wiring } from '../ports/wiring.ts'

export const topologyCommand = (program: Command, { out }: Wiring): void => {
  program
    .command('topology')
    .description('who reads and writes which topic')
    .option('--json', 'one JSON object')
    .action(({ json }: { readonly json?: true }) => {
      if (json) out.json({ parts: parts() })
      else topologyLines(parts()).forEach((line) => out.line(line))
    })
}
