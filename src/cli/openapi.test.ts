import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describedRoutes } from '../api/described-routes.ts'
import { SCOPES } from '../api/http/keys/scopes.ts'
import { PROBLEMS } from '../api/http/problem.ts'
import { projectPath } from '../config/project-path.ts'
import { openApiText } from './openapi.ts'

const Operation = z.looseObject({
  'x-tier': z.enum(['open', 'starter', 'professional', 'enterprise']),
  'x-scope': z.enum(['open', ...SCOPES]),
  'x-rate-cost': z.enum(['request', 'poll', 'nothing']),
  security: z.array(z.unknown()),
  responses: z.record(z.string(), z.unknown()),
})
const Document = z.object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), Operation)) })
const document = Document.parse(JSON.parse(openApiText()))

it('docs/openapi.json is what the routes say: if not, `story openapi > docs/openapi.json`', () => {
  expect(readFileSync(projectPath('docs/openapi.json'), 'utf8')).toBe(`${openApiText()}\n`)
})

it('is OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0')
})

describe.each(
  describedRoutes('0')
    .filter(({ forPeople }) => forPeople !== true)
    .map((route) => ({ ...route, name: `${route.method} ${route.path}` })),
)('$name', (route) => {
  const operation = document.paths[route.path]?.[route.method]

  it('is documented with its tier, its scope, its cost and its refusals', () => {
    const own = (route.problems ?? []).map((code) => String(PROBLEMS[code].status))
    const keyed = route.tier === 'open' ? [] : ['401', '403', '429', '503']
    const bodied = route.takesBody ? ['413', '422'] : []

    expect(operation).toMatchObject({ 'x-tier': route.tier, 'x-scope': route.scope, 'x-rate-cost': route.cost })
    expect(operation?.security).toHaveLength(route.tier === 'open' ? 0 : 1)
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining([String(route.status), ...keyed, ...bodied, ...own]),
    )
  })
})
