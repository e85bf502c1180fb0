import { z } from '@hono/zod-openapi'
import { keysChanged } from '../../events/settings.ts'
import { patience } from '../http/engine-deadline.ts'
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
  })
  .openapi('Health')

const about = { method: 'get', tag: 'Service', status: 200, request: {} } as const

export function healthRoutes(dependencies: Dependencies): readonly Route[] {
  const reasonsNow = reasoning(dependencies)
  return [
    defineOpenRoute(
      { ...about, path: '/livez', operationId: 'getLiveness', summary: 'Check liveness', answer: Alive },
      async () => ({ status: 'alive' as const }),
    ),
    defineOpenRoute(
      {
        ...about,
        path: '/readyz',
        operationId: 'getReadiness',
        summary: 'Check readiness',
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
      { ...about, path: '/health', operationId: 'getHealth', summary: 'Retrieve service health', answer: Health },
      async () => {
        const reasons = await reasonsNow()
        const status = reasons.length === 0 ? ('ok' as const) : ('degraded' as const)
        return { status, version: dependencies.version, reasons }
      },
    ),
  ]
}

/** Long enough for a healthy engine, short enough for a health check. */
const PROBE_MS = 2_000

const DRAINING = { path: 'service', message: 'draining' }

/** Why the service is not ready. Nothing is checked once shutdown has begun. */
function reasoning(dependencies: Dependencies): () => Promise<readonly FieldError[]> {
  const { store, log, keys, clock, draining } = dependencies
  const within = patience(clock)
  const isMigrated = remembered(dependencies)
  return async () => {
    if (draining?.aborted === true) return [DRAINING]
    const reason = keys.notReady()
    const found = await Promise.all([
      answers('store', within(reached(store.ping()), 'store', PROBE_MS)),
      answers('log', within(log.ends(keysChanged.name), 'log', PROBE_MS)),
      migrated(within(isMigrated(), 'store', PROBE_MS)),
    ])
    return [...found, reason === null ? null : { path: 'keys', message: reason }].filter((one) => one !== null)
  }
}

/** Migrations are never undone, so the check runs until it succeeds once. */
function remembered({ isMigrated }: Dependencies): () => Promise<boolean> {
  let known = isMigrated === undefined
  return async () => {
    known ||= (await isMigrated?.()) ?? true
    return known
  }
}

/** If the store cannot report its migrations, the ping reports it as unavailable. */
const migrated = async (migration: Promise<boolean>): Promise<FieldError | null> =>
  (await migration.catch(() => true)) ? null : { path: 'database', message: 'migrations are missing: `story migrate`' }

async function reached(ping: Promise<boolean>): Promise<void> {
  if (!(await ping)) throw new Error('no answer to a ping')
}

/**
 * Reports only that an engine is unavailable. The cause is in the service log, because this response requires no key.
 */
const answers = (path: string, ask: Promise<unknown>): Promise<FieldError | null> =>
  ask.then(
    () => null,
    () => ({ path, message: `${path} is away` }),
  )
