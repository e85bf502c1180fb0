import type { components } from './api.ts'

export type ServiceProblem = components['schemas']['Problem']

/** An error response: the service's problem (RFC 9457), or `unknown` if the body is not one. */
export class StoryError extends Error {
  override readonly name = 'StoryError'
  readonly status: number
  /**
   * Stable and snake_case: `rate_limited`, `article_not_found` …; `unknown` if the response is not a problem of the
   * service.
   */
  readonly code: string
  /** The invalid fields and what is wrong with each; empty if the response lists none. */
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  /** Identifies the request in the service's log; `null` if the response has no `x-request-id`. */
  readonly requestId: string | null
  /** Seconds to wait before a retry; `null` if the response has no Retry-After. */
  readonly retryAfterSeconds: number | null

  constructor(
    response: Response,
    { code = 'unknown', detail = response.statusText, errors = [] }: Partial<ServiceProblem>,
  ) {
    super(`${response.status} ${code}: ${detail}`)
    this.status = response.status
    this.code = code
    this.errors = errors
    this.requestId = response.headers.get('x-request-id')
    this.retryAfterSeconds = retryAfter(response)
  }
}

/** A job was neither completed nor failed within the timeout. It keeps running: poll again later. */
export class JobTimeout extends Error {
  override readonly name = 'JobTimeout'
  readonly jobId: string

  constructor(jobId: string, ms: number) {
    super(`job ${jobId} was not finished within ${ms / 1_000} s`)
    this.jobId = jobId
  }
}

/** Seconds; `null` if the header is missing or not a number of seconds. */
export function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** Builds the error from a response's body. */
export async function storyError(response: Response): Promise<StoryError> {
  const text = await response.text().catch(() => '')
  return new StoryError(response, parsed(text))
}

function parsed(text: string): Partial<ServiceProblem> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
