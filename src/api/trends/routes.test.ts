import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApi, type TestApi } from '../../../test/builders/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await anApi()
})
afterAll(async () => {
  await api.stop()
})

it('says up to when the log has come into the figures, where the view is behind', async () => {
  const key = await api.key({ tier: 'professional' })
  api.store.rows.set('trends.days_with_rows', [])
  const ask = async () => (await (await api.get('/layer3/v1/trends/entities', key)).json()) as Record<string, unknown>

  const now = new Date(api.clock.now()).toISOString()
  expect(await ask()).toEqual({ trends: [], count: 0, graph_as_of: now })

  await api.log.produce([{ topic: 'articles.analyzed', key: 'shared', value: Buffer.from('anything'), headers: {} }])
  const [taken] = api.log.records('articles.analyzed')
  await api.clock.advance(3_600_000)
  const behind = new Date((taken?.loggedAt ?? 0) - 1).toISOString()
  expect(await ask()).toMatchObject({ graph_as_of: behind })
})
