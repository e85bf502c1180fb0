import { z } from '@hono/zod-openapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApi, type TestApi } from '../../../test/builders/api.ts'
import { describedRoutes, stubDependencies } from '../described-routes.ts'
import { wholeApi } from './app.ts'
import type { Caller } from './keys/caller.ts'
import { SCOPES, type Scope } from './keys/scopes.ts'
import { ProblemBody } from './problem.ts'
import { defineRoute } from './route.ts'

let api: TestApi
beforeAll(async () => {
  api = await anApi()
  api.store.rows.set('articles.nearest', [])
})
afterAll(() => api.stop())

const AN_ARTICLE = { text: 'The harbour bridge was closed on Monday after an inspection. '.repeat(5) }
const keyWith = (...scopes: readonly string[]) => api.key({ scopes, tier: 'enterprise' })
const bodyOf = async (response: Response) => ProblemBody.parse(await response.json())

describe('a read-only key', () => {
  it('reads, and is told which scope a write needs and how to get it', async () => {
    const key = await keyWith('read')

    expect((await api.get('/layer0/v1/search?query=x', key)).status).toBe(200)
    const refused = await api.post('/layer0/v1/process', AN_ARTICLE, key)
    expect(refused.status).toBe(403)
    expect(await bodyOf(refused)).toMatchObject({
      code: 'scope_missing',
      required_scope: 'write',
      detail: 'This operation requires the scope write; this key has read. Use a key created with --scopes read,write',
    })
  })

  it('may not correct stories of its private namespace, where a key that writes may', async () => {
    const correct = async (...scopes: readonly string[]) =>
      api.post('/v1/clusters/x/corrections', {}, await api.key({ scopes, namespace: 'acme' }))

    expect(await bodyOf(await correct('read'))).toMatchObject({ code: 'curator_required', required_scope: 'curate' })
    expect((await correct('read', 'write')).status).toBe(422)
  })
})

it('a key without read gets no cached response either', async () => {
  const [reader, writer] = [await keyWith('read'), await keyWith('write')]
  expect((await api.get('/layer0/v1/search?query=x', reader)).status).toBe(200)

  expect(await bodyOf(await api.get('/layer0/v1/search?query=x', writer))).toMatchObject({ required_scope: 'read' })
})

it('a key with only scopes of a newer version may do nothing', async () => {
  expect(await bodyOf(await api.get('/layer0/v1/search?query=x', await keyWith('billing')))).toMatchObject({
    code: 'scope_missing',
    detail: expect.stringContaining('this key has none that this version knows') as string,
  })
})

const keyed = describedRoutes('0').filter(({ tier }) => tier !== 'open')

describe.each(keyed.map((route) => ({ ...route, name: `${route.method} ${route.path}` })))('$name', (route) => {
  const { method, path, scope } = route
  const ask = (key: string) =>
    api.app.request(path.replace(/\{\w+\}/g, 'x'), {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${key}` },
    })

  it('declares one scope, which is necessary and sufficient', async () => {
    expect(SCOPES).toContain(scope)
    const others = await ask(await keyWith(...SCOPES.filter((one) => one !== scope)))
    expect(await bodyOf(others)).toMatchObject({ status: 403, required_scope: scope })

    const response = await ask(await keyWith(scope))
    expect(response.status).not.toBe(403)
    await response.body?.cancel()
  })
})

it('routes without a key need no scope', () => {
  const open = describedRoutes('0').filter(({ tier, scope }) => tier === 'open' || scope === 'open')

  expect(new Set(open.map(({ tier, scope }) => `${tier} ${scope}`))).toEqual(new Set(['open open']))
})

/** A route that defines only its scope and method. */
const aRoute = (method: 'get' | 'post', scope?: Scope) =>
  defineRoute(
    {
      ...{
        method,
        path: '/v1/thing',
        tag: 'Service',
        summary: 'A thing',
        tier: 'starter',
        cost: 'request',
        status: 200,
      },
      ...(scope !== undefined && { scope }),
      request: {},
      answer: z.object({ ok: z.boolean() }),
    },
    () => Promise.resolve({ ok: true }),
  )

it('a route may require a scope of its own, whatever its method', async () => {
  const statusWith = async (...scopes: readonly Scope[]) => {
    const caller: Caller = { key_id: 'k', tier: 'starter', namespace: 'acme', owner: 'k', scopes }
    const keys = { find: () => caller, notReady: () => null }
    const { app } = wholeApi({ ...stubDependencies('0'), keys }, () => [aRoute('get', 'sources')])
    return (await app.request('/v1/thing', { headers: { authorization: 'Bearer key' } })).status
  }

  expect(await statusWith('read', 'write', 'curate')).toBe(403)
  expect(await statusWith('sources')).toBe(200)
  expect([aRoute('get').scope, aRoute('post').scope, aRoute('post', 'read').scope]).toEqual(['read', 'write', 'read'])
})
