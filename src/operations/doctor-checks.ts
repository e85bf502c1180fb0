import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { kafkaAdmin } from '../adapters/kafka/client.ts'
import { authorization } from '../adapters/registry/register.ts'
import type { Config } from '../config/config.ts'
import type { StoreConfig } from '../config/stores.ts'
import { MAIN_STORE } from '../domain/stores.ts'
import { fetchedProblems } from '../engines/fetch.ts'
import { answers, freePort } from '../engines/free-port.ts'
import { unreadableWarning } from '../state/settings/secrets.ts'
import { endpointsSealedElsewhere } from './webhooks/sealed-secrets.ts'
import { type Owner, ownerOf, portLock } from '../engines/lock-file.ts'

export interface Finding {
  readonly name: string
  readonly ok: boolean
  /** What was found and, after a failure, what to do about it. */
  readonly says: string
}

type Check = () => Promise<Omit<Finding, 'name'>>

const ok = (says: string) => ({ ok: true, says })
const bad = (says: string) => ({ ok: false, says })

/** All checks of a machine, its cache and its configuration; a check comes after those it depends on. */
export function doctorChecks(config: Config): Readonly<Record<string, Check>> {
  return {
    node: async () =>
      isSupportedNode(process.versions.node)
        ? ok(process.versions.node)
        : bad(`${process.versions.node} is not supported. Install Node 20.19, 22.13, 24 or newer`),
    java: () => version('java', ['-version'], { pattern: /version "([\d.]+)/, minimum: '17' }),
    maven: () => version('mvn', ['--version'], { pattern: /Apache Maven ([\d.]+)/, minimum: '3.6' }),
    'fetched files': () => fetched(config.cache),
    ports: () => ports(config),
    kafka: () =>
      checkReachable(config, {
        what: `Kafka at ${config.kafka.brokers.join(',')}`,
        variables: 'KAFKA_BROKERS, KAFKA_TLS and KAFKA_SASL',
        url: `http://${config.kafka.brokers[0] ?? ''}`,
        probe: () => brokers(config),
      }),
    registry: () =>
      checkReachable(config, {
        what: `the registry at ${config.registry.url}`,
        variables: 'REGISTRY_URL, REGISTRY_USER and REGISTRY_PASSWORD',
        url: config.registry.url,
        probe: () => answered(`${config.registry.url}/subjects`, authorization(config.registry)),
      }),
    ...Object.fromEntries(
      config.stores.flatMap(serversOf).map(([name, server]) => [name, () => checkStore(config, server)]),
    ),
    'webhook secrets': () => webhookSecrets(config),
  }
}

async function version(
  command: string,
  args: readonly string[],
  { pattern, minimum }: { readonly pattern: RegExp; readonly minimum: string },
) {
  const output = await promisify(execFile)(command, args).then(
    ({ stdout, stderr }) => stdout + stderr, // java prints its version on stderr
    () => '',
  )
  const found = pattern.exec(output)?.[1]
  if (found === undefined) return bad(`not installed. Running the engines without Docker requires ${minimum} or newer`)
  return isAtLeast(found, minimum) ? ok(found) : bad(`${found} is too old. ${minimum} or newer is required`)
}

/** The range is that of `engines` in package.json. */
export function isSupportedNode(version: string): boolean {
  const line = Number(version.split('.')[0])
  if (line === 21 || line === 23) return false
  return isAtLeast(version, line === 22 ? '22.13' : '20.19')
}

/** Compares dotted version numbers: 20.20.2 is at least 20.19. */
export function isAtLeast(found: string, minimum: string): boolean {
  const [foundParts, minimumParts] = [found, minimum].map((version) => version.split('.').map(Number))
  for (const [i, number] of (minimumParts ?? []).entries()) {
    const part = foundParts?.[i] ?? 0
    if (part !== number) return part > number
  }
  return true
}

async function fetched(cache: string) {
  const problems = await fetchedProblems(cache)
  if (problems.length === 0) return ok(`complete and verified, in ${cache}`)
  return bad(`${problems.join('; ')}. \`story up\` fetches missing files; remove ${cache} if a file is damaged`)
}

/**
 * Whether the ports are free. Ports used by a running `story up` of this home are fine; each port is offered only once.
 */
async function ports({ home, setPorts }: Config) {
  const owner: Owner | null = ownerOf(join(home, 'up.lock'))
  if (owner !== null) return ok(`in use by \`story up\` (process ${owner.pid})`)
  const services = [
    { variable: 'PORT', set: setPorts.http, preferred: 8_080 },
    { variable: 'METRICS_PORT', set: setPorts.metrics, preferred: 9_464 },
    { variable: 'KAFKA_PORT', set: setPorts.kafka, preferred: 19_092 },
    { variable: 'REGISTRY_PORT', set: setPorts.registry, preferred: 8_081 },
    { variable: 'CLICKHOUSE_PORT', set: setPorts.clickhouse, preferred: 8_123 },
  ]
  const found: (number | string)[] = []
  for (const port of services) {
    const offered = new Set(found.filter((one) => typeof one === 'number'))
    found.push(await freePort(port, port.set === undefined ? offered : new Set()).catch(wording))
  }
  const refused = found.filter((port) => typeof port === 'string')
  return refused.length > 0 ? bad(refused.join('; ')) : ok(`free: ${found.join(', ')}`)
}

interface ProbedEngine {
  readonly what: string
  readonly variables: string
  readonly url: string
  /** Resolves to false, or rejects, if the engine is not reachable. */
  readonly probe: () => Promise<boolean>
}

async function checkReachable(config: Config, { what, variables, url, probe }: ProbedEngine) {
  const found = await probe().then((isThere) => (isThere ? null : ''), wording)
  const other = otherHome(config, url)
  if (other !== null)
    return bad(
      `${what} belongs to another STORY_HOME (process ${other}). Start this one with \`story up\`, or set STORY_HOME`,
    )
  if (found === null) return ok(what)
  const why = found === '' ? '' : ` (${found})`
  return bad(`${what} is not reachable. Start it with \`story up\`, or set ${variables}${why}`)
}

/** The process of the `story up` of another home that uses this local address; `null` if there is none. */
function otherHome({ cache, home }: Config, url: string): number | null {
  const { hostname, port } = new URL(url)
  if (hostname !== '127.0.0.1' && hostname !== 'localhost') return null
  const holder = ownerOf(portLock(cache, Number(port)))
  return holder === null || holder.pid === ownerOf(join(home, 'up.lock'))?.pid ? null : holder.pid
}

async function brokers({ kafka }: Config): Promise<boolean> {
  const [host = '', port = ''] = kafka.brokers[0]?.split(':') ?? []
  if (host === '127.0.0.1' && !(await answers(Number(port)))) return false // faster than a connection error of kafkajs
  const admin = await kafkaAdmin(kafka, 'story-doctor', 1)
  await admin.disconnect()
  return true
}

async function webhookSecrets(config: Config) {
  if (config.secretsKey === undefined) return ok('not checked: SECRETS_KEY is not set')
  if (!(await brokers(config).catch(() => false))) return ok('not checked: Kafka is not reachable')
  const unreadable = await endpointsSealedElsewhere(config, config.secretsKey).catch(wording)
  if (typeof unreadable === 'string') return ok(`not checked: ${unreadable}`)
  return unreadable.length === 0 ? ok('readable with SECRETS_KEY') : bad(unreadableWarning(unreadable))
}

const checkName = ({ name }: StoreConfig): string => (name === MAIN_STORE ? 'clickhouse' : `clickhouse ${name}`)

/** The server of a store and its shards, by the names of their checks. */
const serversOf = (store: StoreConfig): readonly (readonly [string, StoreConfig])[] => [
  [checkName(store), store],
  ...store.shards.map(({ url, native }) => [`${checkName(store)} shard ${native}`, { ...store, url }] as const),
]

const checkStore = (config: Config, store: StoreConfig) =>
  checkReachable(config, {
    what: `ClickHouse at ${store.url}`,
    variables: store.name === MAIN_STORE ? 'CLICKHOUSE_URL and CLICKHOUSE_PASSWORD' : `its entry in CLICKHOUSE_STORES`,
    url: store.url,
    probe: () => clickhouse(store),
  })

const clickhouse = ({ url, user, password }: StoreConfig): Promise<boolean> =>
  answered(`${url}/?query=SELECT+1`, { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password })

async function answered(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`status ${response.status}`)
  return true
}

const wording = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause === undefined ? cause.message : `${cause.message}: ${wording(cause.cause)}`
}
