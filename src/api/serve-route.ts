import type { Context } from 'hono'
import { refuse, succeed, type Env } from './answer.ts'
import { isPage, sendPage } from './docs/page.ts'
import type { Limits } from './limits.ts'
import { includes, mayCorrect, type Caller } from './keys/caller.ts'
import { isProblem, problem, validationFailed, type Problem } from './problem.ts'
import { readBody } from './read-body.ts'
import type { RawCall, Route } from './route.ts'
import { connectionOf, STREAM, streamOf } from './streamed.ts'

export interface Checks {
  readonly caller: Caller | null
  readonly spend: Limits
  /** Whether the caller's key still is one, whenever it is asked. */
  readonly isAllowed: () => boolean
}

const MAX_BODY_BYTES = 2 * 1024 * 1024

/** What happens to a request whose key and address are good: limit, tier, body, validation, handler, in this order. */
export async function serveRoute(c: Context<Env>, route: Route, checks: Checks): Promise<Response> {
  const { caller, isAllowed } = checks
  const spent = charge(c, checks, route.cost)
  if (spent !== null) return refuse(c, spent)

  const forbidden = caller === null ? null : rightProblem(route, caller)
  if (forbidden !== null) return refuse(c, forbidden)

  const body = await bodyOf(c, route)
  if (isProblem(body)) return refuse(c, body)

  const raw = {
    ...{ params: c.req.param(), query: queryOf(c), headers: headersOf(c, route), body, now: c.get('now') },
    connection: connectionOf(c, isAllowed),
  }
  const reply = await route.handle(raw, caller)
  if (route.contentType === STREAM) return streamOf(c, reply)
  if (isPage(reply)) return await sendPage(c, reply)
  return isProblem(reply) ? refuse(c, reply) : succeed(c, route.status, reply)
}

/** Null: the caller may. */
function rightProblem({ tier, curatorsOnly }: Route, caller: Caller): Problem | null {
  if (tier !== 'open' && !includes(caller.tier, tier)) {
    return problem('tier_restricted', `This needs a ${tier} key; yours is ${caller.tier}`)
  }
  if (curatorsOnly === true && !mayCorrect(caller)) {
    return problem('curator_required', 'Changing stories of the shared namespace needs a key made with --curator')
  }
  return null
}

/** Null: paid for (or free). The rate headers go out with the answer either way. */
export function charge(
  c: Context<Env>,
  { caller, spend }: Pick<Checks, 'caller' | 'spend'>,
  cost: Route['cost'],
): Problem | null {
  if (caller === null || cost === 'nothing') return null
  const spent = spend(caller, cost, c.get('now'))
  Object.assign(c.get('headers'), spent.headers)
  if (spent.allowed) return null
  const retryAfterSeconds = spent.retryAfterSeconds
  return problem('rate_limited', `No request left: try again in ${retryAfterSeconds} s`, { retryAfterSeconds })
}

async function bodyOf(c: Context<Env>, route: Route): Promise<unknown> {
  if (!route.takesBody) return undefined

  const maxBytes = route.maxBodyBytes ?? MAX_BODY_BYTES
  const read = await readBody(c.req.raw, maxBytes)
  switch (read.kind) {
    case 'json':
      return read.value
    case 'too_large':
      return problem('body_too_large', `The body may have ${maxBytes} bytes`)
    case 'not_json':
      return validationFailed([{ path: 'body', message: 'not valid JSON' }])
  }
}

/** Fetch joins a header that was sent twice with a comma, as HTTP allows. */
function headersOf(c: Context<Env>, { takesHeaders }: Route): RawCall['headers'] {
  const sent = takesHeaders.map((name) => [name, c.req.header(name)] as const)
  return Object.fromEntries(sent.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function queryOf(c: Context<Env>): RawCall['query'] {
  return Object.fromEntries(Object.entries(c.req.queries()).map(([name, given]) => [name, single(given)]))
}

const single = (given: readonly string[]): string | readonly string[] => (given.length === 1 ? (given[0] ?? '') : given)
