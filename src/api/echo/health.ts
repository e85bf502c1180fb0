import { z } from '@hono/zod-openapi'
import { PLATFORMS, type Platform } from '../../events/discourse.ts'
import { SHARED } from '../../domain/intake/articles.ts'
import { SOURCE_STATUSES, sourceStatus as statusOf } from '../../domain/platforms/status.ts'
import { platformFreshness } from '../../views/echo/freshness.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { SOURCE_STATUS_TEXT } from './routes.ts'
import { timestamp } from '../http/parameters.ts'
import { defineOpenRoute, type Route } from '../http/route.ts'

const PlatformHealth = z
  .object({
    status: z
      .enum([...SOURCE_STATUSES, 'off'])
      .describe(`${SOURCE_STATUS_TEXT} \`off\`: no connector ever polled it, and no post was received recently.`),
    last_success_at: timestamp.nullable().openapi({
      description:
        'Time of the last successful poll; for a platform without a connector, time of the last post received.',
    }),
  })
  .openapi('PlatformHealth')

const forEachPlatform = <Value>(value: (platform: Platform) => Value) =>
  Object.fromEntries(PLATFORMS.map((platform) => [platform, value(platform)])) as Record<Platform, Value>

const EchoHealth = z
  .object({
    status: z.enum(['ok', 'degraded']).describe('`ok` if every platform is live or off.'),
    platforms: z.object(forEachPlatform(() => PlatformHealth)),
  })
  .openapi('EchoHealth')

type EchoHealth = z.output<typeof EchoHealth>

/** The route requires no key. This limits how often it queries the store, however many requests there are. */
const CACHE_MS = 5_000

export function echoHealthRoutes({ store }: Dependencies): readonly Route[] {
  let last: { readonly at: number; readonly answer: EchoHealth } | null = null
  return [
    defineOpenRoute(
      {
        method: 'get',
        path: '/echo/health',
        tag: 'Echo',
        operationId: 'getEchoHealth',
        summary: 'Retrieve the state of each platform',
        description:
          'Returns, for the shared namespace, whether each platform is polled successfully and when it last was.',
        status: 200,
        problems: ['unavailable'],
        request: {},
        answer: EchoHealth,
      },
      async (_, { now }) => {
        if (last !== null && now - last.at < CACHE_MS) return last.answer
        last = { at: now, answer: health(await platformFreshness(store, { namespace: SHARED, as_of: now }), now) }
        return last.answer
      },
    ),
  ]
}

function health(freshness: Awaited<ReturnType<typeof platformFreshness>>, now: number): EchoHealth {
  const of = (platform: Platform) => {
    const pollStatus = freshness.get(platform)
    if (pollStatus === undefined) return { status: 'off' as const, last_success_at: null }
    const at = pollStatus.lastSuccessAt
    const status = statusOf(platform, pollStatus, now)
    return {
      status: status === 'live' || pollStatus.isPolled ? status : ('off' as const),
      last_success_at: at === null ? null : new Date(at).toISOString(),
    }
  }
  const platforms = forEachPlatform(of)
  const ok = Object.values(platforms).every(({ status }) => status === 'live' || status === 'off')
  return { status: ok ? 'ok' : 'degraded', platforms }
}
