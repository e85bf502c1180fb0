import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApi, type TestApi } from '../../../test/builders/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await anApi()
})
afterAll(async () => {
  await api.stop()
})

it('lists stories, and subject pages where the kind says so', async () => {
  const key = await api.key()
  api.store.rows.set('clusters.page', [])
  api.store.rows.set('subjects.page', [])

  await api.get('/v1/clusters', key)
  expect(api.store.queries.at(-1)?.name).toBe('clusters.page')
  expect((await api.get('/v1/clusters?kind=subject', key)).status).toBe(200)
  expect(api.store.queries.at(-1)?.name).toBe('subjects.page')
})

it('refuses a kind that it does not know, by name', async () => {
  const response = await api.get('/v1/clusters?kind=topic', await api.key())

  expect(response.status).toBe(422)
  expect(JSON.stringify(await response.json())).toContain('kind')
})
