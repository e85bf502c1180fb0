/** What the page has observed about the service. */
export interface ObservedCondition {
  /** The last request reached the service. */
  readonly isReached: boolean
  /** The last response was a server error (5xx). */
  readonly isFailing: boolean
  /** The number of requests in flight for longer than `SLOW_MS`. */
  readonly slow: number
  /** The reasons that `/health` gives; `null` if it reports no problem or has not answered. */
  readonly degraded: string | null
}

export type DashboardCondition = 'ok' | 'slow' | 'degraded' | 'unreachable'

/** Requests that take longer are reported as slow. */
export const SLOW_MS = 3_000

/** The most severe condition that applies. */
export function conditionOf({ isReached, isFailing, slow, degraded }: ObservedCondition): DashboardCondition {
  if (!isReached) return 'unreachable'
  if (isFailing || degraded !== null) return 'degraded'
  return slow > 0 ? 'slow' : 'ok'
}

/** The notice above every page; `null` if there is none. */
export function conditionText(observed: ObservedCondition): string | null {
  switch (conditionOf(observed)) {
    case 'unreachable':
      return 'The service cannot be reached. The data shown may be out of date. Retrying every few seconds.'
    case 'degraded':
      return `The service is degraded${observed.degraded === null ? '' : ` (${observed.degraded})`}. The data shown may be out of date. Retrying every few seconds.`
    case 'slow':
      return 'The service is responding slowly. The data shown may be out of date.'
    case 'ok':
      return null
  }
}
