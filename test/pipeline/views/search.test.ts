import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { articlesScored, type ArticleScored, type Token } from '../../../src/events/articles.ts'
import { articlesClustered } from '../../../src/events/ledger.ts'
import { syndicationGroup, tokenId } from '../../../src/events/ids.ts'
import { f32, i8 } from '../../../src/events/vector.ts'
import { articleRows } from '../../../src/views/articles/project.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { VIEWS_DATABASE } from '../../engines.ts'
import { anApi, A_NOON, type TestApi } from '../../builders/api.ts'
import { A_DAY, anInput, aScoredArticle, axisVector } from '../../builders/articles.ts'
import { aStoryChange, ViewWriter } from '../../builders/views.ts'

const DAY_MS = 86_400_000
const store = clickhouseStore({ ...inject('engines').clickhouse, database: VIEWS_DATABASE })
const writer = new ViewWriter(store)
let api: TestApi

beforeAll(async () => {
  await migrate(store, { replicated: false })
  api = await anApi({ store })
})

afterAll(async () => {
  await api.stop()
  await store.close()
})

/** A new namespace; every query has the vector of axis 0. */
async function aHome() {
  const namespace = `test-${randomBytes(8).toString('hex')}`
  const key = await api.key({ namespace, tier: 'enterprise' })
  const get = async (path: string) => {
    const response = await api.get(`/layer0/v1/${path}`, key)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return {
    namespace,
    get,
    ids: (parameters = '') => found(get, `search?query=x${parameters}`, 'article_id'),
    stories: (parameters = '') => found(get, `search?query=x${parameters}`, 'cluster_id'),
    words: (parameters = '') => found(get, `search?query=x&level=token${parameters}`, 'text'),
  }
}

async function found(
  get: (path: string) => Promise<{ body: Record<string, unknown> }>,
  path: string,
  field: string,
): Promise<unknown[]> {
  const { body } = await get(path)
  return (body['results'] as Record<string, unknown>[]).map((result) => result[field])
}

/** Unit length, `degrees` away from the query. */
function away(degrees: number): Float32Array {
  const vector = new Float32Array(384)
  vector[0] = Math.cos((degrees * Math.PI) / 180)
  vector[1] = Math.sin((degrees * Math.PI) / 180)
  return vector
}

const at = (degrees: number) => f32('test:mix', away(degrees))

const aToken = (text: string, over: Partial<Token> = {}): Token => ({
  text,
  pos_tag: 'NOUN',
  entity_type: 'O',
  importance: 1,
  context_sentiment: 0,
  ...over,
})

/** Tokens by their angle to the query. */
const withTokens = (angles: Readonly<Record<string, number>>): Pick<ArticleScored, 'tokens' | 'token_vectors'> => ({
  tokens: Object.keys(angles).map((text) => aToken(text)),
  token_vectors: i8('test:term', 384, Object.values(angles).map(away)),
})

describe('GET /layer0/v1/search', () => {
  it('level=article: returns articles by distance', async () => {
    const home = await aHome()
    await writer.scored(
      { namespace: home.namespace, article_id: 'art_far', embedding: at(120) },
      { namespace: home.namespace, article_id: 'art_near', embedding: at(60), url: null, title: null, source: null },
    )

    const { status, body } = await home.get('search?query=bridge')

    expect(status).toBe(200)
    expect(body).toEqual({
      query: 'bridge',
      results: [
        {
          article_id: 'art_near',
          title: null,
          source: null,
          url: null,
          published_date: '2016-05-03T12:00:00.000Z',
          quality_score: 0.72,
          language: 'en',
          similarity_score: expect.closeTo(0.5, 2) as number,
          distance: expect.closeTo(0.5, 2) as number,
          cluster_id: null,
        },
        expect.objectContaining({ article_id: 'art_far', distance: expect.closeTo(1.5, 2) as number }),
      ],
      total: 2,
    })
  })

  it('level=token: returns tokens by distance, each with its article', async () => {
    const home = await aHome()
    const tokens = [
      aToken('arches', { importance: 0.25, context_sentiment: -0.5 }),
      aToken('Oslo', { pos_tag: 'PROPN', entity_type: 'GPE' }),
    ]
    await writer.scored({
      namespace: home.namespace,
      article_id: 'art_1',
      content_hash: 'a',
      tokens,
      token_vectors: i8('test:term', 384, [axisVector(1), axisVector(0)]),
    })

    const { status, body } = await home.get('search?query=bridge&level=token')

    expect(status).toBe(200)
    const article = {
      title: 'Harbour bridge to close for two years',
      source: 'Example Times',
      url: 'https://www.example.com/news/harbour-bridge',
      source_id: 'art_1',
      published_date: '2016-05-03T12:00:00.000Z',
    }
    expect(body).toEqual({
      success: true,
      query: 'bridge',
      results_count: 2,
      results: [
        {
          token_id: tokenId('art_1', 'a', 1),
          text: 'Oslo',
          distance: 0,
          metadata: { ...article, importance: 1, entity_type: 'GPE', pos_tag: 'PROPN', context_sentiment: 0 },
        },
        {
          token_id: tokenId('art_1', 'a', 0),
          text: 'arches',
          distance: 1,
          metadata: { ...article, importance: 0.25, entity_type: 'O', pos_tag: 'NOUN', context_sentiment: -0.5 },
        },
      ],
    })
  })

  it('ranks tokens over all articles, whatever the rank of their article', async () => {
    const home = await aHome()
    await writer.scored(
      { namespace: home.namespace, article_id: 'art_1', embedding: at(0), ...withTokens({ one: 10, four: 80 }) },
      { namespace: home.namespace, article_id: 'art_2', embedding: at(90), ...withTokens({ two: 20, three: 30 }) },
    )

    expect(await home.words()).toEqual(['one', 'two', 'three', 'four'])
    expect(await home.words('&limit=2')).toEqual(['one', 'two'])
  })

  it('returns at most 100, each article and token once', async () => {
    const home = await aHome()
    const events = Array.from({ length: 130 }, (_, i) => ({
      namespace: home.namespace,
      article_id: `art_${String(i).padStart(3, '0')}`,
      embedding: at(i),
      ...withTokens({ [`word ${i}`]: i }),
    }))
    await writer.write(articlesScored, events.map(aScoredArticle))
    await writer.write(articlesScored, events.slice(0, 40).map(aScoredArticle)) // repeats, in separate parts

    const articles = await home.ids('&limit=100')
    const words = await home.words('&limit=100')

    expect(articles).toEqual(events.slice(0, 100).map(({ article_id }) => article_id))
    expect(words).toEqual(Array.from({ length: 100 }, (_, i) => `word ${i}`))
    expect((await home.get('search?query=x&limit=101')).status).toBe(422)
    expect((await home.get('search?query=x&limit=101&level=token')).status).toBe(422)
  })

  it('leaves out tokens without a vector, as a view of a version before migration 031 writes them', async () => {
    const home = await aHome()
    const { tokens } = withTokens({ unread: 0 })
    await writer.scored(
      { namespace: home.namespace, article_id: 'art_1', tokens, token_vectors: i8('test:term', 384, []) },
      { namespace: home.namespace, article_id: 'art_2', ...withTokens({ read: 10 }) },
    )

    expect(await home.words()).toEqual(['read'])
  })

  it('leaves out articles below min_quality, and their tokens', async () => {
    const home = await aHome()
    await writer.scored(
      { namespace: home.namespace, article_id: 'art_low', quality_score: 0.499, ...withTokens({ low: 0 }) },
      { namespace: home.namespace, article_id: 'art_edge', quality_score: 0.5, ...withTokens({ edge: 0 }) },
    )

    expect(await home.ids('&min_quality=0.5')).toEqual(['art_edge'])
    expect(await home.words('&min_quality=0.5')).toEqual(['edge'])
    expect(await home.ids('&min_quality=1')).toEqual([])
    expect(await home.words('&min_quality=1')).toEqual([])
  })

  it('reads the newest revision as of a moment, never an older one', async () => {
    const home = await aHome()
    const article_id = 'art_1'
    const first = { content_hash: 'a', embedding: at(0), ...withTokens({ old: 0 }) }
    const second = { content_hash: 'b', embedding: at(80), quality_score: 0.6, ...withTokens({ new: 80 }) }
    const { namespace } = home
    await writer.scored({ namespace, article_id, ...first, occurred_at: A_DAY - DAY_MS })
    await writer.scored({ namespace, article_id: 'art_2', embedding: at(40), occurred_at: A_DAY - 2 * DAY_MS })
    await writer.scored({ namespace, article_id, ...second, occurred_at: A_NOON })
    await writer.scored({ namespace, article_id, ...first, occurred_at: A_DAY - DAY_MS }) // no way back

    expect(await home.ids()).toEqual(['art_2', 'art_1'])
    expect(await home.ids('&min_quality=0.7')).toEqual(['art_2'])
    expect(await home.words()).toEqual(['new'])
    expect(await home.ids('&as_of=2016-05-03T11:00:00Z')).toEqual(['art_1', 'art_2'])
    expect(await home.words('&as_of=2016-05-03T11:00:00Z')).toEqual(['old'])
    expect(await home.ids('&as_of=2016-05-02T11:00:00Z')).toEqual(['art_2'])
    expect(await home.words('&as_of=2016-05-02T11:00:00Z')).toEqual([])
  })

  it('continues the search if many nearer revisions are superseded', async () => {
    const home = await aHome()
    const { namespace } = home
    const many = Array.from({ length: 60 }, (_, i) => `art_${String(i + 10)}`)
    await writer.scored(...many.map((article_id) => ({ namespace, article_id, content_hash: 'a', embedding: at(0) })))
    await writer.scored(...many.map((article_id) => ({ namespace, article_id, content_hash: 'b', embedding: at(90) })))
    await writer.scored({ namespace, article_id: 'art_far', embedding: at(60) })

    expect(await home.ids('&limit=3')).toEqual(['art_far', 'art_10', 'art_11'])
  })

  it('returns the story of each article at `as_of`', async () => {
    const home = await aHome()
    const { namespace } = home
    const came = { namespace, occurred_at: A_DAY - 2 * DAY_MS }
    await writer.scored(
      { ...came, article_id: 'art_stays', embedding: at(0) },
      { ...came, article_id: 'art_moves', embedding: at(10) },
      { ...came, article_id: 'art_late', embedding: at(20) },
      { ...came, article_id: 'art_alone', embedding: at(30) },
    )
    await writer.clustered(
      { ...came, article_id: 'art_stays', cluster_id: 'sto_old' },
      { ...came, article_id: 'art_moves', cluster_id: 'sto_old' },
      { namespace, article_id: 'art_late', cluster_id: 'sto_new', occurred_at: A_DAY - DAY_MS },
    )
    const moved = { action: 'moved', to: 'sto_new', from_cluster_id: 'sto_old', article_ids: ['art_moves'] } as const
    await writer.write(articlesClustered, [aStoryChange({ namespace, occurred_at: A_DAY - DAY_MS, ...moved })])

    expect(await home.stories()).toEqual(['sto_old', 'sto_new', 'sto_new', null])
    expect(await home.stories('&as_of=2016-05-02T11:00:00Z')).toEqual(['sto_old', 'sto_old', null, null])
  })

  it('returns nothing of another namespace', async () => {
    const [home, other] = [await aHome(), await aHome()]
    await writer.scored({ namespace: home.namespace, article_id: 'art_1', ...withTokens({ mine: 0 }) })
    await writer.clustered({ namespace: other.namespace, article_id: 'art_1', cluster_id: 'sto_theirs' })

    expect(await other.ids()).toEqual([])
    expect(await other.words()).toEqual([])
    expect(await home.stories()).toEqual([null])
  })
})

describe('GET /layer0/v1/search across languages', () => {
  const GERMAN = encodeURIComponent('Die Brücke wird wegen Bauarbeiten gesperrt')
  let multilingual: TestApi
  beforeAll(async () => {
    const encode = (texts: readonly unknown[]) => Promise.resolve(texts.map(() => axisVector(0)))
    multilingual = await anApi({ store, crossEncoder: () => Promise.resolve({ encode }) })
  })
  afterAll(() => multilingual.stop())

  const inKind = (kind: string, degrees: number) => i8(`test:${kind}`, 384, [away(degrees)])
  /** An English article: near or far by the English encoder, and by its title's cross vector. */
  const english = (article_id: string, { vector = 90, title = 90 }) =>
    ({ article_id, language: 'en', embedding: at(vector), cross_title_vector: inKind('cross-title', title) }) as const
  /** A German article: its English vector is nearest to every query and must not count. */
  const german = (article_id: string, text: number) =>
    ({
      ...{ article_id, language: 'de', embedding: at(0), cross_title_vector: inKind('cross-title', 170) },
      cross_vector: inKind('cross', text),
    }) as const

  async function aCorpus(...events: Partial<ArticleScored>[]) {
    const namespace = `test-${randomBytes(8).toString('hex')}`
    const key = await multilingual.key({ namespace, tier: 'enterprise' })
    await writer.scored(...events.map((event) => ({ namespace, ...event })))
    const get = async (path: string) => {
      const response = await multilingual.get(`/layer0/v1/${path}`, key)
      return { body: (await response.json()) as Record<string, unknown> }
    }
    return {
      namespace,
      ids: (query: string) => found(get, `search?query=${query}`, 'article_id'),
      words: (query: string) => found(get, `search?query=${query}&level=token`, 'text'),
      languages: (query: string) => found(get, `search?query=${query}`, 'language'),
    }
  }

  it('lists English articles first for an English query, then others by their cross vector', async () => {
    const corpus = await aCorpus(
      english('art_en_far', { vector: 80, title: 0 }),
      german('art_de_far', 60),
      english('art_en_near', { vector: 20 }),
      german('art_de_near', 10),
    )

    expect(await corpus.ids('bridge')).toEqual(['art_en_near', 'art_en_far', 'art_de_near', 'art_de_far'])
    expect(await corpus.ids('bridge&limit=2')).toEqual(['art_en_near', 'art_en_far'])
    expect(await corpus.languages('bridge&limit=3')).toEqual(['en', 'en', 'de'])
  })

  it('finds an English article for a query in German, by the distance of cross vectors', async () => {
    const corpus = await aCorpus(
      german('art_de_near', 10),
      english('art_en', { vector: 170, title: 20 }),
      german('art_de_far', 30),
    )

    expect(await corpus.ids(GERMAN)).toEqual(['art_de_near', 'art_en', 'art_de_far'])
  })

  it('returns only articles in the requested languages, and their tokens', async () => {
    const corpus = await aCorpus(
      { ...english('art_en', { vector: 0, title: 0 }), ...withTokens({ bridge: 0 }) },
      { ...german('art_de', 40), ...withTokens({ bruecke: 10 }) },
      { ...german('art_fr', 30), language: 'fr', ...withTokens({ pont: 20 }) },
      { ...english('art_und', { vector: 10 }), language: 'und', ...withTokens({ most: 30 }) },
    )

    for (const query of ['bridge', GERMAN]) {
      expect(await corpus.ids(`${query}&languages=de`)).toEqual(['art_de'])
      expect(await corpus.ids(`${query}&languages=de,fr`)).toEqual(['art_fr', 'art_de'])
      expect(await corpus.ids(`${query}&languages=pt`)).toEqual([])
      expect(await corpus.words(`${query}&languages=de,und`)).toEqual(['bruecke', 'most'])
    }
    expect(await corpus.ids('bridge&languages=en,de&limit=1')).toEqual(['art_en'])
    expect(await corpus.ids('bridge&languages=und,de')).toEqual(['art_und', 'art_de'])
  })

  it('ranks rows of before migration 034, which have no cross vector, by the English encoder', async () => {
    const corpus = await aCorpus(english('art_new', { vector: 40, title: 40 }), german('art_de', 50))
    const { namespace } = corpus
    const since034 = ['language', 'cross_vector']
    const old = [english('art_old_near', { vector: 10 }), english('art_old_far', { vector: 60 })]
    const rows = old.flatMap((event, offset) =>
      articleRows(anInput(aScoredArticle({ namespace, ...event }), { offset })),
    )
    await store.insert(
      'article_vectors',
      rows
        .filter(({ table }) => table === 'article_vectors')
        .map(({ row }) => Object.fromEntries(Object.entries(row).filter(([column]) => !since034.includes(column)))),
    )

    expect(await corpus.ids('bridge')).toEqual(['art_old_near', 'art_new', 'art_old_far', 'art_de'])
    expect(await corpus.languages('bridge')).toEqual(['und', 'en', 'und', 'de'])
    expect(await corpus.ids(GERMAN)).toEqual(['art_new', 'art_de', 'art_old_near', 'art_old_far'])
    expect(await corpus.ids(`${GERMAN}&limit=1`)).toEqual(['art_new'])
  })

  it('ranks an article by its newest revision, whatever the language of an older one', async () => {
    const corpus = await aCorpus(
      { ...english('art_1', { vector: 0, title: 0 }), content_hash: 'a' },
      { ...german('art_1', 80), content_hash: 'b' },
      english('art_2', { vector: 50, title: 50 }),
    )

    expect(await corpus.ids('bridge')).toEqual(['art_2', 'art_1'])
    expect(await corpus.ids(GERMAN)).toEqual(['art_2', 'art_1'])
  })

  it('with English only, ranks all articles by the English encoder, whatever they have', async () => {
    const home = await aHome()
    const { namespace } = home
    await writer.scored(
      { namespace, ...english('art_en', { vector: 10, title: 0 }) },
      { namespace, ...german('art_de', 90) },
    )

    expect(await home.ids()).toEqual(['art_de', 'art_en'])
    expect(await home.ids('&languages=en')).toEqual(['art_en'])
  })
})

describe('GET /layer0/v1/embeddings/{embedding_id}', () => {
  it('resolves the embedding_id of each revision', async () => {
    const home = await aHome()
    const revision = (content_hash: string, axis: number) => ({
      namespace: home.namespace,
      article_id: 'art_1',
      content_hash,
      embedding: f32('test:mix', axisVector(axis)),
    })
    await writer.scored(revision('a', 1))
    const first = String((await home.get('article/art_1')).body['embedding_id'])
    await writer.scored(revision('b', 2))
    const second = String((await home.get('article/art_1')).body['embedding_id'])
    const shared = { article_id: 'art_1', model: 'test:mix', dim: 384 }

    expect(await home.get(`embeddings/${first}`)).toEqual({
      status: 200,
      body: { ...shared, embedding_id: first, revision: 1, embedding: [...axisVector(1)] },
    })
    expect((await home.get(`embeddings/${second}`)).body).toEqual({
      ...{ ...shared, embedding_id: second, revision: 2, embedding: [...axisVector(2)] },
    })
    expect((await home.get('article/art_1?include_embedding=true')).body['embedding']).toEqual([...axisVector(2)])
    expect(await (await aHome()).get(`embeddings/${first}`)).toMatchObject({
      status: 404,
      body: { code: 'embedding_not_found' },
    })
  })
})

describe('GET /layer0/v1/article/{article_id}', () => {
  it('recognises a reprint among articles that were never clustered', async () => {
    const home = await aHome()
    const { namespace } = home
    await writer.scored(
      { namespace, article_id: 'art_late', semantic_hash: 'same', occurred_at: A_DAY },
      { namespace, article_id: 'art_early', semantic_hash: 'same', occurred_at: A_DAY - DAY_MS },
      { namespace, article_id: 'art_alone', semantic_hash: 'other' },
    )
    const group = syndicationGroup(namespace, 'art_early')
    const origin = (is_duplicate_of: string | null, syndication_group: string | null) => ({
      body: { is_duplicate_of, syndication_group, derived_from: null },
    })

    expect(await home.get('article/art_late')).toMatchObject(origin('art_early', group))
    expect(await home.get('article/art_early')).toMatchObject(origin(null, group))
    expect(await home.get('article/art_alone')).toMatchObject(origin(null, null))
    expect(await home.get('article/art_early?as_of=2016-05-02T13:00:00Z')).toMatchObject(origin(null, null))
  })
})
