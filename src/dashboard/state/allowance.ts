/** What the service says is left of the reader's requests. */
export interface DashboardAllowance {
  readonly left: number
  readonly perMinute: number
}

/** From `RateLimit: "default";r=119;t=1` and `RateLimit-Policy: "default";q=120;w=60`; null: nothing is said. */
export function allowanceOf(headers: Pick<Headers, 'get'>): DashboardAllowance | null {
  const left = /;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
  const perMinute = /;q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1]
  return left === undefined || perMinute === undefined ? null : { left: Number(left), perMinute: Number(perMinute) }
}

/** More often than this nobody reads. */
const FASTEST_MS = 1_000
const SLOWEST_MS = 15_000

/**
 * How long to wait between two reads of a list that changes all the time: at most a share of what the key may ask is spent on
 * that, and less the nearer the end is, so that there is always something left for what the reader does.
 */
export function paceMs(allowance: DashboardAllowance | null): number {
  if (allowance === null) return FASTEST_MS
  const { left, perMinute } = allowance
  const share = left / perMinute
  if (share > 0.5) return Math.max(FASTEST_MS, 60_000 / (perMinute * 0.4))
  return share > 0.2 ? 5_000 : SLOWEST_MS
}
