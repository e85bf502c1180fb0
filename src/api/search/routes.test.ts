import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anApi, A_NOON, type TestApi } from '../../../test/builders/api.ts'
import { tokenId } from '../../events/ids.ts'

let api: TestApi
beforeEach(async () => {
  api = await anApi()
})
afterEach(() => api.stop())

const shown = { article_id: 'art_x', title: null, url: null, source: null, published_date: null, quality_score: 0.7 }
const standing = { article_id: 'art_x', content_hash: 'c', offset: 7 }
const near = { article_id: 'art_x', offset: 7, distance: 0.25 }

describe('a search for articles', () => {
  it('ranks by distance and shows both measures', async () => {
    api.store.rows.set('articles.nearest', [near])
    api.store.rows.set('articles.standing', [standing])
    api.store.rows.set('articles.shown', [shown])
    api.store.rows.set('articles.story_of', [{ article_id: 'art_x', cluster_id: 'sto_y' }])
    const response = await api.get(
      '/layer0/v1/search?query=%20bridge%20&min_quality=0.5&anything=else',
      await api.key(),
    )

    expect(await response.json()).toEqual({
      query: 'bridge',
      results: [{ ...shown, distance: 0.25, similarity_score: 0.75, cluster_id: 'sto_y' }],
      total: 1,
    })
    expect(api.store.queries[0]?.params).toMatchObject({
      namespace: 'shared',
      min_quality: 0.5,
      // one minute after this clock, because the event time of an undated article comes from another clock
      as_of: new Date(A_NOON + 1_000 + 60_000).toISOString().replace('T', ' ').slice(0, 23),
    })
  })

  it('leaves out superseded revisions and repeats, and looks further where too few are left', async () => {
    const old = Array.from({ length: 40 }, (_, i) => ({ article_id: 'art_old', offset: i, distance: 0.1 }))
    api.store.rows.set('articles.nearest', ({ reach }) => [...old, near, near].slice(0, Number(reach)))
    api.store.rows.set('articles.standing', ({ article_ids }) =>
      [{ ...standing, article_id: 'art_old', offset: 99 }, standing].filter(({ article_id }) =>
        (article_ids as string[]).includes(article_id),
      ),
    )
    api.store.rows.set('articles.shown', [shown])
    api.store.rows.set('articles.story_of', [])
    const response = await api.get('/layer0/v1/search?query=x&limit=2', await api.key())

    expect(await response.json()).toMatchObject({ results: [{ article_id: 'art_x', cluster_id: null }], total: 1 })
  })
})

it('a search for tokens shows each with its article', async () => {
  const token = { text: 'Oslo', pos_tag: 'PROPN', entity_type: 'GPE', importance: 1, context_sentiment: -0.5 }
  api.store.rows.set('articles.nearest', [near])
  api.store.rows.set('articles.standing', [standing])
  api.store.rows.set('articles.shown', [{ ...shown, title: 'Bridge' }])
  api.store.rows.set('articles.tokens', [
    { ...token, article_id: 'art_x', content_hash: 'c', ordinal: 3, distance: 0.5 },
  ])
  const response = await api.get('/layer0/v1/search?query=bridge&level=token', await api.key())

  expect(await response.json()).toEqual({
    success: true,
    query: 'bridge',
    results_count: 1,
    results: [
      {
        token_id: tokenId('art_x', 'c', 3),
        text: 'Oslo',
        distance: 0.5,
        metadata: {
          ...{ title: 'Bridge', source: null, url: null, source_id: 'art_x', published_date: null },
          ...{ importance: 1, entity_type: 'GPE', pos_tag: 'PROPN', context_sentiment: -0.5 },
        },
      },
    ],
  })
  expect(api.store.queries.at(-2)?.params).toMatchObject({ limit: 10, article_ids: ['art_x'], offsets: [7] })
})

it.each([
  ['', 422],
  ['?query=', 422],
  ['?query=%20%20', 422],
  ['?query=x&limit=0', 422],
  ['?query=x&limit=1', 200],
  ['?query=x&limit=100', 200],
  ['?query=x&limit=101', 422],
  ['?query=x&min_quality=0', 200],
  ['?query=x&min_quality=1', 200],
  ['?query=x&min_quality=1.01', 422],
  ['?query=x&min_quality=-0.01', 422],
  ['?query=x&min_quality=high', 422],
  ['?query=x&level=article', 200],
  ['?query=x&level=token', 200],
  ['?query=x&level=sentence', 422],
  ['?query=x&as_of=soon', 422],
])('search%s: %i', async (parameters, status) => {
  api.store.rows.set('articles.nearest', [])

  expect((await api.get(`/layer0/v1/search${parameters}`, await api.key())).status).toBe(status)
})
