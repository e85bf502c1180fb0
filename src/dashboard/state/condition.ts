/** What the page knows of how the service is. */
export interface ObservedCondition {
  /** The last request reached it. */
  readonly isReached: boolean
  /** The last answer was a failure of the service (5xx). */
  readonly isFailing: boolean
  /** Requests that have waited longer than `SLOW_MS`. */
  readonly slow: number
  /** Why `/health` says it is degraded; null: it is not, or nothing was heard. */
  readonly degraded: string | null
}

export type DashboardCondition = 'ok' | 'slow' | 'degraded' | 'unreachable'

/** An answer that takes longer is worth a word. */
export const SLOW_MS = 3_000

/** The worst of what is known comes first. */
export function conditionOf({ isReached, isFailing, slow, degraded }: ObservedCondition): DashboardCondition {
  if (!isReached) return 'unreachable'
  if (isFailing || degraded !== null) return 'degraded'
  return slow > 0 ? 'slow' : 'ok'
}

/** What stands above every page; null: nothing. */
export function conditionText(observed: ObservedCondition): string | null {
  switch (conditionOf(observed)) {
    case 'unreachable':
      return 'The service cannot be reached. What is shown may be old; it is asked again every few seconds.'
    case 'degraded':
      return `The service is degraded${observed.degraded === null ? '' : ` (${observed.degraded})`}. What is shown may be old; it is asked again every few seconds.`
    case 'slow':
      return 'The service answers slowly. What is shown may be old.'
    case 'ok':
      return null
  }
}
