import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describedRoutes } from '../../../src/api/described-routes.ts'
import { newKey } from '../../../src/api/http/keys/key.ts'
import { apiDocument } from '../../../src/api/docs/openapi.ts'
import { ProblemBody, PROBLEMS, TITLES } from '../../../src/api/http/problem.ts'
import { StoreUnavailable, type Store } from '../../../src/ports/store.ts'
import { anApi, LIMITS, type TestApi } from '../../builders/api.ts'
import { filled, operationsOf, withQuery, type Operation, type OperationsParameter } from '../../builders/operations.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

/**
 * What every route rejects, derived from the document: a new route, parameter or kind of id without a case here fails.
 */
const routes = describedRoutes('0.0.0')
const operations = operationsOf(apiDocument(routes, { version: '0.0.0', limits: LIMITS }))
const keyed = operations.filter(({ tier }) => tier !== 'open')
const named = (some: readonly Operation[]) => some.map((operation) => [operation.name, operation] as const)

/** For each kind of id an unknown one, and the code of its absence. */
const NOBODYS: Readonly<Record<string, string>> = {
  job_id: '01HZZZZZZZZZZZZZZZZZZZZZZZAAAAAAAAAAAAAAAA',
  article_id: `art_${'z'.repeat(26)}`,
  embedding_id: `emb_${'z'.repeat(26)}`,
  cluster_id: `sto_${'z'.repeat(26)}`,
  story_id: `sto_${'z'.repeat(26)}`,
  correction_id: `cor_${'z'.repeat(26)}`,
  entity_id: `ent_${'z'.repeat(16)}`,
  entity_name: 'Nobody Atall',
  thread_id: `thr_${'z'.repeat(16)}`,
  id: `whk_${'z'.repeat(16)}`,
  delivery_id: `dlv_${'z'.repeat(26)}`,
  feed_id: `fed_${'z'.repeat(16)}`,
  monitor_id: `mon_${'z'.repeat(16)}`,
  channel_id: `chn_${'z'.repeat(16)}`,
}

/** Ids in the query. */
const NOBODYS_IN_QUERY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /v1/stories/relationships': { ids: `sto_${'y'.repeat(26)},sto_${'z'.repeat(26)}` },
  'GET /v1/relationships': { entity: 'Nobody Atall' },
  'GET /v1/relationships/network': { entity: 'Nobody Atall' },
}

const CODES: Readonly<Record<string, string>> = {
  '/layer0/v1/status/{job_id}': 'job_not_found',
  '/layer0/v1/article/{article_id}': 'article_not_found',
  '/layer0/v1/embeddings/{embedding_id}': 'embedding_not_found',
  '/layer3/v1/graph/threads/{thread_id}': 'thread_not_found',
  '/echo/v1/echo/story/{story_id}': 'no_enrichment',
  '/v1/clusters/corrections/{correction_id}': 'correction_not_found',
}
const codeOfAbsence = ({ path }: Operation): string => {
  const exact = CODES[path]
  if (exact !== undefined) return exact
  if (path.startsWith('/v1/webhooks')) return 'webhook_not_found'
  if (path.startsWith('/v1/monitors')) return 'monitor_not_found'
  if (path.startsWith('/v1/feeds')) return 'feed_not_found'
  return /entit|^\/v1\/relationships/.test(path) ? 'entity_not_found' : 'cluster_not_found'
}

/** A valid body for each route that takes one. */
const article = { text: 'A bridge was opened on Monday by the mayor of Oslo. '.repeat(4) }
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /layer0/v1/process': article,
  'POST /layer0/v1/process/batch': { articles: [article] },
  'POST /layer1/v1/process': { article_id: 'art_given', content: article.text },
  'POST /layer1/v1/process/batch': { articles: [{ article_id: 'art_given', content: article.text }] },
  'POST /v1/clusters/{cluster_id}/corrections': { action: 'merge', other_cluster_id: `sto_${'y'.repeat(26)}` },
  'POST /v1/feeds': { url: 'https://news.example.com/rss.xml', unchecked: true },
  'POST /v1/feeds/test': { url: 'https://news.example.com/rss.xml' },
  'PATCH /v1/feeds/{feed_id}': { status: 'paused' },
  'POST /v1/monitors': { name: 'Mine', conditions: { query: 'rain' } },
  'POST /v1/monitors/test': { conditions: { query: 'rain' } },
  'PATCH /v1/monitors/{monitor_id}': { name: 'Mine' },
  'POST /v1/monitors/{monitor_id}/channels': { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x' },
  'PATCH /v1/monitors/{monitor_id}/channels/{channel_id}': { status: 'active' },
  'POST /v1/webhooks': { url: 'https://hooks.example.com/news', events: ['cluster.grown'] },
  'PATCH /v1/webhooks/{id}': { description: 'mine' },
  'POST /v1/webhooks/{id}/rotate': {},
}

/** From contract.md: routes that a Starter key may not call. */
const needsProfessional = (path: string): boolean =>
  path.startsWith('/layer3/') || path.startsWith('/echo/v1/') || /^\/v1\/relationships(\/network)?$/.test(path)

const nobodys = (parameter: string): string => {
  const id = NOBODYS[parameter]
  if (id === undefined) throw new Error(`no id that nobody has for {${parameter}}: add one to NOBODYS`)
  return id
}

/** Required parameters, with the examples of the document. */
function required({ name, parameters }: Operation): Record<string, string> {
  const given = parameters.filter((one) => one.in === 'query' && one.required === true)
  const made = NOBODYS_IN_QUERY[name] ?? {}
  return Object.fromEntries(
    given.map((one) => {
      const value = made[one.name] ?? one.example
      if (value === undefined) throw new Error(`${name} says no example of ${one.name}`)
      return [one.name, typeof value === 'string' ? value : JSON.stringify(value)]
    }),
  )
}

const { store } = viewsDatabase()
let api: TestApi
let keys: { readonly starter: string; readonly professional: string; readonly shared: string }
/** Invalid keys. */
let bad: readonly (string | undefined)[]

beforeAll(async () => {
  api = await anApi({ store, limits: { starter: 1e6, professional: 1e6, enterprise: 1e6 } })
  const namespace = aNamespace()
  const scopes = ['read', 'write', 'sources']
  keys = {
    starter: await api.key({ namespace, scopes }),
    professional: await api.key({ namespace, scopes, tier: 'professional' }),
    shared: await api.key({ namespace: 'shared', tier: 'enterprise' }),
  }
  const over = [await api.key({ expires_at: api.clock.now() }), await api.key({ revoked_at: api.clock.now() })]
  bad = [undefined, 'nonsense', newKey(), ...over]
})
afterAll(() => api.stop())

interface RefusalsCall {
  readonly key?: string | undefined
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
  readonly on?: TestApi
}

async function call(operation: Operation, { key, query, body, on = api }: RefusalsCall): Promise<Response> {
  const { method, path } = operation
  const sent = operation.takesBody ? (body ?? BODIES[operation.name]) : undefined
  if (operation.takesBody && sent === undefined) throw new Error(`no body for ${operation.name}: add one to BODIES`)
  await on.clock.advance(200) // so that an unknown key is looked up at once
  return on.app.request(withQuery(filled(path, nobodys), { ...required(operation), ...query }), {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
    },
    ...(sent !== undefined && { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
  })
}

/** Checks the form of a problem and returns its body. */
async function refusal(response: Response): Promise<ReturnType<typeof ProblemBody.parse>> {
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  expect(response.headers.get('x-request-id')).toMatch(/\S/)
  const text = await response.text()
  expect(text).not.toMatch(/SELECT|FROM |Exception|node_modules|\.ts:|\bat \w+ \(/)
  const body = ProblemBody.strict().parse(JSON.parse(text))
  expect(body.detail).toMatch(/\S/)
  expect(body.status).toBe(response.status)
  const { status } = PROBLEMS[body.code as keyof typeof PROBLEMS]
  expect([status, TITLES[status]]).toEqual([response.status, body.title])
  return body
}

describe('without a valid key', () => {
  it.each(named(keyed))('%s is 401', async (_, operation) => {
    for (const key of bad) {
      const response = await call(operation, { key })
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(await refusal(response)).toMatchObject({ status: 401, code: 'invalid_api_key' })
    }
  })

  it.each(named(operations.filter(({ tier }) => tier === 'open')))('%s is open', async (_, operation) => {
    expect((await call(operation, {})).status).not.toBe(401)
  })
})

describe('by tier', () => {
  it.each(named(keyed))('%s has the tier of the contract in the OpenAPI document', (_, { path, tier }) => {
    expect(tier).toBe(needsProfessional(path) ? 'professional' : 'starter')
  })

  it.each(named(keyed.filter(({ tier }) => tier === 'professional')))(
    '%s returns 403 to a Starter key before its parameters are checked',
    async (_, operation) => {
      for (const query of [{}, { limit: 'x', as_of: 'x', entity: '' }]) {
        const refused = await refusal(await call(operation, { key: keys.starter, query }))
        expect(refused).toMatchObject({ status: 403, code: 'tier_restricted' })
      }
    },
  )

  it.each(named(keyed.filter(({ tier, path }) => tier === 'starter' && path !== '/v1/events')))(
    '%s does not return 403 to a Starter key',
    async (_, operation) => {
      expect((await call(operation, { key: keys.starter })).status).not.toBe(403)
    },
  )
})

describe('routes that change stories of the shared namespace', () => {
  const curated = routes
    .filter(({ scope }) => scope === 'curate')
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)

  it('are corrections and their undoing', () => {
    expect(curated.sort()).toEqual([
      'DELETE /v1/clusters/corrections/{correction_id}',
      'POST /v1/clusters/{cluster_id}/corrections',
    ])
  })

  it.each(named(keyed.filter(({ name }) => curated.includes(name))))(
    '%s returns 403 to a shared key without the scope curate, but not to a private one',
    async (_, operation) => {
      expect(await refusal(await call(operation, { key: keys.shared }))).toMatchObject({
        status: 403,
        code: 'curator_required',
        required_scope: 'curate',
      })
      expect((await call(operation, { key: keys.starter })).status).toBe(404)
    },
  )
})

/** Values that the schema of a parameter does not allow. */
function wrongValues({ schema }: OperationsParameter): readonly (string | readonly string[])[] {
  const { type, minimum, maximum, minLength, maxLength } = schema
  const wrong: (string | readonly string[])[] = []
  const isNumber = type === 'integer' || type === 'number'
  if (isNumber) wrong.push('x', '', '1e3', 'NaN', 'Infinity', '0x10')
  if (type === 'integer') wrong.push('1.5')
  if (isNumber && minimum !== undefined) wrong.push(String(type === 'integer' ? minimum - 1 : minimum - 0.001))
  if (isNumber && maximum !== undefined && maximum < 1e15) {
    wrong.push(type === 'integer' ? String(maximum + 1) : (maximum + 0.5).toFixed(1))
  }
  if (schema.enum !== undefined) wrong.push('no-such-word', '', String(schema.enum[0]).toUpperCase() + '!')
  if (type === 'boolean') wrong.push('maybe', '1', '')
  if (schema.format === 'date-time') wrong.push('yesterday', '', '2016-13-01', '2016-02-30T00:00:00Z')
  if (minLength === 1) wrong.push('')
  if (maxLength !== undefined) wrong.push('x'.repeat(maxLength + 1))
  return wrong
}

describe('invalid parameter values', () => {
  const cases = keyed.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => [operation.name, parameter.name, operation, parameter] as const),
  )

  it.each(cases)('%s ?%s= returns 422 and names the parameter', async (_, path, operation, parameter) => {
    for (const value of [...wrongValues(parameter), ['a', 'b']]) {
      const response = await call(operation, { key: keys.professional, query: { [path]: value } })
      expect({ value, status: response.status }).toEqual({ value, status: 422 })
      const { code, errors } = await refusal(response)
      expect({ value, code, paths: errors?.map((error) => error.path) }).toEqual({
        value,
        code: 'validation_failed',
        paths: [path],
      })
    }
  })

  it.each(cases.filter(([, path]) => path === 'cursor'))(
    '%s ?%s= with a forged cursor returns 422',
    async (_, path, operation) => {
      for (const cursor of ['%%%', 'bm9uc2Vuc2U', 'eyJhIjoxfQ']) {
        expect(await refusal(await call(operation, { key: keys.professional, query: { cursor } }))).toMatchObject({
          status: expect.toBeOneOf([404, 422]) as number, // 404: an unknown parent id is checked first
        })
      }
      expect(path).toBe('cursor')
    },
  )

  // a stream does not end, and a build waits for a stage that does not run
  const ending = keyed.filter(({ path }) => path !== '/v1/events' && path !== '/layer3/v1/graph/build')

  it.each(named(ending))('%s ignores an unknown parameter', async (_, operation) => {
    const response = await call(operation, { key: keys.professional, query: { no_such_parameter: 'x' } })
    expect(response.status).not.toBe(422)
  })
})

describe('invalid bodies', () => {
  const bodied = keyed.filter(({ takesBody }) => takesBody)

  it.each(named(bodied))('%s returns 422', async (_, operation) => {
    for (const body of [
      '{',
      '"text"',
      '[]',
      'null',
      '7',
      '{"text": 1, "articles": 1, "content": 1, "url": 1, "action": 1, "overlap_seconds": "x", "description": 1}',
    ]) {
      const response = await call(operation, { key: keys.professional, body })
      expect({ body, status: response.status }).toEqual({ body, status: 422 })
      expect((await refusal(response)).errors?.length).toBeGreaterThan(0)
    }
  })

  it.each(named(bodied))('%s returns 413 if the body is too large', async (_, operation) => {
    const body = JSON.stringify({ text: 'x'.repeat(17 * 1024 * 1024) })
    expect(await refusal(await call(operation, { key: keys.professional, body }))).toMatchObject({
      status: 413,
      code: 'body_too_large',
    })
  })
})

describe('unknown ids and paths', () => {
  const byId = keyed.filter(({ name, path }) => path.includes('{') || name in NOBODYS_IN_QUERY)

  it.each(named(byId))('%s returns 404 with the code of the missing object', async (_, operation) => {
    const body = await refusal(await call(operation, { key: keys.professional }))
    expect(body).toMatchObject({ status: 404, code: codeOfAbsence(operation) })
  })

  it.each(named(byId.filter(({ path }) => path.includes('{'))))(
    '%s treats malformed ids as unknown ids',
    async (_, operation) => {
      for (const odd of ["' OR 1=1 --", '../../etc/passwd', '%00', '💥', 'x'.repeat(3_000), '{}', '\\']) {
        const path = operation.path.replace(/\{\w+\}/g, encodeURIComponent(odd))
        const response = await api.app.request(withQuery(path, required(operation)), {
          method: operation.method,
          headers: { authorization: `Bearer ${keys.professional}`, 'content-type': 'application/json' },
          ...(operation.takesBody && { body: JSON.stringify(BODIES[operation.name]) }),
        })
        expect({ odd, status: response.status }).toEqual({ odd, status: expect.toBeOneOf([404, 422]) as number })
        await refusal(response)
      }
    },
  )

  it.each(['/v1', '/v2/clusters', '/layer0/v1/nothing', '/v1/clusters/a/b/c', '/echo/v1/echo', '/layer3/v1/graph'])(
    '%s: 401 without a key, 404 with one',
    async (path) => {
      expect(await refusal(await api.get(path))).toMatchObject({ status: 401 })
      expect(await refusal(await api.get(path, keys.starter))).toMatchObject({ status: 404, code: 'not_found' })
    },
  )

  it.each([...new Set(operations.map(({ path }) => path))])(
    '%s with another method returns 405 and lists the allowed ones',
    async (path) => {
      // a fixed path can match another route too: `/v1/feeds/test` and `/v1/feeds/{feed_id}`
      const here = operations.filter((one) => new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
      const there = here
        .map(({ method }) => method)
        .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !there.includes(one))) {
        const response = await api.app.request(filled(path, nobodys), {
          method,
          headers: { authorization: `Bearer ${keys.professional}` },
        })
        expect({ method, status: response.status }).toEqual({ method, status: 405 })
        expect(response.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(there))
        expect(await refusal(response)).toMatchObject({ code: 'method_not_allowed' })
      }
    },
  )
})

describe('when the store fails', () => {
  const failing = (error: () => Error): Store => {
    const fail = (): Promise<never> => Promise.reject(error())
    return { query: fail, insert: fail, command: fail, ping: () => Promise.resolve(false), close: fail }
  }
  const SECRET = 'Code: 62. DB::Exception: SELECT secret FROM articles at run (/srv/story/store.ts:12:3)'
  const routes = keyed.filter(({ path }) => path !== '/v1/events')

  let failed: readonly { readonly on: TestApi; readonly key: string }[]

  beforeAll(async () => {
    const stores = [failing(() => new Error(SECRET)), failing(() => new StoreUnavailable(SECRET))]
    failed = await Promise.all(
      stores.map(async (broken) => {
        const on = await anApi({ store: broken })
        return { on, key: await on.key({ tier: 'enterprise', namespace: aNamespace() }) }
      }),
    )
  })
  afterAll(async () => {
    for (const { on } of failed) await on.stop()
  })

  it.each(named(routes))('%s reveals nothing about SQL, the server or the code', async (_, operation) => {
    for (const [i, { on, key }] of failed.entries()) {
      const response = await call(operation, { key, on })
      expect(response.status).not.toBe(422) // the request is valid
      if (response.status < 400) continue
      const { status } = await refusal(response)
      if (status === 503) expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      if (i === 1) expect(status).not.toBe(500) // an unavailable store is not a defect
    }
  })
})
