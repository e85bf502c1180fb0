import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openEngines } from '../../config/kafka.ts'
import { messageOf } from '../../domain/message-of.ts'
import { freePort, type PortRequest } from '../../engines/free-port.ts'
import { isTaken, takeLock, waitForLock } from '../../engines/lock-file.ts'
import { DEMO_KEY, openSecrets, type Secrets } from '../../engines/secrets.ts'
import { type Engines, startEngines } from '../../engines/start-engines.ts'
import { supervise, type Supervised } from '../../engines/supervise.ts'
import { MAIN_STORE } from '../../domain/stores.ts'
import { unreadableWarning } from '../../state/settings/secrets.ts'
import {
  instanceEnvironment,
  type UpEnvironmentPorts,
  removeRunning,
  writeRunning,
  restoredKeys,
  restoredLines,
  prepare,
  demoKey,
} from './steps.ts'
import { projectPath } from '../../config/project-path.ts'
import { sampleCorrections } from '../../sources/sample/timeline.ts'
import { correctSample } from './correct-sample.ts'
import { importSample, planSample, type SamplePlan } from './sample.ts'
import { watchingFeeds } from './watching-feeds.ts'
import { type Cli, runCli, serviceEngine, thisCli } from './service.ts'
import { endpointsSealedElsewhere } from '../../operations/webhooks/sealed-secrets.ts'
import { changedSettings } from '../../operations/settings.ts'
import type { Wiring } from '../../ports/wiring.ts'

export interface UpOptions {
  readonly home?: string
  readonly port?: string
  readonly sample: boolean
  readonly archive?: string
  readonly json?: true
}

/** A running instance. The service is stopped before the engines. */
interface Instance {
  readonly service: Supervised
  readonly engines: Engines
  readonly url: string
  /** `null` if no key was created: the log has keys from an archive, or `FIRST_KEY_NAME` is `off`. */
  readonly key: string | null
  readonly cli: Cli
  readonly sample: SamplePlan
}

/** Starts the engines and the service of a home, until a signal ends them. */
export async function up(home: string, options: UpOptions, wiring: Wiring): Promise<void> {
  if (wiring.config.stores.some(({ name }) => name !== MAIN_STORE)) {
    throw new Error('story up starts one ClickHouse server: unset CLICKHOUSE_STORES, or use story start')
  }
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(home, 'up.lock'))
  if (isTaken(lock)) {
    throw new Error(`${home} is in use by process ${lock.pid}. Stop that process, or choose another folder with --home`)
  }
  const cleanUp = () => {
    removeRunning(home)
    lock.release()
  }
  const ending = endSignal(() => {
    cleanUp()
    process.exit(130)
  })
  try {
    ending.signal.addEventListener('abort', () => wiring.out.progress(STOPPING))
    const instance = await start(home, options, wiring)
    if (!ending.signal.aborted) announce(instance, options, wiring)
    const feeds = watchingFeeds(instance.cli, home, wiring.out)
    const sample = importingSample({ ...instance, home, signal: ending.signal }, wiring)
    await ending.received
    await Promise.all([feeds, sample])
    await instance.service.stop()
    await instance.engines.stop()
  } finally {
    ending.dispose()
    cleanUp()
  }
}

const STOPPING = 'stopping the service, then the engines (press Ctrl-C again to stop at once) ...'

async function start(home: string, options: UpOptions, wiring: Wiring): Promise<Instance> {
  const { config, out } = wiring
  const onProgress = (line: string) => out.progress(line)
  // A free port may be taken until this instance listens on it, so instances start one after the other.
  const startLock = await waitForLock(join(config.cache, 'start.lock'), ({ pid }) => {
    onProgress(`process ${pid} is starting another instance, waiting ...`)
  })
  try {
    const ports = await choosePorts(options, wiring)
    const avoid = [ports.http, ports.metrics]
    const engines = await startEngines({ home, cache: config.cache, ports: config.setPorts, avoid, onProgress })
    try {
      return { engines, ...(await startService({ home, ports, engines, options }, wiring)) }
    } catch (cause) {
      await engines.stop()
      throw cause
    }
  } finally {
    startLock.release()
  }
}

interface ServiceStart {
  readonly home: string
  readonly ports: UpEnvironmentPorts
  readonly engines: Engines
  readonly options: Pick<UpOptions, 'archive' | 'sample'>
}

/** Name of the stored `SECRETS_KEY` in `secrets.json`. */
const SECRETS_KEY = 'secrets_key'

async function startService(
  { home, ports, engines, options }: ServiceStart,
  { config, out, environment, clock }: Wiring,
): Promise<Omit<Instance, 'engines'>> {
  const secrets = openSecrets(home)
  const secretsKey = config.secretsKey ?? secrets.random(SECRETS_KEY)
  const running = instanceEnvironment(engines, ports, secretsKey)
  writeRunning(home, running, changedSettings(environment))
  const cli = thisCli({ ...environment, ...openEngines, ...running, STORY_HOME: home, STORY_CACHE: config.cache })

  await prepare(engines, config)
  const { archive } = options
  if (archive !== undefined) await runCli(cli, ['archive', 'import', resolve(archive)], new AbortController().signal)
  const sample = options.sample ? await planSample(home, { brokers: engines.brokers, now: clock.now() }) : NO_SAMPLE
  await storeSecretsKey(secretsKey, { secrets, engines, out })
  const url = `http://${localHost(config.http.host)}:${ports.http}`
  const log = join(home, 'logs', 'service.log')
  const service = await supervise(serviceEngine(withSample(cli, sample), { url, log }), (line) => out.progress(line))
  try {
    const hasKeys = secrets.get(DEMO_KEY) === undefined && (await hasLiveKeys(engines, out))
    return {
      service,
      url,
      cli,
      sample,
      key: hasKeys ? null : await demoKey(cli, { secrets, url, name: config.firstKeyName }),
    }
  } catch (cause) {
    await service.stop()
    throw cause
  }
}

const NO_SAMPLE: SamplePlan = { kind: 'none', at: null }

/** The service states on its pages that the dates of the sample are invented. */
const withSample = (cli: Cli, { at }: SamplePlan): Cli =>
  at === null ? cli : { ...cli, environment: { ...cli.environment, SAMPLE_AT: at } }

/**
 * Stores a given key for later starts, unless the previous key can decrypt more endpoints. Warns about endpoints that
 * the given key cannot decrypt.
 */
async function storeSecretsKey(
  key: string,
  { secrets, engines, out }: Pick<ServiceStart, 'engines'> & { readonly secrets: Secrets; readonly out: Wiring['out'] },
): Promise<void> {
  const access = { kafka: { brokers: engines.brokers }, registry: { url: engines.registryUrl } }
  const unreadable = await endpointsSealedElsewhere(access, key)
  if (unreadable.length > 0) out.progress(`warning: ${unreadableWarning(unreadable)}`)
  const before = secrets.get(SECRETS_KEY) ?? key
  if (before === key || unreadable.length <= (await endpointsSealedElsewhere(access, before)).length) {
    secrets.set(SECRETS_KEY, key)
  }
}

/** Whether the log has live keys, for example from an archive. Prints their number and which analysts are missing. */
async function hasLiveKeys(engines: Engines, out: Wiring['out']): Promise<boolean> {
  const restored = await restoredKeys(engines)
  restoredLines(restored).forEach((line) => out.progress(line))
  return restored.live > 0
}

async function choosePorts({ port }: UpOptions, { config, out }: Wiring): Promise<UpEnvironmentPorts> {
  const set = port === undefined ? config.setPorts.http : portNumber(port)
  const ports = [
    { variable: 'PORT', set, preferred: 8_080 },
    { variable: 'METRICS_PORT', set: config.setPorts.metrics, preferred: 9_464 },
  ]
  const explicitPorts = new Set(Object.values(config.setPorts).filter((one) => one !== undefined))
  const choose = (one: PortRequest) => freePort(one, one.set === undefined ? explicitPorts : new Set())
  const [http = 0, metrics = 0] = await Promise.all(ports.map(choose))
  if (set === undefined && http !== 8_080)
    out.progress(`port 8080 is in use, using ${http} (set PORT to choose another)`)
  return { http, metrics }
}

/** The host to use on this machine: loopback for a wildcard address; IPv6 in brackets. */
function localHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port ${text}: expected 1 to 65535`)
  return port
}

function announce({ url, key, engines }: Instance, { json }: UpOptions, { out, environment }: Wiring): void {
  if (json) {
    out.json({ ready: true, url, key })
    return
  }
  const curl = `curl -s -H 'Authorization: Bearer ${key ?? '<key>'}'`
  out.progress('')
  ;[
    `The service is ready at ${url} (Ctrl-C stops everything).`,
    `  key         ${key ?? 'use a key that you have, or create one: story keys create --tier professional'}`,
    `  dashboard   ${url}/`,
    `  docs        ${url}/docs`,
    `  OpenAPI     ${url}/openapi.json`,
    `  ClickHouse  ${engines.clickhouse.url} (database analyst, user analyst, password ${engines.clickhouse.analystPassword})`,
    `  Kafka       ${engines.brokers.join(',')}`,
    `  registry    ${engines.registryUrl}`,
    ...settingsLines(environment),
    'Try:',
    `  ${curl} '${url}/v1/clusters?time_range=30d&sort=coverage&limit=5'`,
    `  ${curl} '${url}/layer0/v1/search?query=earthquake'`,
    `  ${curl} '${url}/v1/entities?time_range=30d&limit=10'`,
  ].forEach((line) => out.line(line))
}

/** Settings that differ from the defaults, without ports (shown in the addresses above) and folders. */
function settingsLines(environment: NodeJS.ProcessEnv): readonly string[] {
  const settings = Object.entries(changedSettings(environment)).filter(([name]) => !/(^|_)(PORT|CACHE)$/.test(name))
  const texts = settings.map(([name, value]) => `${name}=${value}`)
  return texts.length === 0 ? [] : [`  settings    ${texts.join('  ')}`]
}

/** Imports the sample. A failure is reported but does not stop the running service. */
async function importingSample(
  { cli, url, sample, home, signal }: Instance & { readonly home: string; readonly signal: AbortSignal },
  { out }: Wiring,
): Promise<void> {
  if (sample.kind === 'present' || sample.kind === 'stream') out.progress('sample already imported')
  if (sample.kind === 'skipped') out.progress('sample not imported: the log already contains articles')
  const onImported = async (): Promise<void> => {
    await correctSample(cli, url, await sampleCorrections(projectPath('samples'))).catch((cause: unknown) => {
      out.progress(`sample not corrected: ${messageOf(cause)}`)
    })
    out.progress('sample imported; more articles arrive over the next two hours')
  }
  try {
    await importSample(cli, { home, plan: sample, signal, onImported })
  } catch (cause) {
    if (signal.aborted) return
    out.progress(`sample not imported: ${messageOf(cause)}`)
  }
}

const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal requests an orderly stop, even during the start, and aborts `signal`. The second ends the process at
 * once, which is safe: child processes are ended by the orphan guard, and the engines have stored what they
 * acknowledged.
 */
function endSignal(endNow: () => void) {
  const request = new AbortController()
  const onSignal = () => {
    if (request.signal.aborted) endNow()
    else request.abort()
  }
  for (const name of END_SIGNALS) process.on(name, onSignal)
  return {
    signal: request.signal,
    received: once(request.signal, 'abort'),
    dispose: () => END_SIGNALS.forEach((name) => process.off(name, onSignal)),
  }
}
