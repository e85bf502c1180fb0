import { z } from 'zod'
import { RegistryCodec } from '../../src/adapters/registry/codec.ts'
import { articlesIngested } from '../../src/events/articles.ts'
import type { Log } from '../../src/ports/log.ts'
import type { ChaosEngines } from './engines.ts'
import { deadLettersOf, eventsOf, repeatedEvents, type RepeatedEvents } from './log-content.ts'
import { story } from './work.ts'

/** What a run has left in the log and in the views, looked at from outside: nothing of the runtime is asked. */
export interface FinalState extends RepeatedEvents {
  /** By view. */
  readonly hashes: Readonly<Record<string, string>>
  readonly rows: Readonly<Record<string, number>>
  /** By table, to tell where a view differs. */
  readonly tables: Readonly<Record<string, string>>
  /** Distinct article ids in `articles.ingested`, and of these the ones that no view shows. */
  readonly published: number
  readonly lost: readonly string[]
  readonly deadLetters: readonly string[]
}

const Hash = z.object({
  view: z.string(),
  hash: z.string(),
  rows: z.number(),
  tables: z.array(z.object({ table: z.string(), hash: z.string() })),
})
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
  const published = new Set(
    (await eventsOf(articlesIngested.name, { log, codec })).map(({ namespace, key }) => `${namespace} ${key}`),
  )
  const readable = new Set(await askStore(engines, "SELECT DISTINCT concat(namespace, ' ', article_id) FROM articles"))
  return {
    hashes: {
      ...Object.fromEntries(hashes.map(({ view, hash }) => [view, hash])),
      stories: (await askStore(engines, MOVES)).join(),
    },
    rows: Object.fromEntries(hashes.map(({ view, rows }) => [view, rows])),
    tables: Object.fromEntries(hashes.flatMap(({ tables }) => tables.map(({ table, hash }) => [table, hash]))),
    published: published.size,
    lost: [...published].filter((id) => !readable.has(id)),
    ...(await repeatedEvents({ log, codec })),
    deadLetters: await deadLettersOf({ brokers: engines.brokers }, log),
  }
}

/** An import's tick is of the clock, so when a story was looked at, and how old it was then, is of the run. */
const MOVES = `SELECT lower(hex(sum(cityHash64(namespace, cluster_id, lifecycle_state, isNull(previous_state),
  ifNull(previous_state, ''), rule, decided_by)))) FROM transitions FINAL`

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
