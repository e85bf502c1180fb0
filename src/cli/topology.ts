import type { Command } from 'commander'
import { pipeline } from '../pipeline.ts'
import { deadTopic } from '../runtime/dead-letter.ts'
import type { View } from '../runtime/shapes.ts'
import type { Wiring } from '../ports/wiring.ts'

/** One part of the flow, as data. */
export interface TopologyPart {
  readonly shape: 'source' | 'stage' | 'stage with memory' | 'effect' | 'view'
  readonly name: string
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

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

/** The pipeline, flat: sources, stages, effects, views. */
export function parts(): readonly TopologyPart[] {
  const sources = Object.entries<readonly string[]>(pipeline.sources)
  const stages = Object.entries(pipeline.stages)
  return [
    ...sources.map(([name, writes]): TopologyPart => ({ shape: 'source', name, reads: [], writes })),
    ...stages.map(([name, { shape, reads, writes }]): TopologyPart => ({ shape, name, reads, writes: [writes] })),
    ...Object.entries(pipeline.effects).map(([name, line]): TopologyPart => ({
      shape: 'effect',
      name,
      ...topicsAt(line),
    })),
    ...pipeline.views.map((view): TopologyPart => ({
      shape: 'view',
      name: view.name,
      reads: topicsOfView(view),
      writes: [],
    })),
  ]
}

const topicsAt = ({ reads, writes }: Pick<TopologyPart, 'reads' | 'writes'>) => ({ reads, writes })

/** Each once; of dead letters their own topic. */
export const topicsOfView = ({ projections }: View): readonly string[] => [
  ...new Set(projections.map(({ reads, dead }) => (dead ? deadTopic(reads.name) : reads.name))),
]

/** One line a part, in columns. */
export function topologyLines(all: readonly TopologyPart[]): readonly string[] {
  const shape = widest(all.map((part) => part.shape))
  const name = widest(all.map((part) => part.name))
  return all.map((part) => {
    const sides = [part.reads.join(', '), part.writes.join(', ')].filter((side) => side !== '')
    const flow = part.shape === 'source' ? `-> ${sides.join('')}` : sides.join(' -> ')
    return `${part.shape.padEnd(shape)}  ${part.name.padEnd(name)}  ${flow}`
  })
}

const widest = (words: readonly string[]): number => Math.max(...words.map((word) => word.length))
