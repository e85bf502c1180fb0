import { z } from '@hono/zod-openapi'
import type { Platform } from '../../events/discourse.ts'
import { SHARED } from '../../events/intake-rules.ts'
import { platformsHeard } from '../../views/echo/platform-health.ts'
import type { Dependencies } from '../dependencies.ts'
import { timestamp } from '../parameters.ts'
import { defineOpenRoute, type Route } from '../route.ts'

const PlatformHealth = z
  .object({ status: z.enum(['live', 'degraded', 'stale']), last_success_at: timestamp.nullable() })
  .openapi('PlatformHealth')

const EchoHealth = z
  .object({
    status: z.enum(['ok', 'degraded']).openapi({ description: '`ok` when every platform is live.' }),
    platforms: z.object({ reddit: PlatformHealth, bluesky: PlatformHealth, twitter: PlatformHealth }),
  })
  .openapi('EchoHealth')

type EchoHealth = z.output<typeof EchoHealth>

const HOUR_MS = 3_600_000
/** How often each platform is looked at; twice that without news is degraded, eight times is stale. */
const CADENCE_MS: Readonly<Record<Platform, number>> = {
  reddit: HOUR_MS,
  bluesky: HOUR_MS / 2,
  twitter: 6 * HOUR_MS,
}
/** It answers without a key: however often it is asked, the store is asked this often. */
const FRESH_MS = 5_000

export function echoHealthRoutes({ store }: Dependencies): readonly Route[] {
  let last: { readonly at: number; readonly answer: EchoHealth } | null = null
  return [
    defineOpenRoute(
      {
        method: 'get',
        path: '/echo/health',
        tag: 'Echo',
        summary: 'When each platform was last heard of',
        status: 200,
        problems: ['unavailable'],
        request: {},
        answer: EchoHealth,
      },
      async (_, { now }) => {
        if (last !== null && now - last.at < FRESH_MS) return last.answer
        const rows = await platformsHeard(store)({ namespace: SHARED, as_of: now })
        const heard = new Map(rows.map((row) => [row.platform, row.last_success_at]))
        last = { at: now, answer: health((platform) => heard.get(platform) ?? null, now) }
        return last.answer
      },
    ),
  ]
}

function health(heard: (platform: Platform) => string | null, now: number): EchoHealth {
  const of = (platform: Platform) => {
    const last_success_at = heard(platform)
    const silence = last_success_at === null ? Infinity : (now - Date.parse(last_success_at)) / CADENCE_MS[platform]
    const status = silence <= 2 ? ('live' as const) : silence <= 8 ? ('degraded' as const) : ('stale' as const)
    return { status, last_success_at }
  }
  const platforms = { reddit: of('reddit'), bluesky: of('bluesky'), twitter: of('twitter') }
  const ok = Object.values(platforms).every(({ status }) => status === 'live')
  return { status: ok ? 'ok' : 'degraded', platforms }
}
