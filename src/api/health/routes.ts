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

export function healthRoutes(dependencies: Dependencies): readonly Route[] {
  const reasonsNow = reasonsFor(dependencies)
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
        description:
          '503 until the store and the log respond, migrations are applied and keys are loaded, and while draining; ' +
          '`errors` lists the reasons.',
        problems: ['unavailable'],
        answer: Ready,
      },
      async () => {
        const reasons = await reasonsNow()
        if (reasons.length === 0) return { status: 'ready' as const }
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
          'Always returns 200. `reasons` lists why the service is `degraded`, like the errors of `GET /readyz`.',
        answer: Health,
      },
      async () => {
        const reasons = await reasonsNow()
        const status = reasons.length === 0 ? ('ok' as const) : ('degraded' as const)
        return { status, version: dependencies.version, reasons, sample_at: dependencies.sampleAt ?? null }
      },
    ),
  ]
}

/** Long enough for a healthy engine, short enough for a health check. */
const PROBE_MS = 2_000

const DRAINING = { path: 'service', message: 'draining' }

/** Why the service is not ready. Nothing is checked once shutdown has begun. */
function reasonsFor(dependencies: Dependencies): () => Promise<readonly FieldError[]> {
  const { store, log, keys, clock, draining } = dependencies
  const within = timeouts(clock)
  const isMigrated = untilMigrated(dependencies)
  return async () => {
    if (draining?.aborted === true) return [DRAINING]
    const reason = keys.notReady()
    const found = await Promise.all([
      unavailableReason('store', within(pinged(store.ping()), 'store', PROBE_MS)),
      unavailableReason('log', within(log.ends(keysChanged.name), 'log', PROBE_MS)),
      migrated(within(isMigrated(), 'store', PROBE_MS)),
    ])
    return [...found, reason === null ? null : { path: 'keys', message: reason }].filter((one) => one !== null)
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
