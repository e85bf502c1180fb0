import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApi, type TestApi } from '../../test/builders/api.ts'
import { describedRoutes } from './described-routes.ts'

const LISTS = ['threads', 'stories', 'changes', 'clusters', 'cluster changes', 'echo', 'entities', 'webhook deliveries']

/** The checksum has no secret: anyone can construct a cursor with a valid checksum. */
const forged = (list: string, body: string): string => {
  const digest = createHash('sha256')
    .update(list + body)
    .digest('base64url')
    .slice(0, 12)
  return Buffer.from(digest + body).toString('base64url')
}

const withCursor = describedRoutes('0.0.0')
  .filter(({ takesQuery }) => takesQuery.includes('cursor'))
  .map(({ path }) => path.replaceAll(/\{\w+\}/g, 'x'))

const cursor = fc
  .tuple(fc.constantFrom(...LISTS), fc.oneof(fc.json(), fc.string()))
  .map(([list, body]) => forged(list, body))

let api: TestApi
let key: string
beforeAll(async () => {
  api = await anApi({ limits: { starter: 1e9, professional: 1e9, enterprise: 1e9 } })
  key = await api.key({ tier: 'enterprise' })
})
afterAll(() => api.stop())

it('knows the routes that take a cursor', () => {
  expect(withCursor).toContain('/v1/changes')
  expect(withCursor.length).toBeGreaterThanOrEqual(LISTS.length)
})

it.each(withCursor)('%s answers a forged cursor with 4xx, whatever it holds', async (path) => {
  await fc.assert(
    fc.asyncProperty(cursor, async (one) => {
      const { status } = await api.get(`${path}?cursor=${one}`, key)

      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }),
    { numRuns: 40 },
  )
})
