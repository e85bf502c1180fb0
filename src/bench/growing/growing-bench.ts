import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { articlesIngested, articlesScored, type ArticleIngested } from '../../events/articles.ts'
import { derivedId } from '../../events/ids.ts'
import type { Codec, Log } from '../../ports/log.ts'
import type { OwnServiceProgram } from '../own-service.ts'
import { processTree } from '../processes.ts'

export interface GrowingFigure {
  readonly processes: number
  /** Articles a second that came out of `analyzed`. */
  readonly articles_per_second: number
  /** Beside one process. */
  readonly times_one: number
  /** Cores that all processes together used. */
  readonly cores: number
  /** Articles that more than one process has scored, by the ids in the topic. */
  readonly scored_twice: number
}

export interface Growing {
  readonly log: Log
  readonly codec: Codec
  /** `story` in the environment of the engines. */
  readonly program: OwnServiceProgram
  readonly articles: readonly ArticleIngested[]
  onProgress(line: string): void
}

const PROCESSES = [1, 2, 4] as const
const ROLES = ['scored', 'analyzed', 'clustered']
const NAMESPACES = 12
const LOOK_SECONDS = 30
/** More than four processes get through while we look. */
const BACKLOG = 1_500

/** What more processes of every stage bring, each stage with twelve partitions and a model that takes its time. */
export async function benchGrowing(growing: Growing): Promise<readonly GrowingFigure[]> {
  const figures: GrowingFigure[] = []
  for (const processes of PROCESSES) {
    growing.onProgress(`${processes} process(es) of ${ROLES.join(', ')} ...`)
    await publish(growing, processes)
    const measured = await measure(growing, processes)
    const one = figures[0]?.articles_per_second ?? measured.articles_per_second
    figures.push({ ...measured, times_one: measured.articles_per_second / one })
  }
  return figures
}

async function measure(growing: Growing, processes: number): Promise<Omit<GrowingFigure, 'times_one'>> {
  const { log, program } = growing
  const children = Array.from({ length: processes }, () => startOne(program))
  try {
    await moved(log, await analysed(log))
    await setTimeout(10_000) // all have joined, and are at their own speed
    const [before, cpuBefore, began] = [await analysed(log), cpuOf(children), performance.now()]
    await setTimeout(LOOK_SECONDS * 1000)
    const [after, cpuAfter, ended] = [await analysed(log), cpuOf(children), performance.now()]
    const seconds = (ended - began) / 1000
    return {
      processes,
      articles_per_second: (after - before) / seconds,
      cores: (cpuAfter - cpuBefore) / 1000 / seconds,
      scored_twice: await repeated(growing),
    }
  } finally {
    await Promise.all(children.map(end))
  }
}

function startOne({ command: [program, ...first], environment }: OwnServiceProgram): ChildProcess {
  return spawn(program, [...first, 'start', ...ROLES], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const cpuOf = (children: readonly ChildProcess[]): number =>
  children.flatMap(({ pid }) => processTree(pid ?? -1)).reduce((sum, { cpuMs }) => sum + cpuMs, 0)

/** Records that `analyzed` has read for good. */
async function analysed(log: Log): Promise<number> {
  const committed = await log.committed('analyzed', articlesScored.name)
  return committed.reduce<number>((sum, offset) => sum + (offset ?? 0), 0)
}

async function moved(log: Log, from: number): Promise<void> {
  while ((await analysed(log)) <= from) await setTimeout(250)
}

async function publish({ log, codec, articles }: Growing, round: number): Promise<void> {
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
  const records = events.map(async (event) => ({
    topic: articlesIngested.name,
    key: articlesIngested.key(event),
    value: await codec.encode(articlesIngested, event),
  }))
  await log.produce(await Promise.all(records))
}

async function repeated({ log, codec }: Growing): Promise<number> {
  const seen = new Set<string>()
  let twice = 0
  for (const partition of (await log.ends(articlesScored.name)).keys()) {
    for await (const records of log.read(articlesScored.name, partition, 0)) {
      for (const { value } of records) {
        const read = value === null ? null : await codec.decode(articlesScored, value)
        if (read?.kind !== 'event') continue
        if (seen.has(read.event.event_id)) twice += 1
        seen.add(read.event.event_id)
      }
    }
  }
  return twice
}
