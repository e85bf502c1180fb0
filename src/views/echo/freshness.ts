import { z } from 'zod'
import { PLATFORMS, type Platform } from '../../events/discourse.ts'
import type { PollStatus } from '../../domain/platforms/status.ts'
import type { Store } from '../../ports/store.ts'
import { moment } from '../instant.ts'
import { query, type AsOf } from '../query.ts'

const PLATFORM = z.enum(PLATFORMS)

/**
 * The polls of each platform up to a point in time: one row per platform that a connector has polled. Repeated events
 * do not change the result.
 */
const platformsLooked = query({
  name: 'echo.platforms_looked',
  sql: `
    SELECT
      platform, toUnixTimestamp64Milli(maxOrNullIf(polled_at, outcome = 'ok')) AS last_ok,
      argMax(outcome, (polled_at, _offset)) AS newest_outcome
    FROM polls
    WHERE namespace = {namespace: String} AND polled_at <= {as_of: DateTime64(3, 'UTC')}
    GROUP BY platform
    ORDER BY platform`,
  params: z.object({ as_of: moment }),
  row: z.object({ platform: PLATFORM, last_ok: z.number().nullable(), newest_outcome: z.string() }),
})

/** When posts of each platform were last ingested: one row per platform with posts. */
const platformsHeard = query({
  name: 'echo.platforms',
  sql: `
    SELECT platform, toUnixTimestamp64Milli(max(fetched_at)) AS last_fetched
    FROM enrichments
    WHERE namespace = {namespace: String} AND occurred_at <= {as_of: DateTime64(3, 'UTC')}
    GROUP BY platform
    ORDER BY platform`,
  params: z.object({ as_of: moment }),
  row: z.object({ platform: PLATFORM, last_fetched: z.number() }),
})

/** Poll status of each platform that connectors poll. */
export type Freshness = ReadonlyMap<Platform, PollStatus>

/** The poll status of each platform up to a point in time. Platforms that were never polled are omitted. */
export async function lookedAt(store: Store, params: AsOf): Promise<Freshness> {
  const rows = await platformsLooked(store)(params)
  return new Map(
    rows.map(({ platform, last_ok, newest_outcome }) => [
      platform,
      { lastSuccessAt: last_ok, failing: ['failed', 'refused'].includes(newest_outcome) }, // rate limiting is not a failure
    ]),
  )
}

/**
 * `lookedAt` combined with posts that were ingested without a poll. Platforms with neither polls nor posts are omitted.
 */
export async function platformFreshness(store: Store, params: AsOf) {
  const [looked, heard] = await Promise.all([lookedAt(store, params), platformsHeard(store)(params)])
  const fetched = new Map(heard.map(({ platform, last_fetched }) => [platform, last_fetched]))
  return new Map(
    PLATFORMS.filter((platform) => looked.has(platform) || fetched.has(platform)).map((platform) => [
      platform,
      { ...orHeard(looked.get(platform), fetched.get(platform) ?? null), isPolled: looked.has(platform) },
    ]),
  )
}

/** Posts ingested from any producer count as a successful poll. */
export const orHeard = (looked: PollStatus | undefined, heardAt: number | null): PollStatus => ({
  lastSuccessAt: later(looked?.lastSuccessAt ?? null, heardAt),
  failing: looked?.failing ?? false,
})

const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)
