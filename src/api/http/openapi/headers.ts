import { z } from '@hono/zod-openapi'
import { PROBLEMS, type Code } from '../problem.ts'

interface Header {
  readonly description: string
  readonly required?: true
  readonly schema: { readonly type: 'string' | 'integer'; readonly pattern?: string; readonly minimum?: number }
  readonly example: string | number
}

/** Every response header that clients read, defined once. Operations refer to them. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      "Identifies the request in the service's log. Echoes the request's `X-Request-Id` (1 to 128 of `A-Z " +
      'a-z 0-9 _ . : + / = -`), otherwise generated.',
    required: true,
    schema: { type: 'string' },
    example: '3f0c2d1e-8f5a-4c0e-9d59-0a3f4c2b7e11',
  },
  'X-Ignored-Parameters': {
    description:
      'The names of unknown query parameters and body fields (at most ten), each with a suggestion. Absent ' +
      'if there are none. `?strict=1` rejects them instead.',
    schema: { type: 'string' },
    example: 'time_rang (did you mean time_range?)',
  },
  'RateLimit-Policy': {
    description: 'The rate limit bucket, its quota, and its window in seconds.',
    schema: { type: 'string', pattern: '^"(default|poll)";q=\\d+;w=\\d+$' },
    example: '"default";q=120;w=60',
  },
  RateLimit: {
    description: 'The rate limit bucket, the requests remaining, and the seconds until it is full.',
    schema: { type: 'string', pattern: '^"(default|poll)";r=\\d+;t=\\d+$' },
    example: '"default";r=119;t=1',
  },
  ETag: {
    description: 'Send it as `If-None-Match` to receive 304 without a body if nothing has changed.',
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
    example: '"8oaCbHUlJTdVJ_bMIoKoJ4oELdU"',
  },
  Link: {
    description: 'Address of the next page, relative to the origin. Absent on the last page.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
    example: '</v1/clusters?limit=20&cursor=eyJhIjoxfQ>; rel="next"',
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying the request.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
  'WWW-Authenticate': {
    description: 'Authentication scheme.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'Methods supported at this address.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
} as const satisfies Readonly<Record<string, Header>>

type HeaderName = keyof typeof HEADERS

interface HeaderCases {
  /** Whether the caller had a key, so that a request was charged. */
  readonly keyed: boolean
  readonly cacheable?: boolean
  /** Whether the response is a page of a list. */
  readonly listed?: boolean
  /** The error codes of one status. */
  readonly refusals?: readonly Code[]
}

const OF_REFUSALS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The headers of a response, as references into the document's components. */
export function responseHeaders({ keyed, cacheable = false, listed = false, refusals = [] }: HeaderCases) {
  const names: readonly HeaderName[] = [
    'X-Request-Id',
    'X-Ignored-Parameters',
    ...(keyed ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ...(cacheable ? (['ETag'] as const) : []),
    ...(listed ? (['Link'] as const) : []),
    ...refusals.slice(0, 1).flatMap((code) => OF_REFUSALS[PROBLEMS[code].status] ?? []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Whether a response can have a next page, which the `Link` header names. */
export const isListed = (answer: z.ZodType): boolean => answer instanceof z.ZodObject && 'next_cursor' in answer.shape
