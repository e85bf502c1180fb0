import type { ArticleAnalyzed, ArticleClustered, ArticleIngested, ArticleScored } from '../events/articles.ts'
import type { Topic } from '../events/topic.ts'
import type { Codec } from '../ports/log.ts'
import type { Input, MemoryStage, Outcome, Stage } from '../runtime/shapes.ts'
import { processTree } from './processes.ts'

export interface StageFigure {
  readonly stage: string
  readonly inputs: number
  readonly outputs: number
  /** CPU of the stage's own process, milliseconds an input. */
  readonly own_ms: number
  /** CPU of the encoder's processes, milliseconds an input. */
  readonly encoder_ms: number
}

/** One part of the work at a time, as the runtime hands it out. */
const PART = 64

interface Cpu {
  readonly own: number
  readonly children: number
}

const cpu = (): Cpu => {
  const { user, system } = process.cpuUsage()
  const children = processTree(process.pid).filter(({ pid }) => pid !== process.pid)
  return { own: (user + system) / 1000, children: children.reduce((sum, { cpuMs }) => sum + cpuMs, 0) }
}

async function timed<Out>(stage: string, inputs: number, work: () => Promise<readonly Out[]>) {
  const before = cpu()
  const events = await work()
  const after = cpu()
  const figure: StageFigure = {
    stage,
    inputs,
    outputs: events.length,
    own_ms: (after.own - before.own) / inputs,
    encoder_ms: (after.children - before.children) / inputs,
  }
  return { figure, events }
}

const asInputs = <Event>(topic: string, events: readonly Event[], loggedAt: number): Input<Event>[] =>
  events.map((event, offset) => ({ event, topic, place: { topic, partition: 0, offset }, loggedAt }))

const emitted = <Out>(outcomes: readonly Outcome<Out>[]): Out[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'emit' ? outcome.events : []))

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
    return emitted([decided.kind === 'tell' ? decided.tell(state) : decided])
  })
}

export interface Stages<State, Remembered> {
  readonly scored: Stage<ArticleIngested, ArticleScored>
  readonly analyzed: Stage<ArticleScored, ArticleAnalyzed>
  readonly clustered: MemoryStage<State, ArticleAnalyzed, ArticleClustered, Remembered>
  readonly codec: Codec
}

/** CPU of every stage on its own, on the same articles, one after the other; and of the events' bytes between them. */
export async function benchStages<State, Remembered>(
  articles: readonly ArticleIngested[],
  { scored, analyzed, clustered, codec }: Stages<State, Remembered>,
): Promise<readonly StageFigure[]> {
  const now = articles.reduce((latest, { published_date }) => Math.max(latest, published_date ?? 0), 1)
  const count = articles.length
  const one = await timed('scored', count, async () => await runStage(scored, asInputs('', articles, now)))
  const two = await timed('analyzed', count, async () => await runStage(analyzed, asInputs('', one.events, now)))
  const three = await timed('clustered', count, () =>
    Promise.resolve(runMemoryStage(clustered, asInputs('', two.events, now))),
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
  return await Promise.all(events.map(async (event) => await codec.decode(topic, await codec.encode(topic, event))))
}
