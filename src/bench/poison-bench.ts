import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { articlesIngested, type ArticleIngested } from '../events/articles.ts'
import type { Log, OutRecord } from '../ports/log.ts'
import type { OwnService } from './own-service.ts'
import { processTree } from './processes.ts'
import { median } from './rounds.ts'
import { asLine } from './whole-bench.ts'

export interface PoisonFigure {
  /** Good articles a round. */
  readonly articles: number
  /** Messages that are no event beside them, a round. */
  readonly poison: number
  /** CPU milliseconds of the whole service a good article, median of the rounds. */
  readonly clean_ms: number
  readonly poisoned_ms: number
  /** Throughput with poison beside that without, by CPU. */
  readonly ratio: number
}

export interface Poisoning {
  readonly articles: readonly ArticleIngested[]
  readonly log: Pick<Log, 'produce'>
  readonly onProgress: (line: string) => void
}

/** Of each kind: clean and poisoned take turns. */
const ROUNDS = 3
const POISON_SHARE = 0.01
const WARM_UP_ARTICLES = 48

const Imported = z.object({ accepted: z.number() })

/** The same articles, each time into a namespace of its own, with and without one message in a hundred that is no event. */
export async function benchPoison(
  service: OwnService,
  { articles, log, onProgress }: Poisoning,
): Promise<PoisonFigure> {
  const poison = Math.ceil(articles.length * POISON_SHARE)
  const clean: number[] = []
  const poisoned: number[] = []
  const round = async (namespace: string, some: readonly ArticleIngested[]) => {
    onProgress(`${namespace} ...`)
    return cpuAnArticle(service, namespace, some)
  }
  await round('bench-warm-up', articles.slice(0, WARM_UP_ARTICLES))
  for (let n = 1; n <= ROUNDS; n++) {
    clean.push(await round(`bench-clean-${n}`, articles))
    const [cost] = await Promise.all([round(`bench-poisoned-${n}`, articles), throwIn(poison, log)])
    poisoned.push(cost)
  }
  const [clean_ms, poisoned_ms] = [median(clean), median(poisoned)]
  return { articles: articles.length, poison, clean_ms, poisoned_ms, ratio: clean_ms / poisoned_ms }
}

/** Until all of them are readable. */
async function cpuAnArticle(
  { home, command, environment, pid }: OwnService,
  namespace: string,
  articles: readonly ArticleIngested[],
): Promise<number> {
  const file = join(home, `${namespace}.jsonl`)
  await writeFile(file, articles.map((article) => JSON.stringify(asLine(article))).join('\n'))
  const before = cpuOf(pid)
  const [program, ...first] = command
  const args = [...first, 'import', 'jsonl', file, '--namespace', namespace, '--wait', '--json']
  const { stdout } = await promisify(execFile)(program, args, { env: environment })
  return (cpuOf(pid) - before) / Imported.parse(JSON.parse(stdout)).accepted
}

const cpuOf = (pid: number): number => processTree(pid).reduce((sum, { cpuMs }) => sum + cpuMs, 0)

/** One after the other, each a part of its own or in the middle of one: what is written at once is set aside at once. */
async function throwIn(count: number, log: Pick<Log, 'produce'>): Promise<void> {
  for (let i = 0; i < count; i++) await log.produce([poisonous(i)])
}

const KINDS = [
  Buffer.from('not an event at all'),
  Buffer.from([0, 0x7f, 0xff, 0xff, 0xff, 1, 2, 3]), // a schema that nobody has registered
  Buffer.alloc(0),
]

const poisonous = (i: number): OutRecord => ({
  topic: articlesIngested.name,
  key: `poison-${i}`,
  value: KINDS[i % KINDS.length] ?? null,
})
