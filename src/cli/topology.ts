import type { Command } from 'commander'
import { parts, topologyLines } from '../operations/topology.ts'
import type { Wiring } from '../ports/wiring.ts'

export const topologyCommand = (program: Command, { out }: Wiring): void => {
  program
    .command('topology')
    .description('print which topics each source, stage, effect and view reads and writes')
    .option('--json', 'print one JSON object')
    .action(({ json }: { readonly json?: true }) => {
      if (json) out.json({ parts: parts() })
      else topologyLines(parts()).forEach((line) => out.line(line))
    })
}
