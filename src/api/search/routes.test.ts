import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anApi, A_NOON, type TestApi } from '../../../test/builders/api.ts'
import { axisVector } from '../../../test/builders/articles.ts'
import { tokenId } from '../../events/ids.ts'
import type { CrossText } from '../../ports/cross-encoder.ts'

let api: TestApi
beforeEach(async () => {
  api = await anApi()
})
afterEach(() => api.stop())

const shown = {
  ...{ article_id: 'art_x', title: null, url: null, source: null, published_date: null },
  ...{ quality_score: 0.7, language: 'en' },
}
const standing = { ...shown, content_hash: 'c', offset: 7 }
const near = { article_id: 'art_x', offset: 7, distance: 0.25 }

describe('a search for articles', () => {
  it('ranks by distance and shows both measures', async () => {
    api.store.rows.set('articles.nearest', [near])
    api.store.rows.set('articles.standing', [standing])
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
    api.store.rows.set('articles.story_of', [])
    const response = await api.get('/layer0/v1/search?query=x&limit=2', await api.key())

    expect(await response.json()).toMatchObject({ results: [{ article_id: 'art_x', cluster_id: null }], total: 1 })
  })
})

describe('a search across languages', () => {
  const GERMAN = 'Die Brücke wird wegen Bauarbeiten gesperrt'
  const encoded: string[] = []
  const crossEncoder = () =>
    Promise.resolve({
      encode: (texts: readonly CrossText[]) => {
        encoded.push(...texts.map(({ language }) => language))
        return Promise.resolve(texts.map(() => axisVector(7)))
      },
    })

  /** A search in a store with one English article and one German one. */
  async function search(parameters: string) {
    encoded.length = 0
    const other = await anApi({ crossEncoder })
    const { rows, queries } = other.store
    rows.set('articles.nearest', [{ ...near, article_id: 'art_en' }])
    rows.set('articles.nearest_across', [{ ...near, article_id: 'art_de', distance: 0.125 }])
    rows.set('articles.standing', ({ article_ids }) =>
      (article_ids as string[]).map((article_id) => ({ ...standing, article_id, language: article_id.slice(-2) })),
    )
    rows.set('articles.story_of', [])
    rows.set('articles.tokens', [])
    const response = await other.get(`/layer0/v1/search?${parameters}`, await other.key())
    const { results } = (await response.json()) as { results: { article_id: string; language: string }[] }
    await other.stop()
    return { queries, results: results.map(({ article_id, language }) => `${article_id} ${language}`) }
  }

  it('lists English articles first for a query in English, whatever the distances', async () => {
    const { results, queries } = await search('query=the%20bridge%20is%20closed%20for%20repairs')

    expect(results).toEqual(['art_en en', 'art_de de'])
    expect(queries[0]?.params).toMatchObject({ english: ['en', 'und'], ranks_all: false })
    expect(encoded).toEqual(['en'])
  })

  it('asks for no article in another language if enough in English are found', async () => {
    const { results, queries } = await search('query=bridge&limit=1')

    expect(results).toEqual(['art_en en'])
    expect(queries.map(({ name }) => name)).not.toContain('articles.nearest_across')
    expect(encoded).toEqual([])
  })

  it('ranks articles in every language for a query in another language, before those without a cross vector', async () => {
    const { results, queries } = await search(`query=${encodeURIComponent(GERMAN)}`)

    expect(results).toEqual(['art_de de', 'art_en en'])
    expect(queries[0]).toMatchObject({ name: 'articles.nearest_across', params: { english: [] } })
    expect(encoded).toEqual(['de'])
  })

  it.each(['Trump tariffs', 'Hurricane Ian Florida'])('reads a few names as English: %s', async (query) => {
    const { results } = await search(`query=${encodeURIComponent(query)}`)

    expect(results).toEqual(['art_en en', 'art_de de'])
  })

  it.each(['article', 'token'])('level=%s: only in the requested languages', async (level) => {
    const { queries } = await search(`query=x&level=${level}&languages=de,%20fr,de`)

    expect(queries[0]?.params).toMatchObject({ languages: ['de', 'fr'] })
  })

  it('compares tokens by the English encoder, whatever the language of the query', async () => {
    const { queries } = await search(`query=${encodeURIComponent(GERMAN)}&level=token`)

    expect(queries[0]).toMatchObject({ name: 'articles.nearest', params: { ranks_all: true } })
    expect(encoded).toEqual([])
  })
})

it('without an encoder of all languages, ranks all articles by the English encoder', async () => {
  api.store.rows.set('articles.nearest', [])
  await api.get('/layer0/v1/search?query=Die%20Stadt%20hat%20die%20Br%C3%BCcke%20gesperrt', await api.key())

  expect(api.store.queries).toMatchObject([{ name: 'articles.nearest', params: { ranks_all: true } }])
})

it.each(['', ',', 'german', 'DE', 'de,f', Array.from('abcdefghijklmnopqrstu', (letter) => `a${letter}`).join()])(
  'refuses languages=%s and names the parameter',
  async (languages) => {
    const response = await api.get(`/layer0/v1/search?query=x&languages=${languages}`, await api.key())

    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ errors: [{ path: 'languages' }] })
  },
)

it('a search for tokens shows each with its article', async () => {
  const token = { text: 'Oslo', pos_tag: 'PROPN', entity_type: 'GPE', importance: 1, context_sentiment: -0.5 }
  api.store.rows.set('articles.nearest', [near])
  api.store.rows.set('articles.standing', [{ ...standing, title: 'Bridge' }])
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
  expect(api.store.queries.at(-1)?.params).toMatchObject({ limit: 10, article_ids: ['art_x'], offsets: [7] })
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
