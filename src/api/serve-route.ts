import type { Context } from 'hono'
import { QueryTooLarge } from '../ports/store.ts'
import { made, refuse, send, sendNothing, type Env, type Made } from './answer.ts'
import type { Within } from './away.ts'
import type { KeptAnswers } from './cache/kept-answers.ts'
import { pageOf } from './docs/page.ts'
import { tellSpent } from './entrance.ts'
import type { Limits } from './limits.ts'
import { includes, mayCorrect, type Caller } from './keys/caller.ts'
import { isProblem, problem, validationFailed, type Problem } from './problem.ts'
import { readBody } from './read-body.ts'
import type { RawCall, Route } from './route.ts'
import { connectionOf, STREAM, streamOf } from './streamed.ts'
import { tooLarge } from './too-large.ts'

export interface Checks {
  readonly caller: Caller | null
  readonly spend: Limits
  readonly kept: KeptAnswers
  readonly within: Within
  /** Whether the caller's key still is one, whenever it is asked. */
  readonly isAllowed: () => boolean
}

const MAX_BODY_BYTES = 2 * 1024 * 1024

/** What happens to a request whose key and address are good: limit, tier, body, validation, handler, in this order. */
export async function serveRoute(c: Context<Env>, route: Route, checks: Checks): Promise<Response> {
  const { caller } = checks
  const spent = charge(c, checks, route.cost)
  if (spent !== null) return refuse(c, spent)

  const forbidden = caller === null ? null : rightProblem(route, caller)
  if (forbidden !== null) return refuse(c, forbidden)

  if (route.contentType === STREAM) return streamOf(c, await ask(c, route, checks))
  if (route.contentType !== undefined) return await pageOf(c, await ask(c, route, checks))
  return await (isKept(route, caller) ? keptAnswer(c, route, { ...checks, caller }) : ownAnswer(c, route, checks))
}

const isKept = (route: Route, caller: Caller | null): caller is Caller => caller !== null && route.freshMs !== undefined

/** An answer that others may have been given already, or are waiting for. */
async function keptAnswer(
  c: Context<Env>,
  route: Route,
  checks: Checks & { readonly caller: Caller },
): Promise<Response> {
  const { caller, kept } = checks
  const question = { caller, target: targetOf(c), now: c.get('now') }
  const found = kept.find(question)
  if (found !== null) return await answer(c, route, found)
  return await answer(c, route, await kept.made(question, route.freshMs ?? 0, async () => await make(c, route, checks)))
}

/** An answer of one's own. Whoever has changed something, or was told of something new, is told nothing older. */
async function ownAnswer(c: Context<Env>, route: Route, checks: Checks): Promise<Response> {
  const { caller, kept } = checks
  try {
    return await answer(c, route, await make(c, route, checks))
  } finally {
    if (caller !== null && route.method !== 'get') kept.written(caller.namespace)
    if (caller !== null && route.cost === 'poll') kept.written(caller.key_id)
  }
}

const answer = async (c: Context<Env>, route: Route, found: Made | Problem | null): Promise<Response> => {
  if (isProblem(found)) return refuse(c, found)
  return found === null || route.status === 204 ? sendNothing(c) : await send(c, route.status, found)
}

async function make(c: Context<Env>, route: Route, checks: Checks): Promise<Made | Problem> {
  const reply = await ask(c, route, checks)
  if (isProblem(reply)) return reply
  return made(reply ?? null, targetOf(c), {
    tagged: route.method === 'get' && route.status === 200 && route.untagged !== true,
  })
}

/** What the handler says, a refusal included. */
async function ask(c: Context<Env>, route: Route, { caller, within, isAllowed }: Checks): Promise<unknown> {
  const body = await bodyOf(c, route)
  if (isProblem(body)) return body

  const raw = {
    ...{ params: c.req.param(), query: queryOf(c), headers: headersOf(c, route), body, now: c.get('now') },
    connection: connectionOf(c, isAllowed),
  }
  const work = route.handle(raw, caller)
  try {
    return await (route.patienceMs === undefined ? work : within(work, 'request', route.patienceMs))
  } catch (cause) {
    if (cause instanceof QueryTooLarge) return tooLarge(route)
    throw cause
  }
}

/** Path and query as they were sent. */
function targetOf(c: Context<Env>): string {
  const { url } = c.req
  return url.slice(url.indexOf('/', 'https://'.length))
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
  tellSpent(c.get('headers'), spent)
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
