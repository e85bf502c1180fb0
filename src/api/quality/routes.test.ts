import { afterEach, beforeEach, expect, it } from 'vitest'
import { anApi, type TestApi } from '../../../test/builders/api.ts'

let api: TestApi
beforeEach(async () => {
  api = await anApi()
  api.store.rows.set('quality.live_stories', [
    { stories: 40, stories_last_24h: 9, multi_source: 10, of_several: 20, single_origin: 5, came: 84 },
  ])
  api.store.rows.set('quality.articles_moved', [{ articles: 7 }])
})
afterEach(() => api.stop())

it('answers the published figures and those of the caller’s own stories, and no more', async () => {
  const response = await api.get('/v1/quality', await api.key())

  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    measured_at: '2016-05-01T00:00:00.000Z',
    code_version: expect.any(String) as string,
    models: ['encoder:words'],
    versions: { rules: 'clustered:1', weights: 'w' },
    measured_languages: expect.objectContaining({ sentiment: ['de', 'en', 'ru'] }) as object,
    sets: [{ name: 'stories/made-up.jsonl.gz', measure: 'b_cubed_f1', value: 0.9, n: 12 }],
    live: {
      window_days: 7,
      stories: 40,
      stories_last_24h: 9,
      articles_per_day: 12,
      multi_source_share: 0.25,
      single_origin_share: 0.25,
      id_churn_per_day: 1,
    },
  })
})

it('asks for the caller’s namespace and the moment given only', async () => {
  await api.get('/v1/quality?as_of=2016-05-02T00:00:00Z', await api.key({ namespace: 'press' }))

  expect(api.store.queries.map(({ name, params }) => ({ name, ...params }))).toEqual([
    {
      ...{ name: 'quality.live_stories', namespace: 'press', as_of: '2016-05-02 00:00:00.000' },
      ...{ from: '2016-04-25 00:00:00.000', day: '2016-05-01 00:00:00.000' },
    },
    {
      ...{ name: 'quality.articles_moved', namespace: 'press', as_of: '2016-05-02 00:00:00.000' },
      from: '2016-04-25 00:00:00.000',
    },
  ])
})

it('has no shares where there are no stories', async () => {
  api.store.rows.set('quality.live_stories', [
    { stories: 0, stories_last_24h: 0, multi_source: 0, of_several: 0, single_origin: 0, came: 0 },
  ])
  const { live } = (await (await api.get('/v1/quality', await api.key())).json()) as { live: object }

  expect(live).toMatchObject({ stories: 0, articles_per_day: 0, multi_source_share: null, single_origin_share: null })
})

it('is for every tier, and for nobody without a key', async () => {
  expect((await api.get('/v1/quality', await api.key({ tier: 'starter' }))).status).toBe(200)
  expect((await api.get('/v1/quality')).status).toBe(401)
})
