import { mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { clickHouseEngine, storyUser } from './clickhouse.ts'
import { fetchEngines, type FetchModelFiles, type OnProgress } from './fetch.ts'
import { freePort } from './free-port.ts'
import { kafkaEngine } from './kafka.ts'
import { isTaken, portLock, takeLock } from './lock-file.ts'
import { registryEngine, registryUrl } from './registry.ts'
import { openSecrets } from './secrets.ts'
import { supervise, type Supervised } from './supervise.ts'

export interface EnginesOptions {
  /** Data, configuration and logs of this installation. */
  readonly home: string
  /** Fetched programs, shared by all installations of a user. */
  readonly cache: string
  /** A port that is set must be free. For a port that is not set, the next free one is used. */
  readonly ports: {
    readonly kafka?: number | undefined
    readonly registry?: number | undefined
    readonly clickhouse?: number | undefined
  }
  /** Ports that are reserved although nothing listens on them yet. */
  readonly avoid?: readonly number[]
  readonly onProgress: OnProgress
}

export interface Engines {
  readonly brokers: string[]
  /** The Confluent-compatible URL. */
  readonly registryUrl: string
  readonly clickhouse: {
    readonly url: string
    readonly database: string
    readonly user: string
    readonly password: string
    readonly analystPassword: string
  }
  readonly model: FetchModelFiles
  pids(): Record<'kafka' | 'registry' | 'clickhouse', number>
  stop(): Promise<void>
}

const database = 'story'

/** Starts Kafka, the registry and ClickHouse on the loopback address, supervised. Resolves when all three respond. */
export async function startEngines(options: EnginesOptions): Promise<Engines> {
  const { home: where, cache, onProgress } = options
  const files = await fetchEngines(resolve(cache), onProgress)
  mkdirSync(where, { recursive: true, mode: 0o700 })
  const home = realpathSync(where) // as ClickHouse reports its path
  const port = await choosePorts(options)
  const secrets = openSecrets(home)
  const passwords = {
    password: secrets.random('clickhouse_password'),
    analystPassword: secrets.random('clickhouse_analyst_password'),
  }
  const at = (name: string) => ({ directory: join(home, name), log: join(home, 'logs', `${name}.log`) })

  const [kafka, registry, clickhouse] = await allOrNone([
    supervise(kafkaEngine({ ...at('kafka'), jars: files.kafkaJars, port: port.kafka }), onProgress),
    supervise(registryEngine({ ...at('registry'), program: files.registry, port: port.registry }), onProgress),
    supervise(clickHouseEngine({ ...at('clickhouse'), port: port.clickhouse, database, ...passwords }), onProgress),
  ])
  const locks = Object.values(port).map((one) => takeLock(portLock(resolve(cache), one)))
  return {
    brokers: [`127.0.0.1:${port.kafka}`],
    registryUrl: registryUrl(port.registry),
    clickhouse: { url: `http://127.0.0.1:${port.clickhouse}`, database, user: storyUser, ...passwords },
    model: files.model,
    pids: () => ({ kafka: kafka.pid(), registry: registry.pid(), clickhouse: clickhouse.pid() }),
    stop: async () => {
      await Promise.all([kafka.stop(), registry.stop(), clickhouse.stop()])
      for (const lock of locks) if (!isTaken(lock)) lock.release()
    },
  }
}

async function choosePorts({ ports: set, avoid = [], onProgress }: EnginesOptions) {
  const taken = new Set([...avoid, ...Object.values(set).filter((port) => port !== undefined)])
  const choose = async (variable: string, requested: number | undefined, preferred: number) => {
    const port = await freePort({ variable, set: requested, preferred }, requested === undefined ? taken : new Set())
    if (requested === undefined && port !== preferred) {
      onProgress(`port ${preferred} is taken: using ${port} (set ${variable} to choose)`)
    }
    taken.add(port)
    return port
  }
  return {
    kafka: await choose('KAFKA_PORT', set.kafka, 19_092),
    registry: await choose('REGISTRY_PORT', set.registry, 8_081),
    clickhouse: await choose('CLICKHOUSE_PORT', set.clickhouse, 8_123),
  }
}

/** If one fails to start, the others are stopped before the error is thrown. */
async function allOrNone(starting: [Promise<Supervised>, Promise<Supervised>, Promise<Supervised>]) {
  const settled = await Promise.allSettled(starting)
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed === undefined) return Promise.all(starting)
  await Promise.all(settled.map(async (result) => (result.status === 'fulfilled' ? result.value.stop() : undefined)))
  throw failed.reason
}
