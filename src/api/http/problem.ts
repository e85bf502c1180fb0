import { z } from '@hono/zod-openapi'

/** Every way an answer can be no. The code is stable; what it means is said once, here. */
export const PROBLEMS = {
  bad_request: {
    status: 400,
    title: 'Bad Request',
    when: 'The address, the Host header or the syntax of the request is invalid.',
  },
  invalid_api_key: { status: 401, title: 'Unauthorized', when: 'The API key is missing, unknown, expired or revoked.' },
  tier_restricted: { status: 403, title: 'Forbidden', when: "The key's tier does not include this operation." },
  curator_required: {
    status: 403,
    title: 'Forbidden',
    when: 'The key is not allowed to change stories of this namespace.',
  },
  not_found: { status: 404, title: 'Not Found', when: 'There is no such address.' },
  article_not_found: { status: 404, title: 'Not Found', when: 'The namespace has no article with this id.' },
  job_not_found: { status: 404, title: 'Not Found', when: 'The namespace has no job with this id.' },
  entity_not_found: { status: 404, title: 'Not Found', when: 'The namespace has no entity with this id or name.' },
  cluster_not_found: { status: 404, title: 'Not Found', when: 'The namespace has no cluster with this id.' },
  correction_not_found: { status: 404, title: 'Not Found', when: 'The namespace has no correction with this id.' },
  thread_not_found: { status: 404, title: 'Not Found', when: 'The namespace has no thread with this id.' },
  webhook_not_found: { status: 404, title: 'Not Found', when: 'The key can see no webhook endpoint with this id.' },
  delivery_not_found: {
    status: 404,
    title: 'Not Found',
    when: 'The endpoint has no delivery with this id in the last 30 days.',
  },
  embedding_not_found: { status: 404, title: 'Not Found', when: 'The namespace has no embedding with this id.' },
  no_enrichment: { status: 404, title: 'Not Found', when: 'No public discourse on this story has been observed.' },
  request_timeout: { status: 408, title: 'Request Timeout', when: 'The request did not arrive in time.' },
  cursor_expired: { status: 410, title: 'Gone', when: 'The cursor is older than 30 days, the retention of the feed.' },
  method_not_allowed: {
    status: 405,
    title: 'Method Not Allowed',
    when: 'The address does not support this method (see Allow).',
  },
  body_too_large: {
    status: 413,
    title: 'Content Too Large',
    when: 'The body exceeds the size limit of the operation.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation Failed',
    when: 'The Expect header has a value other than 100-continue.',
  },
  validation_failed: {
    status: 422,
    title: 'Unprocessable Content',
    when: 'A value is missing or invalid (see errors).',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Unprocessable Content',
    when: 'The Idempotency-Key was used with a different request.',
  },
  url_not_allowed: {
    status: 422,
    title: 'Unprocessable Content',
    when: 'Only https URLs at public addresses are allowed (see errors).',
  },
  webhook_limit_reached: {
    status: 422,
    title: 'Unprocessable Content',
    when: 'The owner or the namespace has reached the limit of webhook endpoints.',
  },
  webhook_disabled: {
    status: 422,
    title: 'Unprocessable Content',
    when: 'The webhook endpoint is disabled.',
  },
  query_too_large: {
    status: 422,
    title: 'Unprocessable Content',
    when: 'The request would read too much data; narrow the parameters named in the detail.',
  },
  rate_limited: {
    status: 429,
    title: 'Too Many Requests',
    when: 'The rate limit is exceeded, or too many requests are waiting (see Retry-After).',
  },
  headers_too_large: {
    status: 431,
    title: 'Request Header Fields Too Large',
    when: 'The address and the headers exceed 16 kB.',
  },
  internal_error: { status: 500, title: 'Internal Server Error', when: 'The service has failed.' },
  graph_build_in_progress: {
    status: 503,
    title: 'Service Unavailable',
    when: 'The graph is being rebuilt, and reads are configured to wait for it (see Retry-After).',
  },
  unavailable: {
    status: 503,
    title: 'Service Unavailable',
    when: 'An engine is temporarily unavailable (see Retry-After).',
  },
} as const

export type Code = keyof typeof PROBLEMS

/** A wrong value: `path` as `text`, `metadata.url`, `articles[3].text`, `limit`. */
export interface FieldError {
  readonly path: string
  readonly message: string
}

const brand = Symbol('problem')

/** A refusal as a value: a handler returns it in place of an answer. */
export interface Problem {
  readonly [brand]: true
  readonly code: Code
  readonly detail: string
  readonly errors: readonly FieldError[] | null
  readonly retryAfterSeconds: number | null
}

interface Extra {
  readonly errors?: readonly FieldError[]
  readonly retryAfterSeconds?: number
}

export const problem = (code: Code, detail: string, { errors, retryAfterSeconds }: Extra = {}): Problem => ({
  [brand]: true,
  code,
  detail,
  errors: errors ?? null,
  retryAfterSeconds: retryAfterSeconds ?? null,
})

export const validationFailed = (errors: readonly FieldError[]): Problem =>
  problem('validation_failed', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors })

export const isProblem = (reply: unknown): reply is Problem =>
  typeof reply === 'object' && reply !== null && brand in reply

/** The body of a refusal on the wire (RFC 9457). */
export const ProblemBody = z
  .object({
    type: z.string().describe('Always `about:blank`; `code` identifies the problem.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe('Path of the request.'),
    code: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem')

export const problemBody = ({ code, detail, errors }: Problem, instance: string): z.output<typeof ProblemBody> => ({
  type: 'about:blank',
  title: PROBLEMS[code].title,
  status: PROBLEMS[code].status,
  detail,
  instance,
  code,
  ...(errors === null ? {} : { errors: [...errors] }),
})
