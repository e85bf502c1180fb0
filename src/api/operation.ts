import type { RouteConfig, z } from '@hono/zod-openapi'
import type { Tier } from '../events/settings.ts'
import { PROBLEMS, ProblemBody, type Code } from './problem.ts'

/** What a request spends: one of the key's requests a minute, one of its status polls, or nothing. */
export type Cost = 'request' | 'poll' | 'nothing'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The parts of a request a route may ask for; each is validated, typed and documented by its schema. */
export interface RequestShape extends z.core.$ZodShape {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** By their documented names: `Idempotency-Key`. */
  readonly headers?: z.ZodObject
  readonly body?: z.ZodType
}

/** What every route says of itself; the OpenAPI document is made of nothing else. */
export interface RouteText {
  readonly method: Method
  /** With the layer's prefix, parameters in braces: `/layer0/v1/article/{article_id}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly status: 200 | 201 | 202 | 204
  /** It changes stories: in the shared namespace only a curator's key may. */
  readonly curatorsOnly?: true
  /** The route's own refusals; those every route has (401, 422, 429, ...) are added. */
  readonly problems?: readonly Code[]
  /** Largest body in bytes; 2 MiB without it. */
  readonly maxBodyBytes?: number
}

interface Operation {
  readonly text: RouteText
  readonly tier: Tier | 'open'
  readonly cost: Cost
  readonly request: RequestShape
  readonly answer: z.ZodType
}

/** A route as its OpenAPI operation, every refusal it can give included. */
export function operation({ text, tier, cost, request, answer }: Operation): RouteConfig {
  const { method, path, tag, summary, description, status } = text
  return {
    method,
    path,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: tier === 'open' ? [] : [{ api_key: [] }],
    'x-tier': tier,
    'x-rate-cost': cost,
    request: documentedRequest(request),
    responses: {
      [status]: {
        description: status === 204 ? 'Done; no body' : 'The answer',
        headers: headersOf(text, tier),
        ...(status === 204 ? {} : { content: json(answer) }),
      },
      ...(isCacheable(text) ? { 304: { description: 'Unchanged since the ETag sent as If-None-Match; no body' } } : {}),
      ...refusals(codesOf(text, tier, request)),
    },
  }
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema } })

function documentedRequest({ params, query, headers, body }: RequestShape): NonNullable<RouteConfig['request']> {
  return {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body: { required: true, content: json(body) } }),
  }
}

function codesOf(text: RouteText, tier: Tier | 'open', request: RequestShape): readonly Code[] {
  const keyed: readonly Code[] = tier === 'open' ? [] : ['invalid_api_key', 'rate_limited', 'unavailable']
  const tiered: readonly Code[] = tier === 'open' || tier === 'starter' ? [] : ['tier_restricted']
  const validated: readonly Code[] = Object.keys(request).length === 0 ? [] : ['validation_failed']
  const bodied: readonly Code[] = request.body === undefined ? [] : ['body_too_large']
  return [...new Set([...keyed, ...tiered, ...validated, ...bodied, ...(text.problems ?? [])])]
}

function refusals(codes: readonly Code[]): RouteConfig['responses'] {
  const statuses = new Set(codes.map((code) => PROBLEMS[code].status))
  const described = (status: number): string =>
    codes.flatMap((code) => (PROBLEMS[code].status === status ? [`\`${code}\`: ${PROBLEMS[code].when}`] : [])).join(' ')
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: described(status),
        content: { 'application/problem+json': { schema: ProblemBody } },
      },
    ]),
  )
}

const isCacheable = ({ method, status }: Pick<RouteText, 'method' | 'status'>): boolean =>
  method === 'get' && status === 200

const header = (description: string) => ({ description, schema: { type: 'string' as const } })

function headersOf({ method, status }: RouteText, tier: Tier | 'open') {
  return {
    'X-Request-Id': header('Echoed when sent, else made here.'),
    ...(tier === 'open'
      ? {}
      : {
          'RateLimit-Policy': header('Quota and window, e.g. `"default";q=120;w=60`.'),
          RateLimit: header('What is left and when it is full again, e.g. `"default";r=119;t=1`.'),
        }),
    ...(isCacheable({ method, status }) ? { ETag: header('Send it back as If-None-Match: 304 when unchanged.') } : {}),
  }
}
