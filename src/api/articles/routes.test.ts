import { afterEach, beforeEach, expect, it } from 'vitest'
import { anApi, type TestApi } from '../../../test/builders/api.ts'
import { syndicationGroup } from '../../events/ids.ts'

let api: TestApi
beforeEach(async () => {
  api = await anApi()
  api.store.rows.set('articles.origin', [])
  api.store.rows.set('subjects.listed', [])
})
afterEach(() => api.stop())

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
  genre: 'report',
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
  text_source: 'feed',
  first_alike: null,
  first_alike_clustered: false,
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
    genre: 'report',
    quality: { rating: 'Good', depth: 0.6, coherence: 0.8, credibility: 0.5, spam: 1 },
    semantic_hash: '0123456789abcdef',
    token_count: 120,
    language: 'en',
    revision: 2,
    is_duplicate_of: null,
    syndication_group: null,
    derived_from: null,
    subject_id: null,
    forwarded: true,
    gate_reason: 'passed',
    text_source: 'feed',
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
  expect(api.store.queries.at(-1)?.params).toMatchObject({ namespace: 'acme', as_of: '2016-01-01 00:00:00.000' })
})

it('of two with one body that were never clustered, the later one is the re-print', async () => {
  api.store.rows.set('articles.one', ({ article_id }) => [{ ...aRow, article_id, first_alike: 'art_first' }])
  const key = await api.key()
  const group = syndicationGroup('shared', 'art_first')

  expect(await (await api.get('/layer0/v1/article/art_x', key)).json()).toMatchObject({
    is_duplicate_of: 'art_first',
    syndication_group: group,
  })
  expect(await (await api.get('/layer0/v1/article/art_first', key)).json()).toMatchObject({
    is_duplicate_of: null,
    syndication_group: group,
  })
})

it('whose text it is was decided where all articles meet', async () => {
  const origin = { syndication_group: 'syn_1', is_duplicate_of: 'art_first', derived_from: 'art_source' }
  api.store.rows.set('articles.one', [{ ...aRow, first_alike: 'art_other' }])
  api.store.rows.set('articles.origin', [{ ...origin, content_hash: aRow.content_hash, containment: 0.7 }])

  expect(await (await api.get('/layer0/v1/article/art_x', await api.key())).json()).toMatchObject(origin)
})

it('an embedding is found by its id alone', async () => {
  const found = { embedding_id: 'emb_x', article_id: 'art_x', revision: 2, model: 'm:mix', embedding: [0.6, 0.8] }
  api.store.rows.set('articles.embedding', ({ embedding_id }) => (embedding_id === 'emb_x' ? [found] : []))
  const key = await api.key({ namespace: 'acme' })

  expect(await (await api.get('/layer0/v1/embeddings/emb_x', key)).json()).toEqual({ ...found, dim: 2 })
  expect(api.store.queries.at(-1)?.params).toMatchObject({ namespace: 'acme' })
  const missing = await api.get('/layer0/v1/embeddings/emb_y', key)
  expect(missing.status).toBe(404)
  expect(await missing.json()).toMatchObject({ code: 'embedding_not_found', detail: 'Embedding not found: emb_y' })
})

it('an article is there though the clock by which it arrived is ahead of this one', async () => {
  api.store.rows.set('articles.one', [aRow])
  await api.get('/layer0/v1/article/art_x', await api.key())
  const { as_of } = api.store.queries.at(-1)?.params as { as_of: string }

  expect(Date.parse(`${as_of.replace(' ', 'T')}Z`) - api.clock.now()).toBe(60_000)
})
