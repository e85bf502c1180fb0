import { retryAfterSeconds } from '../../domain/retry-after.ts'

/** The last response to a request. */
export interface RequestResponse {
  readonly status: number
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/**
 * What a response means for the document. `limited`: 429, or 503 with `Retry-After`; without it, 503 is a failure like
 * any other. `refused`: 401, 403 or 451.
 */
export type ResponseKind = 'document' | 'unchanged' | 'limited' | 'refused' | 'not_found' | 'gone' | 'failed'

export function responseKind({ status, headers }: RequestResponse): ResponseKind {
  if (status >= 200 && status <= 299) return 'document'
  if (status === 503) return headers['retry-after'] === undefined ? 'failed' : 'limited'
  return BY_STATUS[status] ?? 'failed'
}

const BY_STATUS: Readonly<Record<number, ResponseKind | undefined>> = {
  304: 'unchanged',
  401: 'refused',
  403: 'refused',
  404: 'not_found',
  410: 'gone',
  429: 'limited',
  451: 'refused',
}

/** How long the server asks to wait, at most a day; `null` if it names no time. */
export function waitSeconds({ headers }: RequestResponse, at: number): number | null {
  const seconds = retryAfterSeconds(headers['retry-after'], at)
  return seconds === null ? null : Math.min(seconds, LONGEST_WAIT_SECONDS)
}

const LONGEST_WAIT_SECONDS = 86_400
