import { readGenreModel } from '../../src/adapters/model-files.ts'
import { LIFECYCLE } from '../../src/domain/lifecycle/lifecycle.ts'
import { parseCredibility } from '../../src/language/quality/credibility.ts'
import { pipeline } from '../../src/pipeline.ts'
import type { Entry } from '../../src/state/entry.ts'
import type { Input, MemoryStage, Projection, Stage, TableRow, View } from '../../src/runtime/shapes.ts'
import { analyzed } from '../../src/stages/analyzed/stage.ts'
import { changed } from '../../src/stages/changed/stage.ts'
import { detected } from '../../src/stages/detected/stage.ts'
import { enriched } from '../../src/stages/enriched/stage.ts'
import { matched } from '../../src/stages/matched/stage.ts'
import { linked } from '../../src/stages/linked/stage.ts'
import { scored } from '../../src/stages/scored/stage.ts'
import { transitioned } from '../../src/stages/transitioned/stage.ts'
import { aReading, anEncoderDouble } from '../builders/analyzed.ts'
import { aClusterer } from '../builders/clustered.ts'
import { cueStance, testReader } from '../builders/enriched.ts'
import { aTokenReading } from '../builders/tokens.ts'

/** What a view makes of an event, and of a dead letter of it. */
export function rowsOf(input: Input<unknown>): readonly TableRow[] {
  const views: readonly View[] = pipeline.views
  return views
    .flatMap(({ projections }) => projections)
    .filter((projection) => projection.reads.name === input.topic)
    .flatMap((projection) =>
      projection.dead ? lettersOf(projection, input) : projection.project(input as Input<never>),
    )
}

function lettersOf(projection: Projection<never>, input: Input<unknown>): readonly TableRow[] {
  const letter = { stage: 'golden', reason: 'golden', attempts: 1, original: input.place, resolved: null }
  return projection.letters?.({ ...input, event: { ...letter, event: input.event as never } }) ?? []
}

/** A stage that is given what it remembers and then reads; answers how many outcomes it came to. */
export interface GoldenReader {
  readonly name: string
  readonly reads: readonly string[]
  /** Of one without memory nothing. */
  readonly changelog: string | null
  read(remembered: readonly Entry<unknown>[], inputs: readonly Input<unknown>[]): Promise<number>
}

const stageReader = <In, Out>(stage: Stage<In, Out>): GoldenReader => ({
  name: stage.name,
  reads: [stage.reads.name],
  changelog: null,
  read: async (_, inputs) => (await stage.handle(inputs as readonly Input<In>[])).length,
})

const memoryReader = <State, In, Out, Remembered, Row>(
  stage: MemoryStage<State, In, Out, Remembered, Row>,
): GoldenReader => ({
  name: stage.name,
  reads: stage.reads.map(({ name }) => name),
  changelog: stage.memory.changelog.name,
  read: async (remembered, inputs) => {
    const evolve = (before: State, entries: readonly Entry<Remembered>[]): State =>
      entries.reduce((state, entry) => stage.memory.evolve(state, entry), before)
    let state = evolve(stage.memory.empty(), remembered as readonly Entry<Remembered>[])
    const given = inputs as readonly Input<In>[]
    const prepared = (await stage.prepare?.(given)) ?? given
    for (const input of prepared) {
      const decided = stage.decide(state, input)
      state = evolve(state, decided.remember)
      if (decided.kind === 'deferred') decided.outcome(state)
    }
    return prepared.length
  },
})

const credibility = parseCredibility(JSON.stringify({ classes: {}, domains: {} }))
const WEEK_MS = 7 * 86_400_000

/** Every stage of the pipeline that reads events of others; `delivered` reads settings too, and has tests of its own. */
export const readers: readonly GoldenReader[] = [
  stageReader(
    scored({
      encoder: anEncoderDouble(),
      crossEncoder: null,
      credibility,
      genres: readGenreModel(),
      tokens: aTokenReading(),
      gate: 0,
    }),
  ),
  stageReader(analyzed(aReading())),
  memoryReader(aClusterer()),
  memoryReader(enriched({ read: testReader, stance: cueStance, budget: 100, textMs: WEEK_MS })),
  memoryReader(linked({ budget: 1_000 })),
  memoryReader(transitioned({ numbers: LIFECYCLE, budget: 1_000 })),
  memoryReader(detected({ budget: 1_000 })),
  memoryReader(matched({ budget: 1_000 })),
  memoryReader(changed({ budget: 1_000 })),
]
