import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../src/engines/engine.ts'
import { leash, type Leashed } from '../../src/engines/leash.ts'
import { messageOf } from '../../src/domain/message-of.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { readyUnlessAborted } from './ready.ts'

/** A process of the service: its roles are started and ended together. */
export interface PlannedProcess {
  readonly name: string
  readonly roles: readonly string[]
  /** Limit of V8's heap; models and ClickHouse clients are outside it. */
  readonly heapMb: number
}

/**
 * Roles by what they need. On machines of their own each role has its own processes (`docker/kubernetes/base`); on one
 * machine those that wait most of the time share one, since each process has some 100 MB before it does anything.
 */
const GROUPS = {
  // the language models
  reading: { roles: ['scored', 'analyzed', 'connector:feeds'], heapMb: 512 },
  // all that decide: one writer per partition, so two processes have half of the partitions each
  deciding: {
    roles: ['clustered', 'enriched', 'linked', 'transitioned', 'detected', 'matched', 'changed', 'delivered'],
    heapMb: 768,
  },
  api: { roles: ['api'], heapMb: 384 },
} as const

/** Once: two would ask the platforms twice, and tick twice. */
const ONCE: PlannedProcess = {
  name: 'scheduler',
  roles: ['scheduler', 'connector:bluesky', 'connector:reddit', 'connector:twitter'],
  heapMb: 256,
}

const VIEWS_HEAP_MB = 256

/** Every process of the cluster: two of each stage, two of the views of each store, two APIs. */
export function plannedProcesses(stores: readonly string[]): readonly PlannedProcess[] {
  const groups = Object.entries(GROUPS).map(([name, group]) => ({ name, ...group }))
  const views = stores.map((store) => ({
    name: `views-${store}`,
    roles: [`views@${store}`],
    heapMb: VIEWS_HEAP_MB,
  }))
  return [...[...groups, ...views].flatMap(twice), ONCE]
}

const twice = (one: PlannedProcess): readonly PlannedProcess[] =>
  [1, 2].map((n) => ({ ...one, name: `${one.name}-${n}` }))

export interface ProcessOptions {
  readonly home: string
  /** Read at each start. */
  readonly build: ServiceBuild
  readonly environment: NodeJS.ProcessEnv
  readonly metricsPort: number
  /** Of an API only. */
  readonly httpPort?: number
  readonly onProgress: (line: string) => void
  /** Ends a start that is not finished. */
  readonly signal: AbortSignal
}

/** The build that processes start from. A rolling upgrade changes it before it restarts them. */
export interface ServiceBuild {
  main: string
}

/** The build of a checkout, by default of this one. */
export const buildOf = (checkout = projectPath('.')): ServiceBuild => ({ main: join(checkout, 'dist/main.js') })

/** The command line of a build. */
export const builtCli = ({ main }: ServiceBuild, environment: NodeJS.ProcessEnv) => ({
  command: process.execPath,
  args: [main],
  environment,
})

/** Longer than the service's own limit for an orderly end. */
const GRACE_MS = 30_000

/** A server that is slow for a moment ends a process that starts; Kubernetes starts it again, and so do we. */
const STARTS = 5

/** Ready when its roles have started and, where it has state, that is restored. */
export function processEngine(planned: PlannedProcess, options: ProcessOptions): Engine {
  const start = async () => {
    for (let n = 1; ; n++) {
      options.signal.throwIfAborted()
      try {
        return await startOnce(planned, options)
      } catch (cause) {
        if (n === STARTS || options.signal.aborted) throw cause
        options.onProgress(`${messageOf(cause)}; starting it again`)
      }
    }
  }
  return { name: planned.name, start, graceMs: GRACE_MS }
}

function startOnce({ name, roles, heapMb }: PlannedProcess, options: ProcessOptions): Promise<Leashed> {
  const { home, build, metricsPort, httpPort } = options
  const log = join(home, 'logs', `${name}.log`)
  // as in a container: what it keeps on disk is its own
  const own = join(home, 'processes', name)
  mkdirSync(own, { recursive: true })
  const logged = existsSync(log) ? statSync(log).size : 0
  const process = leash({
    command: globalThis.process.execPath,
    args: [`--max-old-space-size=${heapMb}`, build.main, 'start', ...roles],
    log: { file: log },
    environment: {
      ...options.environment,
      STORY_HOME: own,
      METRICS_PORT: String(metricsPort),
      ...(httpPort !== undefined && { PORT: String(httpPort) }),
      OTEL_SERVICE_NAME: name,
    },
  })
  return readyUnlessAborted({ name, process, log, signal: options.signal }, async () => {
    return hasStarted(log, logged) && (await isReady(httpPort ?? metricsPort))
  })
}

const hasStarted = (log: string, from: number): boolean => readFileSync(log).subarray(from).includes('"msg":"started"')

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`)
  await response.arrayBuffer()
  return response.status === 200
}
