import { z } from '@hono/zod-openapi'
import { keysChanged } from '../../events/settings.ts'
import { timeouts } from '../http/engine-deadline.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { problem, type FieldError } from '../http/problem.ts'
import { defineOpenRoute, type Route } from '../http/route.ts'

const Alive = z.object({ status: z.literal('alive') }).openapi('Alive')
const Ready = z.object({ status: z.literal('ready') }).openapi('Ready')
const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    reasons: z.array(z.object({ path: z.string(), message: z.string() })),
    sample_at: z.iso.datetime().nullable().openapi({
      description: 'The time that the invented dates of the imported sample are relative to; null without a sample.',
    }),
  })
  .openapi('Health')

const about = { method: 'get', tag: 'Service', status: 200, request: {} } as const

/** Without the log, only submissions and the feed fail. */
const ABOUT_READY =
  '503 until the store and the log respond, migrations are applied and keys are loaded, and while draining; `errors` ' +
  'lists the reasons. Lists and details do not need the log, so that a service that was ready stays ready until the log ' +
  'has not responded for 30 s.'

export function healthRoutes(dependencies: Dependencies): readonly Route[] {
  const healthNow = healthOf(dependencies)
  return [
    defineOpenRoute(
      {
        ...about,
        ...{ path: '/livez', operationId: 'getLiveness', summary: 'Check liveness' },
        description: 'Returns 200 while the process responds. No engine is checked.',
        answer: Alive,
      },
      async () => ({ status: 'alive' as const }),
    ),
    defineOpenRoute(
      {
        ...about,
        path: '/readyz',
        operationId: 'getReadiness',
        summary: 'Check readiness',
        description: ABOUT_READY,
        problems: ['unavailable'],
        answer: Ready,
      },
      async () => {
        const { isReady, reasons } = await healthNow(READY_MS)
        if (isReady) return { status: 'ready' as const }
        const detail = reasons.includes(DRAINING) ? 'draining' : 'Not ready'
        return problem('unavailable', detail, { errors: reasons, retryAfterSeconds: 1 })
      },
    ),
    defineOpenRoute(
      {
        ...about,
        path: '/health',
        operationId: 'getHealth',
        summary: 'Retrieve service health',
        description:
          'Always returns 200. `reasons` lists why the service is `degraded`, like the errors of `GET /readyz`, and the log ' +
          'as soon as it does not respond.',
        answer: Health,
      },
      async () => {
        const { reasons } = await healthNow(PROBE_MS)
        const status = reasons.length === 0 ? ('ok' as const) : ('degraded' as const)
        return { status, version: dependencies.version, reasons, sample_at: dependencies.sampleAt ?? null }
      },
    ),
  ]
}

/** Long enough for a healthy engine, short enough for a health check. */
const PROBE_MS = 2_000
/** Readiness waits shorter for the log, whose later response counts as well. */
const READY_MS = 500

/**
 * A partition without a leader is silent for 9 to 17 s when a broker is killed. Without this grace, all processes would
 * be taken out of service for it at once.
 */
const LOG_SILENCE_MS = 30_000

const DRAINING = { path: 'service', message: 'draining' }

interface ServiceHealth {
  /** Whether requests can be served. */
  readonly isReady: boolean
  /** What is missing, the log too if it is silent. */
  readonly reasons: readonly FieldError[]
}

/** `logMs`: how long the log may take to respond. Nothing is checked once shutdown has begun. */
function healthOf(dependencies: Dependencies): (logMs: number) => Promise<ServiceHealth> {
  const { store, keys, clock, draining } = dependencies
  const within = timeouts(clock)
  const isMigrated = untilMigrated(dependencies)
  const logNow = logChecks(dependencies)
  return async (logMs) => {
    if (draining?.aborted === true) return { isReady: false, reasons: [DRAINING] }
    const reason = keys.notReady()
    const [silence, ...found] = await Promise.all([
      logNow(logMs),
      unavailableReason('store', within(pinged(store.ping()), 'store', PROBE_MS)),
      migrated(within(isMigrated(), 'store', PROBE_MS)),
    ])
    const missing = [...found, reason === null ? null : { path: 'keys', message: reason }].filter((one) => one !== null)
    const reasons = silence.reason === null ? missing : [silence.reason, ...missing]
    return { isReady: missing.length === 0 && (silence.reason === null || silence.isBrief), reasons }
  }
}

/** Why the log is unavailable, and whether it has responded within `LOG_SILENCE_MS`. */
function logChecks({ log, clock }: Dependencies) {
  const within = timeouts(clock)
  let respondedAt = Number.NEGATIVE_INFINITY
  const isBrief = (): boolean => clock.now() - respondedAt <= LOG_SILENCE_MS
  const responded = async (): Promise<void> => {
    await log.ends(keysChanged.name)
    respondedAt = clock.now()
  }
  return async (timeoutMs: number) => {
    const reason = await unavailableReason('log', within(responded(), 'log', timeoutMs))
    return { reason, isBrief: isBrief() }
  }
}

/** Checks the migrations until they are applied once, because they are never undone. */
function untilMigrated({ isMigrated }: Dependencies): () => Promise<boolean> {
  let known = isMigrated === undefined
  return async () => {
    known ||= (await isMigrated?.()) ?? true
    return known
  }
}

/** If the store cannot report its migrations, the ping reports it as unavailable. */
const migrated = async (migration: Promise<boolean>): Promise<FieldError | null> =>
  (await migration.catch(() => true)) ? null : { path: 'database', message: 'migrations are missing: `story migrate`' }

async function pinged(ping: Promise<boolean>): Promise<void> {
  if (!(await ping)) throw new Error('no answer to a ping')
}

/**
 * Reports only that an engine is unavailable. The cause is in the service log, because this response requires no key.
 */
const unavailableReason = (path: string, ask: Promise<unknown>): Promise<FieldError | null> =>
  ask.then(
    () => null,
    () => ({ path, message: `${path} is away` }),
  )
