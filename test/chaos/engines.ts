import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/config.ts'
import { clickHouseEngine, storyUser } from '../../src/engines/clickhouse.ts'
import { fetchEngines } from '../../src/engines/fetch.ts'
import { anyFreePort } from '../../src/engines/free-port.ts'
import { kafkaEngine } from '../../src/engines/kafka.ts'
import { registryEngine, registryUrl } from '../../src/engines/registry.ts'
import { openSecrets } from '../../src/engines/secrets.ts'
import { supervise, type Supervised } from '../../src/engines/supervise.ts'
import { prepare } from '../../src/wiring/up/steps.ts'
import { inserts, kafkaWrites, startProxy, type Proxy } from './proxy.ts'

/** Engines of one run; the service reaches Kafka and ClickHouse only through proxies, we ourselves directly. */
export interface ChaosEngines {
  readonly home: string
  readonly brokers: readonly string[]
  readonly registryUrl: string
  readonly clickhouse: { readonly url: string; readonly user: string; readonly password: string }
  readonly kafka: Supervised
  readonly clickhouseEngine: Supervised
  readonly proxies: { readonly kafka: Proxy; readonly clickhouse: Proxy }
  /** What the service's processes are told: the way through the proxies. */
  readonly environment: NodeJS.ProcessEnv
  stop(): Promise<void>
}

const DATABASE = 'story'

/** Kafka, registry and ClickHouse with topics, schemas and tables, in `where`. */
export async function startChaosEngines(where: string, say: (line: string) => void): Promise<ChaosEngines> {
  mkdirSync(where, { recursive: true })
  const home = realpathSync(where)
  const files = await fetchEngines(loadConfig({ ...process.env, STORY_HOME: home }).cache, say)
  const [direct, behind, through, registry, server, store] = await Promise.all(Array.from({ length: 6 }, anyFreePort))
  const at = (name: string) => ({ directory: join(home, name), log: join(home, 'logs', `${name}.log`) })
  const ports = (port: number | undefined): number => port ?? 0
  const second = { port: ports(behind), advertised: `127.0.0.1:${ports(through)}` }
  const password = openSecrets(home).random('clickhouse_password')
  const secrets = { password, analystPassword: 'nobody-asks-here' }

  const [kafka, registryProcess, clickhouseEngine] = await Promise.all([
    supervise(kafkaEngine({ ...at('kafka'), jars: files.kafkaJars, port: ports(direct), second }), say),
    supervise(registryEngine({ ...at('registry'), program: files.registry, port: ports(registry) }), say),
    supervise(clickHouseEngine({ ...at('clickhouse'), port: ports(server), database: DATABASE, ...secrets }), say),
  ])
  const proxies = {
    kafka: await startProxy({ port: ports(through), target: second.port }, kafkaWrites),
    clickhouse: await startProxy({ port: ports(store), target: ports(server) }, inserts),
  }
  const brokers = [`127.0.0.1:${ports(direct)}`]
  const clickhouse = { url: `http://127.0.0.1:${ports(server)}`, user: storyUser, password }
  const engines = {
    brokers,
    registryUrl: registryUrl(ports(registry)),
    clickhouse: { ...clickhouse, database: DATABASE },
  }
  await prepare(engines, { topics: { partitions: 'one' } })
  return {
    home,
    ...engines,
    clickhouse,
    kafka,
    clickhouseEngine,
    proxies,
    environment: {
      ...process.env,
      STORY_HOME: home,
      KAFKA_BROKERS: `127.0.0.1:${proxies.kafka.port}`,
      REGISTRY_URL: engines.registryUrl,
      CLICKHOUSE_URL: `http://127.0.0.1:${proxies.clickhouse.port}`,
      CLICKHOUSE_USER: storyUser,
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DATABASE: DATABASE,
      SECRETS_KEY: 'chaos-'.repeat(8),
      ENCODER_PROCESSES: '1',
      LOG_LEVEL: 'info',
    },
    stop: async () => {
      await Promise.all([proxies.kafka.close(), proxies.clickhouse.close()])
      await Promise.all([kafka.stop(), registryProcess.stop(), clickhouseEngine.stop()])
    },
  }
}
