/** The rate limit of the API key, as the service reports it. */
export interface DashboardAllowance {
  readonly left: number
  readonly perMinute: number
}

/** From `RateLimit: "default";r=119;t=1` and `RateLimit-Policy: "default";q=120;w=60`; `null` without these headers. */
export function allowanceOf(headers: Pick<Headers, 'get'>): DashboardAllowance | null {
  const left = /;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
  const perMinute = /;q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1]
  return left === undefined || perMinute === undefined ? null : { left: Number(left), perMinute: Number(perMinute) }
}

const FASTEST_MS = 1_000
const SLOWEST_MS = 15_000

/**
 * Milliseconds between two reads of a list that changes continuously. Reads use a limited share of the rate limit, and less as
 * the remaining allowance shrinks, so that requests are always left for what the user does.
 */
export function paceMs(allowance: DashboardAllowance | null): number {
  if (allowance === null) return FASTEST_MS
  const { left, perMinute } = allowance
  const share = left / perMinute
  if (share > 0.5) return Math.max(FASTEST_MS, 60_000 / (perMinute * 0.4))
  return share > 0.2 ? 5_000 : SLOWEST_MS
}

/** Consecutive feed events without a longer pause between them, in milliseconds of one clock. */
export interface Burst {
  readonly since: number
  readonly last: number
}

/** After a pause of this length the next event starts a new burst. */
const PAUSE_MS = 30_000
const MAX_LAG_MS = 180_000

export const extendBurst = (burst: Burst, at: number): Burst => ({
  since: at - burst.last > PAUSE_MS ? at : burst.since,
  last: at,
})

/**
 * Whether the feed may lag behind the lists: under load, the stage that publishes it is the last to process an article.
 * Lists are therefore read for as long as the burst lasted, three minutes at most.
 */
export const mayLag = ({ since, last }: Burst, at: number): boolean => at - last < Math.min(last - since, MAX_LAG_MS)
