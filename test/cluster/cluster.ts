import { mkdirSync, realpathSync } from 'node:fs'
import { loadConfig } from '../../src/config/config.ts'
import { fetchEngines } from '../../src/engines/fetch.ts'
import { freePort } from '../../src/engines/free-port.ts'
import { openSecrets, type Secrets } from '../../src/engines/secrets.ts'
import { type Cli, runCli } from '../../src/wiring/up/service.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { prepareCommands } from './environment.ts'
import { portsFrom } from './ports.ts'
import {
  builtCli,
  buildOf,
  type PlannedProcess,
  plannedProcesses,
  processEngine,
  type ServiceBuild,
} from './processes.ts'
import { type Servers, startServers } from './servers.ts'
import type { StartedServers, StartedServersOptions } from './started-servers.ts'

export interface ClusterOptions {
  /** Folder of data, certificates and logs. */
  readonly home: string
  /** The time that the dates of the sample are relative to; `null` without a sample. */
  readonly sampleAt: string | null
  /** Whether proxies, which can cut them off, are before brokers and stores and between brokers. */
  readonly proxied?: boolean
  /** Default: that of this checkout. */
  readonly build?: ServiceBuild
}

/** A cluster on this machine: every server is a process of its own. */
export interface LocalCluster extends Servers {
  readonly home: string
  readonly secrets: Secrets
  /** Reaches any instance of the API that is ready. */
  readonly balancer: Balancer
  /** Runs commands of the service with the access of its processes. */
  readonly cli: Cli
}

const PREFERRED_PORT = 8_080
const FIRST_METRICS_PORT = 21_464
const FIRST_API_PORT = 21_080

/** Starts all servers and processes in order. What was started before a failure is in `started`, to be ended. */
export async function startCluster(options: ClusterOptions, started: StartedServers): Promise<LocalCluster> {
  mkdirSync(options.home, { recursive: true, mode: 0o700 })
  const home = realpathSync(options.home) // as ClickHouse reports its path
  const { cache, setPorts } = loadConfig({ ...process.env, STORY_HOME: home })
  const secrets = openSecrets(home)
  const files = await fetchEngines(cache, started.onProgress)
  const servers = await startServers({ home, files, secrets, proxied: options.proxied ?? false }, started)
  const port = await freePort({ variable: 'PORT', set: setPorts.http, preferred: PREFERRED_PORT }, new Set())
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    ...servers.environment,
    STORY_HOME: home,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...(options.sampleAt !== null && { SAMPLE_AT: options.sampleAt }),
  }
  const build = options.build ?? buildOf()
  const cli = builtCli(build, environment)
  await prepareEngines(cli, started)
  const planned = plannedProcesses(servers.stores.map(({ name }) => name))
  started.onProgress(`starting ${planned.length} processes of the service ...`)
  const placed = await Promise.all(planned.map(placement()))
  const { signal, onProgress } = started
  const engines = placed.map((one) =>
    processEngine(one.planned, { home, build, environment, signal, onProgress, ...one }),
  )
  await started.all(engines, AT_ONCE)
  const instances = placed.flatMap(({ httpPort }) => httpPort ?? [])
  const onChange = (at: number, isReady: boolean): void => {
    started.onProgress(`API on port ${at} ${isReady ? 'takes' : 'does not take'} requests`)
  }
  const balancer = await startBalancer({ port, instances, onChange })
  started.onEnd(() => balancer.close())
  return { ...servers, home, secrets, balancer, cli }
}

/** Creates topics and tables that are missing, and registers the schemas. */
export async function prepareEngines(cli: Cli, { onProgress, signal }: StartedServersOptions): Promise<void> {
  for (const args of prepareCommands()) {
    onProgress(`story ${args.join(' ')}`)
    await runCli(cli, args, signal)
  }
}

/** Two cores that load a dozen programs at once are slow for each, and the brokers are not answered in time. */
const AT_ONCE = 4

/** The ports of each process, in turn. */
function placement() {
  const [metrics, api] = [portsFrom(FIRST_METRICS_PORT), portsFrom(FIRST_API_PORT)]
  return async (planned: PlannedProcess) => ({
    planned,
    metricsPort: await metrics(),
    ...(planned.roles.includes('api') && { httpPort: await api() }),
  })
}
