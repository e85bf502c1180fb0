import { KafkaLog } from '../adapters/kafka/kafka-log.ts'
import { loadConfig } from '../config/config.ts'
import { articlesIngested, type ArticleIngested } from '../events/articles.ts'
import type { Log, OutRecord } from '../ports/log.ts'
import { asLine, importableFile, importFile, type OwnService } from './own-service.ts'
import { ms, type BenchPart, type BenchSetting } from './part.ts'
import { cpuMsOf } from './processes.ts'
import { median } from './rounds.ts'

export const poison: BenchPart = {
  about: 'the whole service with 1 % unreadable records, compared with none',
  inService: async (setting, service) => {
    const figures = await measure(setting, service)
    return { figures, lines: table(figures) }
  },
}

/** Rounds of each kind. Clean and poisoned rounds alternate. */
const ROUNDS = 3
const POISON_SHARE = 0.01
const WARM_UP_ARTICLES = 48

/** Imports the same articles into a new namespace each round, with and without 1 % of unreadable records. */
async function measure({ wiring, articles }: BenchSetting, service: OwnService) {
  const { brokers } = loadConfig(service.environment).kafka
  const log = new KafkaLog({ brokers, clientId: 'story-bench' })
  const count = Math.ceil(articles.length * POISON_SHARE)
  const clean: number[] = []
  const poisoned: number[] = []
  const round = async (namespace: string, some: readonly ArticleIngested[]) => {
    wiring.out.progress(`${namespace} ...`)
    return cpuAnArticle(service, namespace, some)
  }
  try {
    await round('bench-warm-up', articles.slice(0, WARM_UP_ARTICLES))
    for (let n = 1; n <= ROUNDS; n++) {
      clean.push(await round(`bench-clean-${n}`, articles))
      const [cost] = await Promise.all([round(`bench-poisoned-${n}`, articles), produceUnreadable(count, log)])
      poisoned.push(cost)
    }
  } finally {
    await log.close()
  }
  const [clean_ms, poisoned_ms] = [median(clean), median(poisoned)]
  return {
    /** Valid articles per round. */
    articles: articles.length,
    /** Unreadable records per poisoned round. */
    poison: count,
    /** CPU milliseconds of the whole service per valid article, median of the rounds. */
    clean_ms,
    poisoned_ms,
    /** Throughput with unreadable records divided by throughput without them, by CPU time. */
    ratio: clean_ms / poisoned_ms,
  }
}

/** CPU milliseconds per article, until all of them are readable. */
async function cpuAnArticle(
  service: OwnService,
  namespace: string,
  articles: readonly ArticleIngested[],
): Promise<number> {
  const file = await importableFile(service.home, articles.map(asLine))
  const before = cpuMsOf(service.pid)
  const { accepted } = await importFile(service, file, '--namespace', namespace, '--wait')
  return (cpuMsOf(service.pid) - before) / accepted
}

/**
 * Produces them one at a time, so that each is in a batch of its own or among valid records: records that are written
 * together are rejected together.
 */
async function produceUnreadable(count: number, log: Pick<Log, 'produce'>): Promise<void> {
  for (let i = 0; i < count; i++) await log.produce([unreadableRecord(i)])
}

const KINDS = [
  Buffer.from('not an event at all'),
  Buffer.from([0, 0x7f, 0xff, 0xff, 0xff, 1, 2, 3]), // an unregistered schema id
  Buffer.alloc(0),
]

const unreadableRecord = (i: number): OutRecord => ({
  topic: articlesIngested.name,
  key: `poison-${i}`,
  value: KINDS[i % KINDS.length] ?? null,
})

const table = (f: Awaited<ReturnType<typeof measure>>): readonly string[] => [
  `  ${f.articles} articles a round`,
  `  CPU ms a good article, clean            ${ms(f.clean_ms)}`,
  `  CPU ms a good article, ${String(f.poison).padStart(3)} poisonous    ${ms(f.poisoned_ms)}`,
  `  throughput with poison over without     ${ms(f.ratio)}`,
]
