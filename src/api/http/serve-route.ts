import type { Context } from 'hono'
import { QueryTooLarge, QueryTooSlow } from '../../ports/store.ts'
import { type Env, prepareAnswer, type PreparedAnswer, refuse, send, sendNothing } from './answer.ts'
import type { WithTimeout } from './engine-deadline.ts'
import { FORMAT, formatOf } from './csv.ts'
import type { BodyAdmission } from './body-admission.ts'
import type { ResponseCache } from './response-cache.ts'
import { pageOf } from './page.ts'
import { setRateLimitHeaders } from './entrance.ts'
import { checkUnknown, IGNORED_HEADER } from './unknown-fields.ts'
import type { RateLimits } from './limits.ts'
import { type Caller, hasScope, includes } from './keys/caller.ts'
import { MAX_BODY_BYTES } from './openapi/operation.ts'
import {
  isProblem,
  problem,
  type Problem,
  PROBLEMS,
  RETRY_AFTER_SECONDS,
  scopeMissing,
  validationFailed,
} from './problem.ts'
import { announcedBytes, type ReadBody } from './read-body.ts'
import type { RawCall, Route } from './route.ts'
import { connectionOf, STREAM, streamOf } from './stream-response.ts'
import { relay } from './relay.ts'

export interface Checks {
  readonly caller: Caller | null
  readonly spend: RateLimits
  readonly cache: ResponseCache
  readonly withTimeout: WithTimeout
  readonly bodies: BodyAdmission
  /** Whether the caller's key is still valid, at the time of the call. */
  readonly isAllowed: () => boolean
}

/** Handles a request with a valid key and path: rate limit, tier, scope, body, validation, handler, in this order. */
export async function serveRoute(c: Context<Env>, route: Route, checks: Checks): Promise<Response> {
  const { caller } = checks
  const spent = charge(c, checks, route.cost)
  if (spent !== null) return refuse(c, spent)

  const forbidden = caller === null ? null : permissionProblem(route, caller)
  if (forbidden !== null) return refuse(c, forbidden)

  if (route.relayed === true) return relay(c, await ask(c, route, checks))
  if (route.contentType === STREAM) return streamOf(c, await ask(c, route, checks))
  if (route.contentType !== undefined) return pageOf(c, await ask(c, route, checks))
  return isCached(route, caller) ? cachedAnswer(c, route, { ...checks, caller }) : uncachedAnswer(c, route, checks)
}

const isCached = (route: Route, caller: Caller | null): caller is Caller =>
  caller !== null && route.freshMs !== undefined

/** Serves a cached or shared response. */
async function cachedAnswer(
  c: Context<Env>,
  route: Route,
  checks: Checks & { readonly caller: Caller },
): Promise<Response> {
  const { caller, cache } = checks
  const lookup = { caller, target: targetOf(c), now: c.get('now') }
  const found = cache.find(lookup)
  if (found !== null) return answer(c, route, found)
  return answer(c, route, await cache.getOrMake(lookup, route.freshMs ?? 0, () => make(c, route, checks)))
}

/** Serves a response that is made for this caller only. */
async function uncachedAnswer(c: Context<Env>, route: Route, checks: Checks): Promise<Response> {
  let mayHaveWritten = true // assumed if the handler throws: the log may have stored the records
  try {
    const found = await make(c, route, checks)
    mayHaveWritten = !isProblem(found) || PROBLEMS[found.code].status >= 500
    return await answer(c, route, found)
  } finally {
    if (mayHaveWritten) noteWrite(route, checks)
  }
}

/**
 * Invalidates cached responses so that a key reads its own writes, and nothing older than the newest job status it has
 * seen. Other keys may get cached responses until these expire, as they would if another instance had handled the
 * write, unless the views already contain it.
 */
function noteWrite(route: Route, { caller, cache }: Checks): void {
  if (caller === null || (route.method === 'get' && route.cost !== 'poll')) return
  cache.written(route.shownAtOnce === true ? caller.namespace : caller.key_id)
}

const answer = async (c: Context<Env>, route: Route, found: PreparedAnswer | Problem | null): Promise<Response> => {
  if (isProblem(found)) return refuse(c, found)
  return found === null || route.status === 204 ? sendNothing(c) : send(c, route.status, found)
}

async function make(c: Context<Env>, route: Route, checks: Checks): Promise<PreparedAnswer | Problem> {
  const format = requestedFormat(c, route)
  if (format === null) return validationFailed([{ path: FORMAT, message: 'expected json or csv' }])
  const reply = await ask(c, route, checks)
  if (isProblem(reply)) return reply
  return prepareAnswer(reply ?? null, targetOf(c), {
    tagged: route.method === 'get' && route.status === 200 && route.untagged !== true,
    ignored: c.get('headers')[IGNORED_HEADER] ?? null,
    csv: format === 'csv' ? route.csv : null,
  })
}

const requestedFormat = (c: Context<Env>, { csv }: Route): 'json' | 'csv' | null =>
  csv === null ? 'json' : formatOf(c.req.query(FORMAT))

/** The result of the handler, or a problem. */
async function ask(c: Context<Env>, route: Route, checks: Checks): Promise<unknown> {
  if (!route.takesBody) return handled(c, route, { ...checks, body: undefined })

  const { caller, bodies } = checks
  const { raw: request } = c.req
  const { maxBodyBytes: maxBytes = MAX_BODY_BYTES } = route
  const bytes = expectedBytes(request, maxBytes)
  if (bytes > maxBytes) return bodyTooLarge(maxBytes)
  return bodies.run({ owner: caller?.owner ?? '', bytes, gone: () => request.signal }, async () => {
    const body = bodyOf(await bodies.read(request, maxBytes), c, maxBytes)
    return isProblem(body) ? body : handled(c, route, { ...checks, body })
  })
}

/**
 * The announced length, or the maximum for a chunked body. With neither header a request has no body (RFC 9112, 6.3).
 */
const expectedBytes = (request: Request, maxBytes: number): number =>
  announcedBytes(request) ?? (request.headers.get('transfer-encoding') === null ? 0 : maxBytes)

async function handled(
  c: Context<Env>,
  route: Route,
  { caller, withTimeout, isAllowed, body }: Checks & { readonly body: unknown },
): Promise<unknown> {
  const raw = {
    ...{ params: c.req.param(), query: queryOf(c), headers: headersOf(c, route), body, now: c.get('now') },
    connection: connectionOf(c, isAllowed),
  }
  const refused = refuseLongLists(route, body) ?? reportUnknown(c, route, raw)
  if (refused !== null) return refused

  const work = route.handle(raw, caller)
  try {
    return await (route.timeoutMs === undefined ? work : withTimeout(work, 'request', route.timeoutMs))
  } catch (cause) {
    if (cause instanceof QueryTooLarge) return queryTooLarge(route)
    if (isTooSlow(cause)) return queryTooSlow(route)
    throw cause
  }
}

/** Checked before validation: a body can hold millions of items, and each would produce its own error. */
function refuseLongLists({ longestLists }: Route, body: unknown): Problem | null {
  if (typeof body !== 'object' || body === null) return null
  const fields: Readonly<Record<string, unknown>> = { ...body }
  const long = [...longestLists].flatMap(([path, most]) => {
    const list = fields[path]
    return Array.isArray(list) && list.length > most ? [{ path, message: `must have at most ${most} items` }] : []
  })
  return long.length === 0 ? null : validationFailed(long)
}

/** Refuses unknown fields if the request is strict; otherwise names them in a header and returns `null`. */
function reportUnknown(c: Context<Env>, route: Route, raw: RawCall): Problem | null {
  if (route.forPeople === true) return null
  const unknown = checkUnknown({ query: route.takesQuery, body: route.takesFields }, raw)
  if (unknown.kind === 'refused') return unknown.problem
  if (unknown.header !== null) c.get('headers')[IGNORED_HEADER] = unknown.header
  return null
}

/** Path and query as received. */
function targetOf(c: Context<Env>): string {
  const { url } = c.req
  return url.slice(url.indexOf('/', 'https://'.length))
}

/** `null` if the caller may call the route. */
function permissionProblem({ tier, scope }: Route, caller: Caller): Problem | null {
  if (tier !== 'open' && !includes(caller.tier, tier)) {
    return problem('tier_restricted', `This operation requires a ${tier} key; yours is ${caller.tier}`)
  }
  return scope === 'open' || hasScope(caller, scope) ? null : scopeMissing(scope, caller.scopes)
}

/** Charges the caller and sets the rate limit headers. `null` if the request is allowed. */
export function charge(
  c: Context<Env>,
  { caller, spend }: Pick<Checks, 'caller' | 'spend'>,
  cost: Route['cost'],
): Problem | null {
  if (caller === null || cost === 'nothing') return null
  const spent = spend(caller, cost, c.get('now'))
  setRateLimitHeaders(c.get('headers'), spent)
  if (spent.allowed) return null
  const retryAfterSeconds = spent.retryAfterSeconds
  return problem('rate_limited', `Rate limit exceeded; try again in ${retryAfterSeconds} s`, { retryAfterSeconds })
}

function bodyOf(read: ReadBody, c: Context<Env>, maxBytes: number): unknown {
  switch (read.kind) {
    case 'json':
      return read.value
    case 'too_large':
      return bodyTooLarge(maxBytes)
    case 'not_json':
      return validationFailed([{ path: 'body', message: 'not valid JSON' }])
    case 'late':
      c.get('headers')['connection'] = 'close' // the rest of the body is not read
      return problem('request_timeout', 'The body did not arrive in time')
  }
}

const bodyTooLarge = (maxBytes: number): Problem =>
  problem('body_too_large', `The body exceeds the limit of ${maxBytes} bytes`)

/** Fetch joins repeated headers with a comma, as HTTP allows. */
function headersOf(c: Context<Env>, { takesHeaders }: Route): RawCall['headers'] {
  const sent = takesHeaders.map((name) => [name, c.req.header(name)] as const)
  return Object.fromEntries(sent.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function queryOf(c: Context<Env>): RawCall['query'] {
  return Object.fromEntries(Object.entries(c.req.queries()).map(([name, given]) => [name, single(given)]))
}

const single = (given: readonly string[]): string | readonly string[] => (given.length === 1 ? (given[0] ?? '') : given)

/** Parameters that make a query larger, ordered by how much narrowing them helps. */
const NARROWABLE = [
  'time_range',
  'as_of',
  'resolution',
  'ids',
  'depth',
  'max_nodes',
  'limit',
  'topic',
  'query',
  'entity',
]

const queryTooLarge = (route: TakesQuery): Problem =>
  problem('query_too_large', `The request would read too much data: ${howToNarrow(route)}`)

const queryTooSlow = (route: TakesQuery): Problem =>
  problem('unavailable', `The request took too long: ${howToNarrow(route)}, or try again in ${RETRY_AFTER_SECONDS} s`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

type TakesQuery = Pick<Route, 'takesQuery'>

/** Names the parameters of the route that make a query smaller. */
function howToNarrow({ takesQuery }: TakesQuery): string {
  const narrow = NARROWABLE.filter((name) => takesQuery.includes(name))
  return narrow.length === 0 ? 'request a smaller part' : `narrow ${narrow.join(', ')}`
}

/** The timeout of a read wraps the store's own error. */
const isTooSlow = (cause: unknown): boolean =>
  cause instanceof QueryTooSlow || (cause instanceof Error && cause.cause instanceof QueryTooSlow)
