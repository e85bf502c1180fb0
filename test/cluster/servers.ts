import { join } from 'node:path'
import type { EngineFiles } from '../../src/engines/fetch.ts'
import { registryUrl } from '../../src/engines/registry.ts'
import type { Secrets } from '../../src/engines/secrets.ts'
import { inserts, kafkaWrites } from '../chaos/proxy.ts'
import { readPosts, threadsMovedTo } from '../platforms/read-posts.ts'
import { startStandIn, type StandIn } from '../platforms/stand-in.ts'
import type { BrokerPorts } from './broker-properties.ts'
import { type Brokers, clusterBrokers } from './brokers.ts'
import { clusterSettings } from './environment.ts'
import { portsFrom } from './ports.ts'
import { clusterRegistry } from './registry.ts'
import type { StartedServers } from './started-servers.ts'
import { type ClusterStore, clusterStores, storesEnvironment } from './stores.ts'

/** All that the service needs: Kafka, the registry, the stores, and what stands in for the platforms. */
export interface Servers {
  readonly brokers: readonly string[]
  readonly registryUrl: string
  readonly stores: readonly ClusterStore[]
  readonly standIn: StandIn
  /** The variables with which the service finds them. */
  readonly environment: Readonly<Record<string, string>>
}

interface ServersOptions {
  readonly home: string
  readonly files: EngineFiles
  readonly secrets: Secrets
  /** Whether the service reaches brokers and stores, and brokers each other, through proxies. */
  readonly proxied: boolean
}

const BROKERS = 3
const FIRST_PORT = 21_092
/** Users of the brokers; the passwords are in the secrets of the home. */
const USERS = ['story', 'registry'] as const

export async function startServers(
  { home, files, secrets, proxied }: ServersOptions,
  started: StartedServers,
): Promise<Servers> {
  const nextPort = portsFrom(FIRST_PORT)
  const users = Object.fromEntries(USERS.map((user) => [user, secrets.random(`kafka_${user}_password`)]))
  const ports = await brokerPorts(nextPort, proxied)
  const brokers = await clusterBrokers({
    directory: join(home, 'kafka'),
    logs: join(home, 'logs'),
    jars: files.kafkaJars,
    ports,
    users,
    signal: started.signal,
  })
  const stores = await clusterStores({ home, secrets, nextPort, proxied })
  started.onProgress(`starting ${BROKERS} brokers and ${stores.length} of the store ...`)
  await startProxies({ ports, stores }, started)
  await started.all([...brokers.engines, ...stores.map(({ engine }) => engine)])

  started.onProgress('starting the registry and the stand-in of the platforms ...')
  const port = await nextPort()
  const registry = clusterRegistry({
    ...{ directory: join(home, 'registry'), log: join(home, 'logs', 'registry.log'), program: files.registry, port },
    ...{ brokers: brokers.addresses, caFile: brokers.caFile },
    user: { name: 'registry', password: users['registry'] ?? '' },
    signal: started.signal,
  })
  await started.all([registry])
  const standIn = await startPlatforms(started)
  return {
    ...{ brokers: brokers.addresses, registryUrl: registryUrl(port), stores, standIn },
    environment: {
      ...clusterSettings(),
      ...standIn.env,
      ...storesEnvironment(stores),
      ...kafkaEnvironment(brokers, users['story'] ?? ''),
      REGISTRY_URL: registryUrl(port),
      SECRETS_KEY: secrets.random('secrets_key'),
    },
  }
}

async function brokerPorts(nextPort: () => Promise<number>, proxied: boolean): Promise<readonly BrokerPorts[]> {
  const ports: BrokerPorts[] = []
  const listeners = async () => ({
    client: await nextPort(),
    replication: await nextPort(),
    controller: await nextPort(),
  })
  for (let node = 1; node <= BROKERS; node++) {
    ports.push({ ...(await listeners()), ...(proxied && { advertised: await listeners() }) })
  }
  return ports
}

interface Proxied {
  readonly ports: readonly BrokerPorts[]
  readonly stores: readonly ClusterStore[]
}

/** `kafka-1` is between clients and the first broker, `replication-1` and `controller-1` are between it and the others. */
async function startProxies({ ports, stores }: Proxied, started: StartedServers): Promise<void> {
  for (const [i, { advertised, ...own }] of ports.entries()) {
    if (advertised === undefined) continue
    for (const [name, listener] of [
      ['kafka', 'client'],
      ['replication', 'replication'],
      ['controller', 'controller'],
    ] as const) {
      await started.proxy(`${name}-${i + 1}`, { port: advertised[listener], target: own[listener] }, kafkaWrites)
    }
  }
  for (const { engine, proxied } of stores) {
    if (proxied !== undefined) await started.proxy(engine.name, proxied, inserts)
  }
}

const kafkaEnvironment = ({ addresses, caFile }: Brokers, password: string) => ({
  KAFKA_BROKERS: addresses.join(','),
  KAFKA_TLS: '1',
  KAFKA_TLS_CA_FILE: caFile,
  KAFKA_SASL: 'scram-sha-512',
  KAFKA_USER: 'story',
  KAFKA_PASSWORD: password,
})

const HOUR_MS = 3_600_000

/** Threads begin an hour ago, since connectors ask for the last days. */
async function startPlatforms(started: StartedServers): Promise<StandIn> {
  const posts = readPosts('samples/posts/demonstration.jsonl')
  const standIn = await startStandIn({ posts: threadsMovedTo(Date.now() - HOUR_MS, posts) })
  started.onEnd(() => standIn.stop())
  return standIn
}
