import type { Topic } from '../events/topic.ts'
import type { Consumer } from '../ports/log.ts'
import { runEffect } from './run-effect.ts'
import { runMemoryStage } from './run-memory-stage.ts'
import { runStage } from './run-stage.ts'
import type { RuntimePorts } from './running.ts'
import type { Effect, MemoryStage, Stage } from './shapes.ts'

/** A stage of the pipeline: what it reads and writes, and how to start it. Printable without starting anything. */
export interface StageLine<Dependencies> {
  readonly shape: 'stage' | 'stage with memory'
  readonly reads: readonly string[]
  readonly writes: string
  /** The topics that hold its state: its changelog, and its table if it has one. */
  readonly state: readonly string[]
  start(dependencies: Dependencies, running: RuntimePorts): Promise<Consumer>
}

/** The topics on each side of a stage. */
interface Between<In, Out> {
  readonly reads: Topic<In>
  readonly writes: Topic<Out>
}

export const stageLine = <Dependencies, In, Out>(
  { reads, writes }: Between<In, Out>,
  make: (dependencies: Dependencies) => Stage<In, Out>,
): StageLine<Dependencies> => ({
  shape: 'stage',
  reads: [reads.name],
  writes: writes.name,
  state: [],
  start: (dependencies, running) => runStage(make(dependencies), running),
})

interface MemoryLineTopics<Out, Remembered, Row> {
  readonly reads: readonly Topic<never>[]
  readonly writes: Topic<Out>
  readonly changelog: Topic<Remembered>
  readonly table?: Topic<Row>
}

export const memoryLine = <Dependencies, State, In, Out, Remembered, Row = never>(
  { reads, writes, changelog, table }: MemoryLineTopics<Out, Remembered, Row>,
  make: (dependencies: Dependencies) => MemoryStage<State, In, Out, Remembered, Row>,
): StageLine<Dependencies> => ({
  shape: 'stage with memory',
  reads: reads.map(({ name }) => name),
  writes: writes.name,
  state: [changelog.name, ...(table === undefined ? [] : [table.name])],
  start: (dependencies, running) => runMemoryStage(make(dependencies), running),
})

/** An effect of the pipeline: the topic it follows, what it looks up and what it writes. */
export interface EffectLine<Dependencies> {
  /** Its consumer group. */
  readonly group: string
  readonly follows: string
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  start(dependencies: Dependencies, running: RuntimePorts): Promise<Consumer>
}

interface EffectLineTopics<Event> {
  readonly group: string
  /** Also written. */
  readonly follows: Topic<Event>
  /** Settings that the effect looks up and may change. */
  readonly changes: readonly Topic<never>[]
  /** Other topics that it writes. */
  readonly writes?: readonly Topic<never>[]
}

export const effectLine = <Dependencies, Event>(
  { group, follows, changes, writes = [] }: EffectLineTopics<Event>,
  make: (dependencies: Dependencies) => Effect<Event>,
): EffectLine<Dependencies> => ({
  group,
  follows: follows.name,
  reads: [follows, ...changes].map(({ name }) => name),
  writes: [follows, ...changes, ...writes].map(({ name }) => name),
  start: (dependencies, running) => runEffect(make(dependencies), running),
})
