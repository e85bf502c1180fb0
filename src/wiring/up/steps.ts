import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { clickhouseStore } from '../../adapters/clickhouse/store.ts'
import { type Config, runningFile, type RunningConfig } from '../../config/config.ts'
import { DEMO_KEY, type Secrets } from '../../engines/secrets.ts'
import { refreshAnalystViews } from '../../engines/analysts/views.ts'
import type { Engines } from '../../engines/start-engines.ts'
import { migrate } from '../../views/migrate.ts'
import { applyTopics, registerOurSchemas, withLog } from '../../operations/topics.ts'
import { askCli, type Cli } from './service.ts'
import { systemClock } from '../../adapters/clock.ts'
import { RegistryCodec } from '../../adapters/registry/codec.ts'
import { keyState, KeyBook } from '../../api/http/keys/key-book.ts'
import { SHARED } from '../../domain/intake/articles.ts'
import type { KeyChanged } from '../../events/settings.ts'

/** Engines that topics, schemas and tables are created in. */
type Prepared = Pick<Engines, 'brokers' | 'registryUrl'> & {
  readonly clickhouse: Omit<Engines['clickhouse'], 'analystPassword'>
}

/** Creates or updates topics, schemas and tables for this version. Fast if there is nothing to do. */
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

interface DemoKeyOptions {
  readonly secrets: Secrets
  readonly url: string
  /** Name of a new key; `null`: none is created. */
  readonly name: string | null
}

/**
 * The demo key, stored in the secrets of the home. Created on first start, and again if the log does not accept it;
 * `null` if it has no name.
 */
export async function demoKey(cli: Cli, { secrets, url, name }: DemoKeyOptions): Promise<string | null> {
  const known = secrets.get(DEMO_KEY)
  if (known !== undefined && (await isAccepted(url, known))) return known
  if (name === null) return null

  const key = await createKey(cli, url, ['--name', name, '--scopes', 'read,write,sources'])
  secrets.set(DEMO_KEY, key)
  return key
}

/** Creates a key of the highest tier, and waits until the API at `url` knows it. `options`: more of `story keys create`. */
export async function createKey(cli: Cli, url: string, options: readonly string[]): Promise<string> {
  const args = ['keys', 'create', '--tier', 'enterprise', ...options, '--json']
  const { key } = Created.parse(JSON.parse(await askCli(cli, args)))
  await untilAccepted(url, key)
  return key
}

/** Waits until the API knows a new key, at most five seconds. */
export async function untilAccepted(url: string, key: string): Promise<void> {
  for (let waited = 0; waited < 50 && !(await isAccepted(url, key)); waited++) await setTimeout(100)
}

async function isAccepted(url: string, key: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/clusters?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status !== 401
}

export interface UpEnvironmentPorts {
  readonly http: number
  readonly metrics: number
}

/** The addresses and credentials of this instance, by the variables that every command reads. */
export const instanceEnvironment = (
  engines: Engines,
  ports: UpEnvironmentPorts,
  secretsKey: string,
): RunningConfig => ({
  PORT: `${ports.http}`,
  METRICS_PORT: `${ports.metrics}`,
  KAFKA_BROKERS: engines.brokers.join(','),
  REGISTRY_URL: engines.registryUrl,
  CLICKHOUSE_URL: engines.clickhouse.url,
  CLICKHOUSE_USER: engines.clickhouse.user,
  CLICKHOUSE_PASSWORD: engines.clickhouse.password,
  CLICKHOUSE_DATABASE: engines.clickhouse.database,
  SECRETS_KEY: secretsKey,
})

/**
 * Writes where the engines are, and the settings of the service, for other commands with the same home. The file
 * contains a password, so only its owner can read it.
 */
export function writeRunning(home: string, running: RunningConfig, settings: Readonly<Record<string, string>>): void {
  const file = runningFile(home)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...running, settings }, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export const removeRunning = (home: string): void => rmSync(runningFile(home), { force: true })

interface RestoredKeys {
  readonly live: number
  /** Private namespaces with a live key, sorted. */
  readonly namespaces: readonly string[]
}

/** The keys in a log restored from an archive. */
export const restoredKeys = ({
  brokers,
  registryUrl,
}: Pick<Engines, 'brokers' | 'registryUrl'>): Promise<RestoredKeys> =>
  withLog({ brokers, clientId: 'story-restored' }, async (log) => {
    const book = new KeyBook()
    await book.catchUp({ log, codec: new RegistryCodec({ url: registryUrl }) })
    return countLive(book.all(), systemClock.now())
  })

export function countLive(keys: readonly KeyChanged[], now: number): RestoredKeys {
  const live = keys.filter((key) => keyState(key, now) === 'live')
  const own = live.map(({ namespace }) => namespace).filter((namespace) => namespace !== SHARED)
  return { live: live.length, namespaces: [...new Set(own)].sort() }
}

/** Reports the restored keys, and the namespaces without analysts, which only ClickHouse stores. Empty without keys. */
export const restoredLines = ({ live, namespaces }: RestoredKeys): readonly string[] => [
  ...(live === 0 ? [] : [`the archive has ${live} live key${live === 1 ? '' : 's'}: no demo key is created`]),
  ...(namespaces.length === 0
    ? []
    : [
        `an archive does not contain analysts of private namespaces. To create them again: ${namespaces
          .map((namespace) => `story analysts create ${namespace}`)
          .join('; ')}`,
      ]),
]
