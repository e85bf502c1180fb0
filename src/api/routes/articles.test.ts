import { afterEach, beforeEach, expect, it } from 'vitest'
import { anApi, A_NOON, type TestApi } from '../../../test/builders/api.ts'

let api: TestApi
beforeEach(async () => {
  api = await anApi()
})
afterEach(async () => await api.stop())

const aRow = {
  article_id: 'art_x',
  content_hash: 'c',
  revision: 2,
  title: 'Bridge to close',
  url: 'https://example.com/a',
  source: 'Example Times',
  author: null,
  published_date: '2016-05-03T10:00:00.000Z',
  occurred_at: '2016-05-03T10:00:00.000Z',
  language: 'en',
  quality_score: 0.7,
  quality_rating: 'Good',
  quality_depth: 0.6,
  quality_coherence: 0.8,
  quality_credibility: 0.5,
  quality_spam: 1,
  semantic_hash: '0123456789abcdef',
  token_count: 120,
  embedding_id: 'emb_x',
  embedding: [],
  forwarded: true,
  gate_reason: 'passed',
  is_duplicate_of: null,
  created_at: '2016-05-03T11:00:00.000Z',
}

it('an article has every field of the contract and no other', async () => {
  api.store.rows.set('articles.one', [aRow])
  const response = await api.get('/layer0/v1/article/art_x', await api.key())

  expect(await response.json()).toEqual({
    article_id: 'art_x',
    title: 'Bridge to close',
    url: 'https://example.com/a',
    source: 'Example Times',
    author: null,
    published_date: '2016-05-03T10:00:00.000Z',
    quality_score: 0.7,
    quality: { rating: 'Good', depth: 0.6, coherence: 0.8, credibility: 0.5, spam: 1 },
    semantic_hash: '0123456789abcdef',
    token_count: 120,
    language: 'en',
    revision: 2,
    is_duplicate_of: null,
    forwarded: true,
    gate_reason: 'passed',
    created_at: '2016-05-03T11:00:00.000Z',
    processed_at: '2016-05-03T11:00:00.000Z',
    embedding_id: 'emb_x',
  })
})

it('its vector stands in the place of the vector’s id', async () => {
  api.store.rows.set('articles.one', ({ include_embedding }) => [
    { ...aRow, embedding: include_embedding === true ? [0.6, 0.8] : [] },
  ])
  const response = await api.get('/layer0/v1/article/art_x?include_embedding=true', await api.key())
  const answer: unknown = await response.json()

  expect(answer).toMatchObject({ embedding: [0.6, 0.8] })
  expect(answer).not.toHaveProperty('embedding_id')
})

it('is looked for in the namespace of the key, as of the moment asked for', async () => {
  api.store.rows.set('articles.one', [])
  const key = await api.key({ namespace: 'acme' })
  const response = await api.get('/layer0/v1/article/art_x?as_of=2016-01-01', key)

  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'article_not_found', detail: 'Article not found: art_x' })
  expect(api.store.asked.at(-1)?.params).toMatchObject({ namespace: 'acme', as_of: '2016-01-01 00:00:00.000' })
})

it('a search ranks by distance and shows both measures', async () => {
  const found = { article_id: 'art_x', title: null, url: null, source: null, published_date: null, quality_score: 0.7 }
  api.store.rows.set('articles.nearest', [{ ...found, distance: 0.25 }])
  const response = await api.get('/layer0/v1/search?query=%20bridge%20&min_quality=0.5&anything=else', await api.key())

  expect(await response.json()).toEqual({
    query: 'bridge',
    results: [{ ...found, distance: 0.25, similarity_score: 0.75 }],
    total: 1,
  })
  expect(api.store.asked.at(-1)?.params).toMatchObject({
    namespace: 'shared',
    limit: 10,
    min_quality: 0.5,
    as_of: new Date(A_NOON + 1_000).toISOString().replace('T', ' ').slice(0, 23),
  })
})

it.each([
  ['', 422],
  ['?query=x&limit=100', 200],
  ['?query=x&limit=101', 422],
  ['?query=x&min_quality=1.01', 422],
  ['?query=x&level=article', 200],
])('search%s: %i', async (parameters, status) => {
  api.store.rows.set('articles.nearest', [])

  expect((await api.get(`/layer0/v1/search${parameters}`, await api.key())).status).toBe(status)
})
