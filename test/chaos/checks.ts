import { z } from 'zod'
import { topicAdmin } from '../../src/adapters/kafka/admin.ts'
import { RegistryCodec } from '../../src/adapters/registry/codec.ts'
import { articlesIngested } from '../../src/events/articles.ts'
import type { Topic } from '../../src/events/topic.ts'
import { pipeline } from '../../src/pipeline.ts'
import type { Log } from '../../src/ports/log.ts'
import type { ChaosEngines } from './engines.ts'
import { story } from './work.ts'

/** What a run has left in the log and in the views, looked at from outside: nothing of the runtime is asked. */
export interface FinalState {
  /** By view. */
  readonly hashes: Readonly<Record<string, string>>
  readonly rows: Readonly<Record<string, number>>
  /** By table, to tell where a view differs. */
  readonly tables: Readonly<Record<string, string>>
  /** Distinct article ids in `articles.ingested`, and of these the ones that no view shows. */
  readonly published: number
  readonly lost: readonly string[]
  /** Event ids that a topic written in transactions holds more than once. */
  readonly doubled: readonly string[]
  /** Records a plain stage wrote again after a crash, each under its old id: allowed, and told. */
  readonly repeated: number
  readonly deadLetters: readonly string[]
  /** Events in topics written in transactions. */
  readonly events: number
}

const Hash = z.object({
  view: z.string(),
  hash: z.string(),
  rows: z.number(),
  tables: z.array(z.object({ table: z.string(), hash: z.string() })),
})
const Identified = z.object({ event_id: z.string(), namespace: z.string().default('') })

interface IdentifiedRecord extends z.infer<typeof Identified> {
  readonly key: string
}

export async function lookAt(engines: ChaosEngines, log: Log): Promise<FinalState> {
  const codec = new RegistryCodec({ url: engines.registryUrl })
  const direct = {
    ...engines.environment,
    CLICKHOUSE_URL: engines.clickhouse.url,
    KAFKA_BROKERS: engines.brokers.join(),
  }
  const hashes = (await story(direct, 'hash', '--all', '--json'))
    .trim()
    .split('\n')
    .map((line) => Hash.parse(JSON.parse(line)))
  const read = async (topic: string): Promise<readonly IdentifiedRecord[]> => {
    const events: IdentifiedRecord[] = []
    for (const partition of (await log.ends(topic)).keys()) {
      for await (const records of log.read(topic, partition, 0)) {
        for (const { key, value } of records) {
          if (value === null) continue
          const decoded = await codec.decode<unknown>(named(topic), value)
          const event = Identified.parse(decoded.kind === 'event' ? decoded.event : { event_id: decoded.reason })
          events.push({ ...event, key: key ?? '' })
        }
      }
    }
    return events
  }

  const published = new Set((await read(articlesIngested.name)).map(({ namespace, key }) => `${namespace} ${key}`))
  const readable = new Set(await askStore(engines, "SELECT DISTINCT concat(namespace, ' ', article_id) FROM articles"))
  const doubled: string[] = []
  let events = 0
  let repeated = 0
  for (const { shape, writes } of Object.values(pipeline.stages)) {
    const ids = (await read(writes)).map(({ event_id }) => event_id)
    const seen = new Set<string>()
    const twice = ids.filter((id) => seen.size === seen.add(id).size)
    if (shape === 'stage') repeated += twice.length
    else {
      doubled.push(...twice.map((id) => `${writes} ${id}`))
      events += ids.length
    }
  }
  return {
    hashes: {
      ...Object.fromEntries(hashes.map(({ view, hash }) => [view, hash])),
      stories: (await askStore(engines, MOVES)).join(),
    },
    rows: Object.fromEntries(hashes.map(({ view, rows }) => [view, rows])),
    tables: Object.fromEntries(hashes.flatMap(({ tables }) => tables.map(({ table, hash }) => [table, hash]))),
    published: published.size,
    lost: [...published].filter((id) => !readable.has(id)),
    doubled,
    repeated,
    deadLetters: await deadLettersOf(engines, log),
    events,
  }
}

/** An import's tick is of the clock, so when a story was looked at, and how old it was then, is of the run. */
const MOVES = `SELECT lower(hex(sum(cityHash64(namespace, cluster_id, lifecycle_state, isNull(previous_state),
  ifNull(previous_state, ''), rule, decided_by)))) FROM transitions FINAL`

const named = (name: string): Topic<unknown> => ({ name, key: () => '' })

async function deadLettersOf({ brokers }: ChaosEngines, log: Log): Promise<readonly string[]> {
  const admin = await topicAdmin({ brokers })
  const dead = (await admin.existing()).filter(({ name }) => name.endsWith('.dead'))
  await admin.close()
  const letters: string[] = []
  for (const { name, partitions } of dead) {
    for (let partition = 0; partition < partitions; partition++) {
      for await (const records of log.read(name, partition, 0)) {
        letters.push(...records.map(({ headers }) => `${name}: ${headers['reason'] ?? ''} ${headers['error'] ?? ''}`))
      }
    }
  }
  return letters
}

async function askStore({ clickhouse, environment }: ChaosEngines, sql: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ database: environment['CLICKHOUSE_DATABASE'] ?? '' })
  const response = await fetch(`${clickhouse.url}/?${query.toString()}`, {
    method: 'POST',
    headers: { 'X-ClickHouse-User': clickhouse.user, 'X-ClickHouse-Key': clickhouse.password },
    body: `${sql} FORMAT TabSeparated`,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`ClickHouse refused "${sql}": ${text.slice(0, 300)}`)
  return text.split('\n').filter((line) => line !== '')
}
