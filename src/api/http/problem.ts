import { z } from '@hono/zod-openapi'
import { SCOPES, type Scope } from './keys/scopes.ts'

/** The titles of RFC 9110, by status. */
export const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  410: 'Gone',
  413: 'Content Too Large',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

/** Every error code. Codes are stable; `when` describes their meaning. */
export const PROBLEMS = {
  bad_request: { status: 400, when: 'The address, the Host header or the syntax of the request is invalid.' },
  invalid_api_key: { status: 401, when: 'The API key is missing, unknown, expired or revoked.' },
  tier_restricted: { status: 403, when: "The key's tier does not include this operation." },
  scope_missing: { status: 403, when: 'The key does not have the scope of this operation (see required_scope).' },
  curator_required: {
    status: 403,
    when: 'The key is not allowed to change stories of this namespace: it does not have the scope curate.',
  },
  origin_not_allowed: {
    status: 403,
    when: 'The request comes from a web page whose origin may not call this address.',
  },
  not_found: { status: 404, when: 'There is no such address.' },
  article_not_found: { status: 404, when: 'The namespace has no article with this id.' },
  job_not_found: { status: 404, when: 'The namespace has no job with this id.' },
  entity_not_found: { status: 404, when: 'The namespace has no entity with this id or name.' },
  cluster_not_found: { status: 404, when: 'The namespace has no cluster with this id.' },
  correction_not_found: { status: 404, when: 'The namespace has no correction with this id.' },
  thread_not_found: { status: 404, when: 'The namespace has no thread with this id.' },
  webhook_not_found: { status: 404, when: 'The key can see no webhook endpoint with this id.' },
  monitor_not_found: { status: 404, when: 'The key can see no monitor with this id.' },
  channel_not_found: { status: 404, when: 'The monitor has no channel with this id.' },
  feed_not_found: { status: 404, when: 'The namespace watches no feed with this id.' },
  delivery_not_found: { status: 404, when: 'The endpoint has no delivery with this id in the last 30 days.' },
  embedding_not_found: { status: 404, when: 'The namespace has no embedding with this id.' },
  no_enrichment: { status: 404, when: 'No public discourse on this story has been observed.' },
  request_timeout: { status: 408, when: 'The request did not arrive in time.' },
  cursor_expired: { status: 410, when: 'The cursor is older than 30 days, the retention of the feed.' },
  method_not_allowed: { status: 405, when: 'The address does not support this method (see Allow).' },
  body_too_large: { status: 413, when: 'The body exceeds the size limit of the operation.' },
  expectation_failed: { status: 417, when: 'The Expect header has a value other than 100-continue.' },
  validation_failed: { status: 422, when: 'A value is missing or invalid (see errors).' },
  idempotency_key_reused: { status: 422, when: 'The Idempotency-Key was used with a different request.' },
  url_not_allowed: { status: 422, when: 'Only https URLs at public addresses are allowed (see errors).' },
  webhook_limit_reached: {
    status: 422,
    when: 'The owner or the namespace has reached the limit of webhook endpoints.',
  },
  no_feed_found: { status: 422, when: 'The address gives no feed, and the site whose page it is announces none.' },
  feed_limit_reached: { status: 422, when: 'The namespace watches as many feeds as it may.' },
  monitor_limit_reached: { status: 422, when: 'The key or the namespace has as many monitors as it may.' },
  channel_limit_reached: { status: 422, when: 'The monitor has as many channels as it may.' },
  channel_unsubscribed: { status: 422, when: 'The reader of the address has unsubscribed.' },
  email_not_configured: { status: 422, when: 'The service sends no e-mails, because its operator has not set it up.' },
  webhook_disabled: { status: 422, when: 'The webhook endpoint is disabled.' },
  query_too_large: {
    status: 422,
    when: 'The request would read too much data; narrow the parameters named in the detail.',
  },
  rate_limited: {
    status: 429,
    when: 'The rate limit is exceeded, or too many requests are waiting (see Retry-After).',
  },
  headers_too_large: { status: 431, when: 'The address and the headers exceed 16 kB.' },
  internal_error: { status: 500, when: 'The service has failed.' },
  graph_build_in_progress: {
    status: 503,
    when: 'The graph is being rebuilt, and reads are configured to wait for it (see Retry-After).',
  },
  unavailable: { status: 503, when: 'An engine is temporarily unavailable (see Retry-After).' },
} as const satisfies Readonly<Record<string, { readonly status: keyof typeof TITLES; readonly when: string }>>

export type Code = keyof typeof PROBLEMS

/** An invalid value. `path` is, for example, `text`, `metadata.url`, `articles[3].text` or `limit`. */
export interface FieldError {
  readonly path: string
  readonly message: string
}

const brand = Symbol('problem')

/** An error as a value: a handler returns it instead of a response. */
export interface Problem {
  readonly [brand]: true
  readonly code: Code
  readonly detail: string
  readonly errors: readonly FieldError[] | null
  readonly retryAfterSeconds: number | null
  /** The scope that the caller does not have; `null` if that is not the problem. */
  readonly requiredScope: Scope | null
}

interface Extra {
  readonly errors?: readonly FieldError[]
  readonly retryAfterSeconds?: number
  readonly requiredScope?: Scope
}

/** Seconds after which a request that found an engine away, or the service too busy, may be repeated. */
export const RETRY_AFTER_SECONDS = 5

export const problem = (
  code: Code,
  detail: string,
  { errors, retryAfterSeconds, requiredScope }: Extra = {},
): Problem => ({
  [brand]: true,
  code,
  detail,
  errors: errors ?? null,
  retryAfterSeconds: retryAfterSeconds ?? null,
  requiredScope: requiredScope ?? null,
})

export const validationFailed = (errors: readonly FieldError[]): Problem =>
  problem('validation_failed', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors })

/** The code of a request without the scope of its operation. */
export const codeWithout = (scope: Scope): Code => (scope === 'curate' ? 'curator_required' : 'scope_missing')

/** Refuses a key with the scopes `has`, and names the missing one and how to create a key with it. */
export function scopeMissing(scope: Scope, has: readonly Scope[]): Problem {
  const present = has.length === 0 ? 'none that this version knows' : has.join(', ')
  const complete = SCOPES.filter((one) => one === scope || has.includes(one))
  return problem(
    codeWithout(scope),
    `This operation requires the scope ${scope}; this key has ${present}. Use a key created with --scopes ${complete.join(',')}`,
    { requiredScope: scope },
  )
}

export const isProblem = (reply: unknown): reply is Problem =>
  typeof reply === 'object' && reply !== null && brand in reply

/** The body of an error response (RFC 9457). */
export const ProblemBody = z
  .object({
    type: z.string().describe('Always `about:blank`; `code` identifies the problem.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe('Path of the request.'),
    code: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    required_scope: z.string().optional().describe('The scope that the key does not have.'),
  })
  .openapi('Problem')

export const problemBody = (
  { code, detail, errors, requiredScope }: Problem,
  instance: string,
): z.output<typeof ProblemBody> => ({
  type: 'about:blank',
  title: TITLES[PROBLEMS[code].status],
  status: PROBLEMS[code].status,
  detail,
  instance,
  code,
  ...(errors === null ? {} : { errors: [...errors] }),
  ...(requiredScope === null ? {} : { required_scope: requiredScope }),
})
