import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { clickhouseStore } from '../../adapters/clickhouse/store.ts'
import { KafkaLog } from '../../adapters/kafka/kafka-log.ts'
import type { Config } from '../../config/config.ts'
import type { Secrets } from '../../engines/secrets.ts'
import { refreshAnalystViews } from '../../engines/analysts/views.ts'
import type { Engines } from '../../engines/start-engines.ts'
import { articlesIngested } from '../../events/articles.ts'
import { projectPath } from '../../config/project-path.ts'
import { migrate } from '../../views/migrate.ts'
import { registerOurSchemas } from '../../operations/schemas.ts'
import { applyTopics } from '../../operations/topics.ts'
import { askCli, type Cli, runCli } from './service.ts'

/** Where topics, schemas and tables go. */
type Prepared = Pick<Engines, 'brokers' | 'registryUrl'> & {
  readonly clickhouse: Omit<Engines['clickhouse'], 'analystPassword'>
}

/** Topics, schemas and tables as this version wants them; quick when they are. */
export async function prepare(engines: Prepared, config: Pick<Config, 'topics'>): Promise<void> {
  const { clickhouse, brokers, registryUrl } = engines
  const store = clickhouseStore(clickhouse)
  try {
    await Promise.all([
      applyTopics({ kafka: { brokers }, topics: config.topics }).then(() =>
        registerOurSchemas({ kafka: { brokers }, registry: { url: registryUrl } }),
      ),
      migrate(store, { replicated: false }).then(() => refreshAnalystViews(store, clickhouse.database)),
    ])
  } finally {
    await store.close()
  }
}

const Created = z.object({ key: z.string() })
export const DEMO_KEY = 'demo_key'

/** The key to try things with: made at the first start, remembered, and made again when the log has lost it. */
export async function rememberedKey(cli: Cli, secrets: Secrets, url: string): Promise<string> {
  const known = secrets.get(DEMO_KEY)
  if (known !== undefined && (await isAccepted(url, known))) return known

  const args = ['keys', 'create', '--tier', 'enterprise', '--name', 'demo', '--json']
  const { key } = Created.parse(JSON.parse(await askCli(cli, args)))
  secrets.set(DEMO_KEY, key)
  for (let waited = 0; waited < 50 && !(await isAccepted(url, key)); waited++) await setTimeout(100)
  return key
}

async function isAccepted(url: string, key: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/clusters?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status !== 401
}

/** `skipped`: the log held other articles before the sample came. */
export type SampleImport = 'imported' | 'present' | 'skipped'

interface SampleOptions {
  readonly home: string
  readonly brokers: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Imports the shipped articles, and the posts written to show Echo, when the log has none; an import that was cut short
 * is taken up again.
 */
export async function importSample(cli: Cli, { home, brokers, signal }: SampleOptions): Promise<SampleImport> {
  const [begun, done] = [join(home, 'sample-import-begun'), join(home, 'sample-imported')]
  if (existsSync(done)) return 'present'
  if (!existsSync(begun) && !(await logIsEmpty(brokers))) return 'skipped'

  writeFileSync(begun, '')
  await runCli(cli, ['import', 'jsonl', projectPath('samples/ecbplus.jsonl.gz'), '--wait'], signal)
  await runCli(cli, ['import', 'posts', projectPath('samples/posts/demonstration.jsonl')], signal)
  renameSync(begun, done)
  return 'imported'
}

async function logIsEmpty(brokers: readonly string[]): Promise<boolean> {
  const log = new KafkaLog({ brokers: [...brokers], clientId: 'story-up' })
  try {
    return (await log.ends(articlesIngested.name)).every((end) => end === 0)
  } finally {
    await log.close()
  }
}
