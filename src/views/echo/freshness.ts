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
const platformPolls = query({
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
const platformIngestions = query({
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
export async function pollStatuses(store: Store, params: AsOf): Promise<Freshness> {
  const rows = await platformPolls(store)(params)
  return new Map(
    rows.map(({ platform, last_ok, newest_outcome }) => [
      platform,
      { lastSuccessAt: last_ok, failing: ['failed', 'refused'].includes(newest_outcome) }, // rate limiting is not a failure
    ]),
  )
}

/**
 * `pollStatuses` combined with posts that were ingested without a poll. Platforms with neither polls nor posts are omitted.
 */
export async function platformFreshness(store: Store, params: AsOf) {
  const [polls, ingestions] = await Promise.all([pollStatuses(store, params), platformIngestions(store)(params)])
  const fetched = new Map(ingestions.map(({ platform, last_fetched }) => [platform, last_fetched]))
  return new Map(
    PLATFORMS.filter((platform) => polls.has(platform) || fetched.has(platform)).map((platform) => [
      platform,
      { ...withIngestion(polls.get(platform), fetched.get(platform) ?? null), isPolled: polls.has(platform) },
    ]),
  )
}

/** Posts ingested from any producer count as a successful poll. */
export const withIngestion = (poll: PollStatus | undefined, ingestedAt: number | null): PollStatus => ({
  lastSuccessAt: later(poll?.lastSuccessAt ?? null, ingestedAt),
  failing: poll?.failing ?? false,
})

const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)
