import { lmdbCheckpoints } from '../adapters/lmdb/lmdb-checkpoints.ts'
import { pipeline, startStageAndEffect, type PipelineStage } from '../pipeline.ts'
import type { Consumer } from '../ports/log.ts'
import { createLifecycle, type Lifecycle } from '../runtime/lifecycle.ts'
import { createMetrics } from '../runtime/metrics.ts'
import { defaultLimits, type RuntimePorts } from '../runtime/running.ts'
import { runView, type ViewTarget } from '../runtime/run-view.ts'
import { chosenStores, type StoreConfig } from '../config/stores.ts'
import { holds } from '../domain/stores.ts'
import { graphBuildsOf } from '../operations/graph/graph-builds.ts'
import type { StartedProcess } from './started-process.ts'
import { startApi } from './start-api.ts'
import { FEEDS_ROLE, startFeeds } from './start-feeds.ts'
import { CONNECTORS, platformOf, startConnector } from './start-connector.ts'
import { startMetrics } from './start-metrics.ts'
import { startScheduler } from './start-scheduler.ts'
import { stageDependencies } from './stages.ts'
import type { Wiring } from '../ports/wiring.ts'

/** Maximum duration of an orderly shutdown. */
export const GRACE_MS = 25_000

const stages = Object.keys(pipeline.stages)
const views = pipeline.views.map(({ name }) => `view:${name}`)

/** Every role that a process can have. */
export const ROLES: readonly string[] = ['api', 'scheduler', ...stages, ...views, FEEDS_ROLE, ...CONNECTORS]

/** Short names for several roles. */
export const SHORT_ROLES: Readonly<Record<string, readonly string[]>> = {
  all: ROLES,
  views,
  stages,
  connectors: [FEEDS_ROLE, ...CONNECTORS],
}

/** A short name may be followed by a store: `views@a`. */
function expand(role: string): readonly string[] {
  const [name = '', store] = role.split('@')
  const roles = SHORT_ROLES[name] ?? [name]
  return store === undefined ? roles : roles.map((one) => `${one}@${store}`)
}

/** Whether it is a role; only a view may name a store. */
const isRole = (role: string): boolean =>
  ROLES.includes(role) || (viewRole(role)?.store !== undefined && ROLES.includes(role.replace(/@.*/, '')))

/** Runs roles in this process until it receives a signal. */
export async function startRoles(wiring: Wiring, named: readonly string[]): Promise<void> {
  const roles = [...new Set(named.flatMap(expand))]
  const unknown = roles.filter((role) => !isRole(role))
  if (unknown.length > 0)
    throw new Error(
      `unknown role ${unknown.join(', ')}. Use one of ${Object.keys(SHORT_ROLES).join(', ')}, ${ROLES.join(', ')}`,
    )

  const { logger, clock } = wiring
  const lifecycle = createLifecycle({ logger, clock, graceMs: GRACE_MS, exit: (code) => process.exit(code) })
  process.on('SIGTERM', (signal) => lifecycle.onSignal(signal))
  process.on('SIGINT', (signal) => lifecycle.onSignal(signal))
  lifecycle.opened('ports', () => wiring.close())

  const running = await runningOf(wiring, lifecycle)
  const started = { wiring, running, lifecycle, graph: await graphBuildsOf(wiring) }
  await startMetrics(started)
  await Promise.all(roles.map((role) => startRole(role, started)))
  logger.info({ roles }, 'started')
}

async function runningOf(wiring: Wiring, lifecycle: Lifecycle): Promise<RuntimePorts> {
  const { clock, logger, config } = wiring
  return {
    log: await wiring.log(),
    codec: await wiring.codec(),
    checkpoints: config.stateFolder === null ? null : lmdbCheckpoints(config.stateFolder),
    clock,
    logger,
    metrics: createMetrics(),
    limits: { ...defaultLimits, floodRejects: config.rejectFlood, standbyReplicas: config.standbyReplicas },
    onCrash: (cause) => lifecycle.onCrash(cause),
  }
}

async function startRole(role: string, started: StartedProcess): Promise<void> {
  if (role === 'api') return startApi(started)
  if (role === FEEDS_ROLE) return startFeeds(started)
  const platform = platformOf(role)
  if (platform !== null) return startConnector(platform, started)
  if (role === 'scheduler') startScheduler(started)
  else for (const consumer of await consumersOf(role, started)) started.lifecycle.opened(role, () => consumer.stop())
}

/** The consumers of a role: a stage and its effect, or a view in its stores. */
async function consumersOf(role: string, { wiring, running }: StartedProcess): Promise<readonly Consumer[]> {
  const named = viewRole(role)
  const view = pipeline.views.find(({ name }) => name === named?.view)
  if (view !== undefined) {
    const stores = chosenStores(wiring.config, named?.store)
    return Promise.all(stores.map(async (store) => runView(view, running, await targetOf(store, wiring))))
  }
  return isStage(role) ? startStageAndEffect(role, stageDependencies(wiring), running) : []
}

/** The view, and the store if the role names one: `view:articles`, `view:articles@a`. */
function viewRole(role: string): { readonly view: string; readonly store: string | undefined } | null {
  const [, view, store] = /^view:([^@]+)(?:@(.+))?$/.exec(role) ?? []
  return view === undefined ? null : { view, store }
}

const targetOf = async (store: StoreConfig, wiring: Wiring): Promise<ViewTarget> => ({
  name: store.name,
  store: await wiring.openStore(store.name),
  holds: (namespace) => holds(store, namespace),
})

const isStage = (role: string): role is PipelineStage => role in pipeline.stages
