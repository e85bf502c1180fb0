import type { Scope } from '../keys/scopes.ts'
import { PROBLEMS, type Code, problemBody, problem, scopeMissing, type FieldError } from '../problem.ts'
import { responseHeaders } from './headers.ts'

/**
 * The document's response for the errors of one status. A single code becomes a shared component, so that the document
 * describes it once.
 */
export const refusal = (codes: readonly Code[]) =>
  codes.length === 1 ? { $ref: `#/components/responses/${codes.join()}` } : refusalResponse(codes)

/** Errors that are returned before the caller is known. */
const WITHOUT_KEY: ReadonlySet<Code> = new Set([
  'bad_request',
  'invalid_api_key',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
])

/** The response object for codes that share one status. */
export const refusalResponse = (codes: readonly Code[]) => ({
  description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].when}`).join(' '),
  headers: responseHeaders({ keyed: !codes.some((code) => WITHOUT_KEY.has(code)), refusals: codes }),
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

interface ProblemExample {
  readonly detail: string
  readonly instance: string
  readonly errors?: readonly FieldError[]
  readonly requiredScope?: Scope
}

const A_STORY = '/v1/clusters/sto_sr3eekx2bvkcggkdj6dmjr3urw'

function missing(scope: Scope, has: readonly Scope[]): Pick<ProblemExample, 'detail' | 'requiredScope'> {
  return { detail: scopeMissing(scope, has).detail, requiredScope: scope }
}

/** The example of each error. A code that is not listed uses its meaning as the text. */
const EXAMPLES: Partial<Readonly<Record<Code, ProblemExample>>> = {
  bad_request: { detail: 'The request has no Host header', instance: '/v1/clusters' },
  request_timeout: { detail: 'The request did not arrive in time', instance: '' },
  expectation_failed: { detail: 'Expect: 200-ok is not supported; only 100-continue is', instance: '/v1/clusters' },
  invalid_api_key: {
    detail: 'API key missing: send Authorization: Bearer <API_KEY>',
    instance: '/v1/clusters',
  },
  tier_restricted: {
    detail: 'This operation requires a professional key; yours is starter',
    instance: '/echo/v1/echo/search',
  },
  scope_missing: { ...missing('write', ['read']), instance: '/layer0/v1/process' },
  curator_required: { ...missing('curate', ['read', 'write']), instance: `${A_STORY}/corrections` },
  not_found: { detail: 'There is nothing at /v1/nothing', instance: '/v1/nothing' },
  article_not_found: {
    detail: 'Article not found: art_7ggtplrk2kb5sgkdhvgdnqkuvr',
    instance: '/layer0/v1/article/art_7ggtplrk2kb5sgkdhvgdnqkuvr',
  },
  job_not_found: {
    detail: 'Job not found: 01JZX5F0QV5N6X1T2Y3Z4A5B6C',
    instance: '/layer0/v1/status/01JZX5F0QV5N6X1T2Y3Z4A5B6C',
  },
  entity_not_found: { detail: 'Entity not found: Nobody', instance: '/v1/entities/Nobody' },
  cluster_not_found: { detail: 'Cluster not found: sto_sr3eekx2bvkcggkdj6dmjr3urw', instance: A_STORY },
  method_not_allowed: { detail: '/v1/clusters supports GET, HEAD', instance: '/v1/clusters' },
  body_too_large: { detail: 'The body exceeds the limit of 2097152 bytes', instance: '/layer0/v1/process' },
  validation_failed: {
    detail: 'limit: must be at most 100, got 101',
    instance: '/v1/clusters',
    errors: [{ path: 'limit', message: 'must be at most 100, got 101' }],
  },
  rate_limited: { detail: 'Rate limit exceeded; try again in 1 s', instance: '/v1/clusters' },
  headers_too_large: { detail: 'The address or the headers are too long', instance: '' },
  internal_error: {
    detail: 'The service failed to process the request; the request id identifies it in the service log',
    instance: '/v1/clusters',
  },
  unavailable: { detail: 'The store (ClickHouse) does not respond; try again in 5 s', instance: '/v1/clusters' },
}

/** The body of an error as it is sent. */
function problemExample(code: Code) {
  const { detail, instance, ...extra } = EXAMPLES[code] ?? { detail: PROBLEMS[code].when, instance: '/v1/clusters' }
  return problemBody(problem(code, detail, extra), instance)
}

/** All error examples, for the document's components. Operations refer to them by code. */
export const problemExamples = (): readonly (readonly [Code, { summary: string; value: unknown }])[] =>
  codes().map((code) => [code, { summary: PROBLEMS[code].when, value: problemExample(code) }])

const isCode = (name: string): name is Code => name in PROBLEMS

const codes = (): Code[] => Object.keys(PROBLEMS).filter(isCode)
