import type { components } from './api.ts'

export type ServiceProblem = components['schemas']['Problem']

/** An answer that is none of success: the service's problem (RFC 9457), or what could be learned of it. */
export class StoryError extends Error {
  override readonly name = 'StoryError'
  readonly status: number
  /** Stable and snake_case: `rate_limited`, `article_not_found` …; `unknown` where the answer was no problem of ours. */
  readonly code: string
  /** What was wrong with which field; empty where nothing is said. */
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  /** Finds the request in the service's log. */
  readonly requestId: string | null
  /** Seconds to wait before it is asked again; null: nothing was said. */
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

/** A job was neither completed nor failed within the time given. It goes on: ask again later. */
export class JobTimeout extends Error {
  override readonly name = 'JobTimeout'
  readonly jobId: string

  constructor(jobId: string, ms: number) {
    super(`job ${jobId} was not finished within ${ms / 1_000} s`)
    this.jobId = jobId
  }
}

/** Seconds; null: nothing was said. */
export function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** Reads the answer as a problem. */
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
