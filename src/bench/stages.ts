import { PlainCodec } from '../adapters/plain-codec.ts'
import { articlesAnalyzed, type ArticleAnalyzed } from '../events/articles.ts'
import type { Topic } from '../events/topic.ts'
import { memoryStageRun } from '../quality/memory-stage-run.ts'
import { analyzed } from '../stages/analyzed/stage.ts'
import { clustered, type ClusteredStage } from '../stages/clustered/stage.ts'
import { scored } from '../stages/scored/stage.ts'
import { stageDependencies } from '../wiring/stages.ts'
import { inputsOf, runStage } from './inputs.ts'
import type { BenchPart, BenchResult, BenchSetting } from './part.ts'
import { costOf } from './rounds.ts'
import { piecesAnArticle } from './word-pieces.ts'

export const stages: BenchPart = { about: 'CPU per article of each stage, run alone', alone: measure }

/** CPU of each stage, run alone one after the other on the same articles, and of encoding and decoding the events. */
async function measure({ wiring, articles }: BenchSetting): Promise<BenchResult> {
  const pieces = await piecesAnArticle({ wiring, articles })
  const dependencies = stageDependencies(wiring)
  const scoring = scored(await dependencies.scored())
  const analyzing = analyzed(await dependencies.analyzed())
  const clustering = clustered(await dependencies.clustered())
  const now = articles.reduce((latest, { published_date }) => Math.max(latest, published_date ?? 0), 1)
  const count = articles.length
  const one = await timed('scored', count, () => runStage(scoring, inputsOf(articles, now)))
  const two = await timed('analyzed', count, () => runStage(analyzing, inputsOf(one.events, now)))
  const three = await timed('clustered', count, async () => decisions(clustering, two.events, now))
  const bytes = await timed('events as bytes and back', count, async () => [
    ...(await encodeAndDecode(scoring.writes, one.events)),
    ...(await encodeAndDecode(analyzing.writes, two.events)),
    ...(await encodeAndDecode(clustering.writes, three.events)),
  ])
  const figures = [one, two, three, bytes].map(({ figure }) => figure)
  return { figures: { word_pieces_an_article: pieces, stages: figures }, lines: table(pieces, figures) }
}

async function timed<Out>(stage: string, inputs: number, work: () => Promise<readonly Out[]>) {
  const { own, models, result: events } = await costOf(inputs, work)
  /** CPU milliseconds per input, of the stage's own process and of the model processes. */
  const figure = { stage, inputs, outputs: events.length, own_ms: own, models_ms: models }
  return { figure, events }
}

function decisions(stage: ClusteredStage, events: readonly ArticleAnalyzed[], now: number) {
  const decide = memoryStageRun(stage)
  return inputsOf(events, now, articlesAnalyzed.name).flatMap((input) => decide(input))
}

const codec = new PlainCodec()

const encodeAndDecode = <Event>(topic: Topic<Event>, events: readonly Event[]): Promise<readonly unknown[]> =>
  Promise.all(events.map(async (event) => codec.decode(topic, await codec.encode(topic, event))))

function table(pieces: number, figures: readonly Awaited<ReturnType<typeof timed>>['figure'][]): readonly string[] {
  const own = figures.reduce((sum, { own_ms }) => sum + own_ms, 0)
  const models = figures.reduce((sum, { models_ms }) => sum + models_ms, 0)
  const line = (name: string, ownMs: number, modelsMs: number) =>
    `  ${name.padEnd(38)} ${ownMs.toFixed(2).padStart(7)} ${modelsMs.toFixed(2).padStart(9)}`
  return [
    `  word pieces an article ${pieces.toFixed(0)}`,
    `  ${'CPU ms an article'.padEnd(38)}     own    models`,
    ...figures.map((s) => line(s.stage, s.own_ms, s.models_ms)),
    `${line('all', own, models)}   own / models ${(own / models).toFixed(3)}`,
  ]
}
