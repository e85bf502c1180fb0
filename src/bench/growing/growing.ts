import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { RegistryCodec } from '../../adapters/registry/codec.ts'
import { openEngines } from '../../config/kafka.ts'
import { articlesIngested, articlesScored, type ArticleIngested } from '../../events/articles.ts'
import { derivedId } from '../../events/ids.ts'
import type { Log } from '../../ports/log.ts'
import { thisCli, type Cli } from '../../wiring/up/service.ts'
import { prepare } from '../../wiring/up/steps.ts'
import { endProcess, startRoles, withOwnEngines } from '../own-service.ts'
import type { BenchPart, BenchResult, BenchSetting } from '../part.ts'
import { cpuMsOf } from '../processes.ts'
import { readEvents, writeEvents, type EventLog } from '../topic-events.ts'
import { slowModel } from './slow-model.ts'

export const growing: BenchPart = {
  about: 'articles per second with 1, 2 and 4 processes of every stage, twelve namespaces and a slow model',
  alone: measure,
}

function measure({ wiring, articles }: BenchSetting): Promise<BenchResult> {
  return withOwnEngines(wiring, async ({ home, engines, log }) => {
    const model = await slowModel()
    try {
      await prepare(engines, { topics: { partitions: 'production' } })
      const environment = {
        ...wiring.environment,
        ...openEngines,
        ...{ STORY_HOME: home, KAFKA_BROKERS: engines.brokers.join(','), REGISTRY_URL: engines.registryUrl },
        ...{ TOPIC_PARTITIONS: 'production', LOG_LEVEL: 'error', METRICS_PORT: '' },
        ...{ ENCODER_ENDPOINT_URL: model.encoder, TAGGER_ENDPOINT_URL: model.tagger },
      }
      const codec = new RegistryCodec({ url: engines.registryUrl })
      const onProgress = (line: string): void => wiring.out.progress(line)
      const figures = await benchGrowing({ log, codec, cli: thisCli(environment), articles, onProgress })
      return { figures, lines: figures.map(line) }
    } finally {
      await model.close()
    }
  })
}

interface Growing extends EventLog {
  /** The CLI with the environment of the engines. */
  readonly cli: Cli
  readonly articles: readonly ArticleIngested[]
  onProgress(line: string): void
}

const PROCESSES = [1, 2, 4] as const
const ROLES = ['scored', 'analyzed', 'clustered']
const NAMESPACES = 12
const MEASURED_SECONDS = 30
/** More articles than four processes can handle during the measurement. */
const BACKLOG = 1_500

/** The throughput with more processes of every stage. Each stage has twelve partitions, and the model is slow. */
async function benchGrowing(growing: Growing): Promise<readonly GrowingFigure[]> {
  const figures: GrowingFigure[] = []
  for (const processes of PROCESSES) {
    growing.onProgress(`${processes} process(es) of ${ROLES.join(', ')} ...`)
    await publish(growing, processes)
    const figure = await measured(growing, processes)
    const one = figures[0]?.articles_per_second ?? figure.articles_per_second
    figures.push({ ...figure, times_one: figure.articles_per_second / one })
  }
  return figures
}

/** `times_one`: throughput relative to one process. */
type GrowingFigure = Awaited<ReturnType<typeof measured>> & { readonly times_one: number }

async function measured(growing: Growing, processes: number) {
  const { log, cli } = growing
  const children = Array.from({ length: processes }, () => startRoles(cli, ROLES))
  try {
    await untilProgress(log, await committedByAnalyzed(log))
    await setTimeout(10_000) // until all processes have joined and run at full speed
    const [before, cpuBefore, began] = [await committedByAnalyzed(log), cpuOf(children), performance.now()]
    await setTimeout(MEASURED_SECONDS * 1000)
    const [after, cpuAfter, ended] = [await committedByAnalyzed(log), cpuOf(children), performance.now()]
    const seconds = (ended - began) / 1000
    return {
      processes,
      /** Throughput of `analyzed`. */
      articles_per_second: (after - before) / seconds,
      /** CPU cores that all processes used together. */
      cores: (cpuAfter - cpuBefore) / 1000 / seconds,
      /** Articles that were scored more than once, by their event ids in the topic. */
      scored_twice: await repeated(growing),
    }
  } finally {
    await Promise.all(children.map(endProcess))
  }
}

const cpuOf = (children: readonly ChildProcess[]): number =>
  children.reduce((sum, { pid }) => sum + cpuMsOf(pid ?? -1), 0)

/** The number of records that `analyzed` has committed. */
async function committedByAnalyzed(log: Log): Promise<number> {
  const committed = await log.committed('analyzed', articlesScored.name)
  return committed.reduce<number>((sum, offset) => sum + (offset ?? 0), 0)
}

async function untilProgress(log: Log, from: number): Promise<void> {
  while ((await committedByAnalyzed(log)) <= from) await setTimeout(250)
}

async function publish({ articles, ...to }: Growing, round: number): Promise<void> {
  const events = Array.from({ length: BACKLOG }, (_, i): ArticleIngested => {
    const article = articles[i % articles.length]
    if (article === undefined) throw new Error('there are no articles to measure with')
    const id = `${round} ${i}`
    const namespace = `growing-${i % NAMESPACES}`
    return {
      ...article,
      ...{ namespace, event_id: derivedId({ stage: 'bench', version: '1' }, id) },
      url: `https://growing.example/${round}/${i}`,
    }
  })
  await writeEvents(to, articlesIngested, events)
}

async function repeated(from: EventLog): Promise<number> {
  const seen = new Set<string>()
  let twice = 0
  for await (const { event_id } of readEvents(from, articlesScored)) {
    if (seen.has(event_id)) twice += 1
    seen.add(event_id)
  }
  return twice
}

const line = (f: GrowingFigure): string =>
  `  ${f.processes} process(es)  ${f.articles_per_second.toFixed(1).padStart(6)} articles a second, ` +
  `${f.times_one.toFixed(2)} times one; ${f.cores.toFixed(2)} cores; scored twice: ${f.scored_twice}`
