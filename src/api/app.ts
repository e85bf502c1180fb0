import { Hono } from 'hono'
import type { Context } from 'hono'
import { randomUUID } from 'node:crypto'
import { answerHeaders, refuse, type Env } from './answer.ts'
import { patient } from './away.ts'
import type { Dependencies } from './dependencies.ts'
import type { Caller } from './keys/caller.ts'
import { limits } from './limits.ts'
import { problem, type Problem } from './problem.ts'
import { problemOf } from './problem-of.ts'
import type { Route } from './route.ts'
import { allRoutes } from './routes.ts'
import { charge, serveRoute } from './serve-route.ts'

export type Api = Hono<Env>

/** The whole API. Checks come in this order: key, address, method, limit, tier, input, and then the thing itself. */
export function createApi(given: Dependencies): Api {
  const dependencies = patient(given)
  const routes = allRoutes(dependencies)
  const spend = limits(dependencies.limits)
  const app: Api = new Hono<Env>()

  enterAndLog(app, dependencies)
  for (const route of routes) {
    app.on(route.method.toUpperCase(), honoPath(route.path), async (c) => {
      const isAllowed = (): boolean => dependencies.keys.find(keyIn(c), dependencies.clock.now()) !== null
      if (route.tier === 'open') return await serveRoute(c, route, { caller: null, spend, isAllowed })
      const caller = callerOf(c, dependencies)
      if (caller === null) return refuse(c, keyProblem(dependencies))
      return await serveRoute(c, route, { caller, spend, isAllowed })
    })
  }

  const addresses = routes.map(({ method, path, tier }) => ({ method, tier, pattern: pattern(path) }))
  app.notFound((c) => {
    const here = addresses.filter((address) => address.pattern.test(c.req.path))
    const caller = callerOf(c, dependencies)
    if (caller === null && !here.some(({ tier }) => tier === 'open')) return refuse(c, keyProblem(dependencies))
    return refuse(c, charge(c, { caller, spend }, 'request') ?? addressProblem(c, here))
  })

  app.onError((error, c) => {
    const refusal = problemOf(error)
    if (refusal.code !== 'validation_failed') {
      dependencies.logger.error({ request_id: c.get('request_id'), path: c.req.path, err: error }, refusal.code)
    }
    return refuse(c, refusal)
  })
  return app
}

/** One line a request: which key, never the key. All headers are made here, before the answer. */
function enterAndLog(app: Api, { clock, logger }: Dependencies): void {
  app.use('*', async (c, next) => {
    const started = performance.now()
    const request_id = requestId(c.req.header('x-request-id'))
    c.set('request_id', request_id)
    c.set('headers', answerHeaders(request_id))
    c.set('key_id', null)
    c.set('now', clock.now())

    await next()

    const { method, path } = c.req
    const ms = Math.round((performance.now() - started) * 10) / 10
    logger.info({ request_id, key_id: c.get('key_id'), method, path, status: c.res.status, ms }, 'request')
  })
}

const requestId = (sent: string | undefined): string =>
  sent !== undefined && /^[\w.:+/=-]{1,128}$/.test(sent) ? sent : randomUUID()

/** Empty: there is none. */
const keyIn = (c: Context<Env>): string => /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''

function callerOf(c: Context<Env>, { keys }: Dependencies): Caller | null {
  const key = keyIn(c)
  const caller = key === '' ? null : keys.find(key, c.get('now'))
  c.set('key_id', caller?.key_id ?? null)
  return caller
}

/** Before the keys have been read nobody can be told that theirs is invalid. */
function keyProblem({ keys }: Dependencies): Problem {
  const reason = keys.notReady()
  if (reason !== null) return problem('unavailable', reason, { retryAfterSeconds: 1 })
  return problem('invalid_api_key', 'Invalid or missing API key: send Authorization: Bearer <API_KEY>')
}

function addressProblem(c: Context<Env>, here: readonly Pick<Route, 'method'>[]): Problem {
  if (here.length === 0) return problem('not_found', `There is nothing at ${c.req.path}`)
  const methods = [
    ...new Set(here.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))),
  ]
  c.get('headers')['allow'] = methods.join(', ')
  return problem('method_not_allowed', `${c.req.path} takes ${methods.join(', ')}`)
}

/** `/v1/clusters/{cluster_id}` as Hono writes it. */
const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
