import type { RouteConfig, z } from '@hono/zod-openapi'
import type { Tier } from '../../../events/settings.ts'
import { csvOf, type CsvList } from '../csv.ts'
import { exampleOf, type DocExample } from './example.ts'
import { isListed, responseHeaders } from './headers.ts'
import { refusal } from './refusals.ts'
import type { Scope } from '../keys/scopes.ts'
import { codeWithout, PROBLEMS, type Code } from '../problem.ts'

/** What a request is charged as: one of the key's requests per minute, one of its status polls, or nothing. */
export type OperationCost = 'request' | 'poll' | 'nothing'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The default limit of a body. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

/** The parts of a request that a route may declare. Each is validated, typed and documented by its schema. */
export interface RequestShape extends z.core.$ZodShape {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** Keyed by their documented names: `Idempotency-Key`. */
  readonly headers?: z.ZodObject
  readonly body?: z.ZodType
}

/** The description of a route. The OpenAPI document is generated from it alone. */
export interface RouteText {
  readonly method: Method
  /** Path with the layer's prefix, and parameters in braces: `/layer0/v1/article/{article_id}`. */
  readonly path: string
  readonly tag: string
  /** The method name in generated clients: camelCase, unique, never changed. */
  readonly operationId?: string
  readonly summary: string
  readonly description?: string
  readonly status: 200 | 201 | 202 | 204
  /**
   * The views already contain the change when the route responds, so cached responses of the whole namespace are
   * invalidated.
   */
  readonly shownAtOnce?: true
  /** The route's own error codes; those common to all routes (401, 422, 429, ...) are added. */
  readonly problems?: readonly Code[]
  /** Maximum size of the body in bytes. Default: 2 MiB. */
  readonly maxBodyBytes?: number
  /** Every response is different, so it has no ETag. */
  readonly untagged?: true
  /** A web page or one of its assets, or another protocol: served, but not part of the document. */
  readonly forPeople?: true
  /** The handler returns a `Response`, whose status, content type and body are sent. */
  readonly relayed?: true
  /** Requests from web pages are refused unless their origin is the service's own or in `CORS_ORIGINS`. */
  readonly checksOrigin?: true
  /** The content type, if it is not JSON. */
  readonly contentType?: string
}

interface ApiOperation {
  readonly text: RouteText
  readonly tier: Tier | 'open'
  readonly scope: Scope | 'open'
  readonly cost: OperationCost
  readonly request: RequestShape
  readonly answer: z.ZodType
  readonly csv: CsvList | null
}

/** The OpenAPI operation of a route, with every error it can return. */
export function operation(whole: ApiOperation): RouteConfig {
  const { text, tier, scope, cost, request } = whole
  const { method, path, tag, operationId, summary, description } = text
  return {
    ...{ method, path, tags: [tag], summary },
    ...(operationId === undefined ? {} : { operationId }),
    ...(description === undefined ? {} : { description }),
    security: tier === 'open' ? [] : [{ api_key: [] }],
    'x-tier': tier,
    'x-scope': scope,
    'x-rate-cost': cost,
    ...(request.body === undefined ? {} : { 'x-max-body-bytes': text.maxBodyBytes ?? MAX_BODY_BYTES }),
    request: documentedRequest(request, exampleOf(operationId)),
    responses: { ...answers(whole), ...refusals(codesOf(whole)) },
  }
}

function answers({ text, tier, answer, csv }: ApiOperation): RouteConfig['responses'] {
  const { status, operationId } = text
  const cacheable = isCacheable(text)
  const headers = responseHeaders({ keyed: tier !== 'open', cacheable, listed: isListed(answer) })
  if (status === 204) return { 204: { description: 'Success, without a body', headers } }
  const body = { schema: answer, ...examplesOf(exampleOf(operationId)) }
  return {
    [status]: {
      description: status === 202 ? 'Accepted' : 'Success',
      headers,
      content: {
        [text.contentType ?? 'application/json']: body,
        ...(csv !== null && { 'text/csv': csvBody(csv, exampleOf(operationId)) }),
      },
    },
    ...(cacheable
      ? { 304: { description: 'Not modified since the ETag sent as `If-None-Match`; no body', headers } }
      : {}),
  }
}

/** The first example of the JSON response, as CSV. */
function csvBody(csv: CsvList, { answer, answers = {} }: DocExample) {
  const example = answer ?? Object.values(answers)[0]
  return { schema: { type: 'string' as const }, ...(example !== undefined && { example: csvOf(example, csv) }) }
}

const isCacheable = ({ method, status, untagged }: RouteText): boolean =>
  method === 'get' && status === 200 && untagged !== true

function examplesOf({ answer, answers }: DocExample) {
  if (answers === undefined) return answer === undefined ? {} : { example: answer }
  return { examples: Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, { value }])) }
}

function documentedRequest(
  { body, ...others }: RequestShape,
  example: DocExample,
): NonNullable<RouteConfig['request']> {
  if (body === undefined) return others
  const shown = example.body === undefined ? {} : { example: example.body }
  const required = !body.safeParse(undefined).success
  return { ...others, body: { required, content: { 'application/json': { schema: body, ...shown } } } }
}

const boundedCodes = ({ method }: RouteText, tier: Tier | 'open'): readonly Code[] =>
  method === 'get' && tier !== 'open' ? ['query_too_large'] : []

/** Errors that the listener can return for any request, and internal errors. */
const ANYWHERE: readonly Code[] = [
  'bad_request',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
]

function codesOf({ text, tier, scope, request }: ApiOperation): readonly Code[] {
  const keyed: readonly Code[] = tier === 'open' ? [] : ['invalid_api_key', 'rate_limited', 'unavailable']
  const tiered: readonly Code[] = tier === 'open' || tier === 'starter' ? [] : ['tier_restricted']
  const bodied: readonly Code[] = request.body === undefined ? [] : ['body_too_large']
  const scoped: readonly Code[] = scope === 'open' ? [] : [codeWithout(scope)]
  const own = text.problems ?? []
  return [
    ...new Set<Code>([
      ...keyed,
      ...boundedCodes(text, tier),
      ...tiered,
      ...scoped,
      'validation_failed', // from `strict`, which every operation accepts
      ...bodied,
      ...own,
      ...ANYWHERE,
    ]),
  ]
}

function refusals(codes: readonly Code[]): RouteConfig['responses'] {
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b)
  const of = (status: number) => codes.filter((code) => PROBLEMS[code].status === status)
  return Object.fromEntries(statuses.map((status) => [status, refusal(of(status))]))
}
