import { type Context, Hono } from 'hono'
import { type Env, leave, refuse, sendNothing } from './answer.ts'
import { EngineUnavailable, timeouts, ENGINE_TIMEOUT_MS, withTimeouts } from './engine-deadline.ts'
import { BodyAdmission, BODY_LIMITS } from './body-admission.ts'
import { ResponseCache } from './response-cache.ts'
import type { BodyReport, Dependencies } from './dependencies.ts'
import { answerHeaders, callerOf, keyIn, logRequest, requestId } from './entrance.ts'
import type { Caller } from './keys/caller.ts'
import { hasKeyForm } from './keys/key.ts'
import { limits } from './limits.ts'
import { isAllowedOrigin } from './origin.ts'
import { problem, type Problem, RETRY_AFTER_SECONDS, validationFailed } from './problem.ts'
import { ClientGone } from './read-body.ts'
import { fastPath, type FastPath } from './fast-path.ts'
import { inRequest } from './request-context.ts'
import type { Route } from './route.ts'
import { charge, serveRoute } from './serve-route.ts'
import { watchedStore } from './watched-store.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Store, StoreUnreachable } from '../../ports/store.ts'
import { AdmissionQueue, type AdmissionLimits } from './admission.ts'
import { InvalidCursor } from '../../views/cursor.ts'
import { ClockApart } from '../../state/settings/broker-clock.ts'

export type AppApi = Hono<Env>

/** The complete API: the Hono app and the fast path for GET requests that the response cache can answer. */
export interface WholeApi {
  readonly app: AppApi
  readonly fastPath: FastPath
}

/** Handles a request in this process, like one from the network. */
export type Serve = (request: Request) => Promise<Response>

/** `serve` is for routes that call others; it may be called once the app is complete. */
export type RoutesOf = (dependencies: Dependencies, serve: Serve) => readonly Route[]

/** Builds the app. Checks run in this order: key, path, method, rate limit, tier, input. Then the handler runs. */
export function wholeApi(given: Dependencies, routesOf: RoutesOf): WholeApi {
  const dependencies = withTimeouts({
    ...given,
    store: watchedStore(sharedStore(given.store, given.clock), given.clock),
  })
  const { keys, clock } = dependencies
  const app: AppApi = new Hono<Env>()
  const routes = routesOf(dependencies, async (request) => app.fetch(request))
  const spend = limits(dependencies.limits)
  const cache = new ResponseCache(dependencies.cacheBytes)
  const withTimeout = timeouts(clock)

  const entered = entering(dependencies)
  const { bodyLimits = BODY_LIMITS, bodyReport = NO_REPORT } = dependencies
  const bodies = new BodyAdmission(bodyLimits, clock, bodyReport)
  const checks = { spend, cache, withTimeout, bodies }
  for (const route of routes) {
    const answer = entered(async (c) => {
      if (isForeign(c, route, dependencies)) return refuse(c, ORIGIN_NOT_ALLOWED)
      if (route.tier === 'open') return serveRoute(c, route, { ...checks, caller: null, isAllowed: () => true })
      const caller = callerIn(c, dependencies) ?? (await findNewKey(c, dependencies))
      if (caller === null) return refuse(c, keyProblem(c, dependencies))
      const isAllowed = () => callerOf(c.req.header('authorization'), keys, clock.now()) !== null
      return serveRoute(c, route, { ...checks, caller, isAllowed })
    })
    app.on(route.method.toUpperCase(), honoPath(route.path), answer)
  }

  const addresses = routes.map(({ method, path, tier }) => ({ method, tier, pattern: pattern(path) }))
  const isServed: IsServed = (path) => addresses.some((address) => address.pattern.test(path))
  app.notFound(
    entered(async (c) => {
      const here = addresses.filter((address) => address.pattern.test(c.req.path))
      if (c.req.method === 'OPTIONS' && here.length > 0) return preflight(c, methodsOf(here))
      const caller = callerIn(c, dependencies) ?? (await findNewKey(c, dependencies))
      if (caller === null && !here.some(({ tier }) => tier === 'open')) return refuse(c, keyProblem(c, dependencies))
      return refuse(c, charge(c, { caller, spend }, 'request') ?? addressProblem(c, here, isServed))
    }),
  )
  return { app, fastPath: fastPath(dependencies, { cache, spend }) }
}

const NO_REPORT: BodyReport = { waiting: () => undefined, refused: () => undefined }

type Answering = (c: Context<Env>) => Promise<Response>

/**
 * Wraps a handler: sets the response headers first, turns errors into problems and logs one line per request, with the
 * key id but never the key. It is a wrapper because Hono middleware would cost every request its own chain.
 */
function entering({ clock, logger, corsOrigins }: Dependencies): (answer: Answering) => Answering {
  const origins = new Set(corsOrigins)
  return (answer) => async (c) => {
    const started = performance.now()
    const request_id = requestId(c.req.header('x-request-id'))
    c.set('request_id', request_id)
    c.set('headers', answerHeaders(request_id, c.req.header('origin'), origins))
    c.set('key_id', null)
    c.set('now', clock.now())

    let reason: string | undefined
    const response = await inRequest(request_id, () => answer(c)).catch((error: unknown) => {
      if (error instanceof EngineUnavailable) reason = error.message
      return error instanceof ClientGone ? leave(c) : refuse(c, problemOfThrown(error, c, logger))
    })

    const { method, path } = c.req
    logRequest(logger, { request_id, key_id: c.get('key_id'), method, path, status: response.status, started, reason })
    return response
  }
}

/**
 * Logs a defect in full. An unavailable engine is logged once by `outages`, and as `reason` in the line of each
 * request.
 */
function problemOfThrown(error: unknown, c: Context<Env>, logger: Dependencies['logger']): Problem {
  const refusal = problemOf(error)
  if (refusal.code === 'internal_error') {
    logger.error({ request_id: c.get('request_id'), path: c.req.path, err: error }, refusal.code)
  }
  return refusal
}

const ORIGIN_NOT_ALLOWED = problem(
  'origin_not_allowed',
  'Pages of this origin may not call this address. The operator allows origins with CORS_ORIGINS',
)

const isForeign = (c: Context<Env>, { checksOrigin }: Route, { corsOrigins }: Dependencies): boolean =>
  checksOrigin === true && !isAllowedOrigin(c.req.header('origin'), c.req.url, corsOrigins)

function callerIn(c: Context<Env>, { keys }: Dependencies): Caller | null {
  const caller = callerOf(c.req.header('authorization'), keys, c.get('now'))
  c.set('key_id', caller?.key_id ?? null)
  return caller
}

/** Finds a key that was created after the last read of the keys. */
async function findNewKey(c: Context<Env>, dependencies: Dependencies): Promise<Caller | null> {
  const key = keyIn(c.req.header('authorization'))
  if (key === '' || dependencies.keys.lookFor === undefined) return null
  await dependencies.keys.lookFor(key)
  return callerIn(c, dependencies)
}

/** The problem for a missing or invalid key. Until the keys have been read, no key can be rejected as invalid. */
function keyProblem(c: Context<Env>, { keys }: Dependencies): Problem {
  const reason = keys.notReady()
  if (reason !== null) return problem('unavailable', reason, { retryAfterSeconds: 1 })
  return problem('invalid_api_key', keyDetail(keyIn(c.req.header('authorization'))))
}

/** Unknown, revoked and expired keys get the same text, so that a response does not reveal that a key once existed. */
function keyDetail(key: string): string {
  if (key === '') return 'API key missing: send Authorization: Bearer <API_KEY>'
  return hasKeyForm(key)
    ? 'Invalid API key: it is unknown, revoked or expired'
    : 'Invalid API key: expected pk_live_ and 36 letters and digits'
}

function addressProblem(c: Context<Env>, here: readonly Pick<Route, 'method'>[], isServed: IsServed): Problem {
  if (here.length === 0) return problem('not_found', nothingAt(c.req.path, isServed))
  const methods = methodsOf(here)
  c.get('headers')['allow'] = methods
  return problem('method_not_allowed', `${c.req.path} supports ${methods}`)
}

type IsServed = (path: string) => boolean

/**
 * The text for an unknown path. A trailing slash is not redirected: clients follow a redirect without the body or the
 * key.
 */
function nothingAt(path: string, isServed: IsServed): string {
  const bare = path.replace(/\/+$/, '')
  const hint = bare !== path && isServed(bare) ? `; did you mean ${bare}?` : ''
  return `There is nothing at ${path}${hint}`
}

/** The value of the `Allow` header. */
const methodsOf = (here: readonly Pick<Route, 'method'>[]): string =>
  [...new Set(here.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])))].join(', ')

/** Converts `/v1/clusters/{cluster_id}` to Hono's `/v1/clusters/:cluster_id`. */
const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)

const SENT =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, MCP-Protocol-Version, X-Request-Id'
/** Seconds for which a browser caches the preflight response. */
const MAX_AGE = '600'

/**
 * Answers a CORS preflight request. No key is required, because browsers do not send one. If the origin is allowed
 * (`answerHeaders` has already set its header), the response lists the methods and headers; otherwise the browser
 * blocks the request.
 */
function preflight(c: Context<Env>, methods: string): Response {
  const headers = c.get('headers')
  headers['allow'] = `${methods}, OPTIONS`
  if (headers['access-control-allow-origin'] !== undefined) {
    headers['access-control-allow-methods'] = methods
    headers['access-control-allow-headers'] = SENT
    headers['access-control-max-age'] = MAX_AGE
  }
  return sendNothing(c)
}

/**
 * The same as the number of connections of the store client. The rest above `runningPerLane` is reserved for other
 * namespaces.
 */
const QUERIES: AdmissionLimits = { running: 16, runningPerLane: 12, waiting: 500 }

/** Shares the store's connections between namespaces. When the queue is full, queries fail with `EngineUnavailable`. */
function sharedStore(store: Store, clock: Clock): Store {
  const admission = new AdmissionQueue(QUERIES)
  return {
    query: async (query) => {
      const until = clock.now() + ENGINE_TIMEOUT_MS
      return admission.run(String(query.params['namespace']), async () => {
        if (clock.now() >= until) throw new EngineUnavailable('the request timed out while its query was waiting')
        return store.query(query)
      })
    },
    insert: (table, rows) => store.insert(table, rows),
    command: (sql) => store.command(sql),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}

/** The problem that a caller receives for an error. It contains no internal details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof InvalidCursor) return validationFailed([{ path: 'cursor', message: error.message }])
  if (error instanceof EngineUnavailable) {
    return problem('unavailable', unavailableDetail(error), { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  if (error instanceof ClockApart) {
    return problem('unavailable', `Nothing was persisted: ${error.message}`, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  return problem(
    'internal_error',
    'The service failed to process the request; the request id identifies it in the service log',
  )
}

const unavailableDetail = ({ cause }: EngineUnavailable): string =>
  cause instanceof StoreUnreachable
    ? `The store (ClickHouse) does not respond; try again in ${RETRY_AFTER_SECONDS} s`
    : 'The service cannot process this request at the moment'
