import { pipeline } from '../pipeline.ts'
import { topicsOf } from '../runtime/run-view.ts'

/** One part of the pipeline, as data. */
export interface TopologyPart {
  readonly shape: 'source' | 'stage' | 'stage with memory' | 'effect' | 'view'
  readonly name: string
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

/** All parts of the pipeline: sources, stages, effects, views. */
export function parts(): readonly TopologyPart[] {
  const sources = Object.entries<readonly string[]>(pipeline.sources)
  const stages = Object.entries(pipeline.stages)
  const effects = Object.entries(pipeline.effects)
  return [
    ...sources.map(([name, writes]): TopologyPart => ({ shape: 'source', name, reads: [], writes })),
    ...stages.map(([name, { shape, reads, writes }]): TopologyPart => ({ shape, name, reads, writes: [writes] })),
    ...effects.map(([name, { reads, writes }]): TopologyPart => ({ shape: 'effect', name, reads, writes })),
    ...pipeline.views.map((view): TopologyPart => {
      return { shape: 'view', name: view.name, reads: topicsOf(view), writes: [] }
    }),
  ]
}

/** One line per part, in columns. */
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
