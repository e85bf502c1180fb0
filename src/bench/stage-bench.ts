import type { ArticleAnalyzed, ArticleIngested, ArticleScored } from '../events/articles.ts'
import type { ArticleClustered } from '../events/ledger.ts'
import type { ClockTicked, CorrectionRequested } from '../events/settings.ts'
import type { Topic } from '../events/topic.ts'
import type { Codec } from '../ports/log.ts'
import type { Input, MemoryStage, Stage } from '../runtime/shapes.ts'
import { emitted, inputsOf } from './inputs.ts'
import { costOf } from './rounds.ts'

export interface StageFigure {
  readonly stage: string
  readonly inputs: number
  readonly outputs: number
  /** CPU of the stage's own process, milliseconds an input. */
  readonly own_ms: number
  /** CPU of the models' processes, milliseconds an input. */
  readonly models_ms: number
}

/** One part of the work at a time, as the runtime hands it out. */
const PART = 64

async function timed<Out>(stage: string, inputs: number, work: () => Promise<readonly Out[]>) {
  let events: readonly Out[] = []
  const { own, models } = await costOf(inputs, async () => {
    events = await work()
  })
  const figure: StageFigure = { stage, inputs, outputs: events.length, own_ms: own, models_ms: models }
  return { figure, events }
}

async function runStage<In, Out>(stage: Stage<In, Out>, inputs: readonly Input<In>[]): Promise<readonly Out[]> {
  const events: Out[] = []
  for (let from = 0; from < inputs.length; from += PART) {
    events.push(...emitted(await stage.handle(inputs.slice(from, from + PART))))
  }
  return events
}

function runMemoryStage<State, In, Out, Remembered>(
  stage: MemoryStage<State, In, Out, Remembered>,
  inputs: readonly Input<In>[],
): readonly Out[] {
  let state = stage.memory.empty()
  return inputs.flatMap((input) => {
    const decided = stage.decide(state, input)
    for (const entry of decided.remember) state = stage.memory.evolve(state, entry)
    return emitted([decided.kind === 'deferred' ? decided.outcome(state) : decided])
  })
}

export interface Stages<State, Remembered> {
  readonly scored: Stage<ArticleIngested, ArticleScored>
  readonly analyzed: Stage<ArticleScored, ArticleAnalyzed>
  readonly clustered: MemoryStage<
    State,
    ArticleAnalyzed | ClockTicked | CorrectionRequested,
    ArticleClustered,
    Remembered
  >
  readonly codec: Codec
}

/** CPU of every stage on its own, on the same articles, one after the other; and of the events' bytes between them. */
export async function benchStages<State, Remembered>(
  articles: readonly ArticleIngested[],
  { scored, analyzed, clustered, codec }: Stages<State, Remembered>,
): Promise<readonly StageFigure[]> {
  const now = articles.reduce((latest, { published_date }) => Math.max(latest, published_date ?? 0), 1)
  const count = articles.length
  const one = await timed('scored', count, () => runStage(scored, inputsOf(articles, now)))
  const two = await timed('analyzed', count, () => runStage(analyzed, inputsOf(one.events, now)))
  const three = await timed('clustered', count, () =>
    Promise.resolve(runMemoryStage(clustered, inputsOf(two.events, now))),
  )
  const bytes = await timed('events as bytes and back', count, async () => [
    ...(await thereAndBack(codec, { topic: scored.writes, events: one.events })),
    ...(await thereAndBack(codec, { topic: analyzed.writes, events: two.events })),
    ...(await thereAndBack(codec, { topic: clustered.writes, events: three.events })),
  ])
  return [one.figure, two.figure, three.figure, bytes.figure]
}

async function thereAndBack<Event>(
  codec: Codec,
  { topic, events }: { readonly topic: Topic<Event>; readonly events: readonly Event[] },
): Promise<readonly unknown[]> {
  return Promise.all(events.map(async (event) => codec.decode(topic, await codec.encode(topic, event))))
}
