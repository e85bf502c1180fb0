import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import type { ArticleClustered } from '../../../src/events/ledger.ts'
import { articlesClustered } from '../../../src/events/ledger.ts'
import { clusterId } from '../../../src/events/ids.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { VIEWS_DATABASE } from '../../engines.ts'
import { anApi, type TestApi } from '../../builders/api.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aClusteredArticle, anEntity, ViewWriter } from '../../builders/views.ts'

const HOUR_MS = 3_600_000
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

interface ViewsRoutesHome {
  readonly namespace: string
  get(path: string): Promise<ViewsRoutesAnswer>
}
interface ViewsRoutesAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly link: string | null
}

/** A new namespace with a professional key. */
async function aHome(tier: 'starter' | 'professional' = 'professional'): Promise<ViewsRoutesHome> {
  const namespace = `test-${randomBytes(8).toString('hex')}`
  const key = await api.key({ namespace, tier })
  return {
    namespace,
    get: async (path) => {
      const response = await api.get(path, key)
      const body = (await response.json()) as Record<string, unknown>
      return { status: response.status, body, link: response.headers.get('link') }
    },
  }
}

interface ViewsRoutesStory {
  readonly count?: number
  readonly hours?: number
  readonly languages?: readonly string[]
}

/** `count` articles of one story, the first of them `hours` before noon, an hour apart, each from its own source. */
async function aStory(
  namespace: string,
  name: string,
  { count = 2, hours = 3, languages = [] }: ViewsRoutesStory = {},
): Promise<string> {
  const cluster_id = clusterId(namespace, `art_${name}_0`)
  const events = Array.from({ length: count }, (_, i): ArticleClustered =>
    aClusteredArticle({
      namespace,
      cluster_id,
      article_id: `art_${name}_${i}`,
      action: i === 0 ? 'opened' : 'joined',
      occurred_at: A_DAY - (hours - i) * HOUR_MS,
      member: {
        ...aStoryArticle().member,
        ...{ title: `${name} ${i}`, source: `source ${i}`, publisher: `source ${i}`, semantic_hash: `${name}${i}` },
        language: languages[i] ?? 'en',
      },
    }),
  )
  await writer.write(articlesClustered, events)
  return cluster_id
}

describe('GET /v1/clusters', () => {
  it('responds as the contract states', async () => {
    const home = await aHome()
    const id = await aStory(home.namespace, 'bridge')
    await aStory(home.namespace, 'alone', { count: 1 })
    await aStory(home.namespace, 'old', { hours: 30 })

    const { status, body } = await home.get('/v1/clusters')

    expect(status).toBe(200)
    expect(body).toEqual({
      clusters: [
        {
          id,
          kind: 'event',
          title: 'bridge 0',
          article_count: 2,
          source_count: 2,
          origin_count: 2,
          publisher_count: 2,
          confidence: 1,
          membership: 'provisional',
          created_at: '2016-05-03T09:00:00.000Z',
          updated_at: '2016-05-03T10:00:00.000Z',
          primary_entities: ['ent_mayor'],
          sentiment_distribution: { positive: 0, neutral: 1, negative: 0 },
          categories: [],
          geographic_spread: [],
          languages: ['en'],
          articles: ['art_bridge_0', 'art_bridge_1'],
        },
      ],
      total: 1,
      page: 1,
      next_cursor: null,
    })
  })

  it('filters by topic, sources, articles, time range and point in time', async () => {
    const home = await aHome()
    const bridge = await aStory(home.namespace, 'bridge', { count: 3 })
    const old = await aStory(home.namespace, 'old', { hours: 30 })
    const ids = async (query: string) => {
      const { clusters } = (await home.get(`/v1/clusters?${query}`)).body
      return (clusters as { id: string }[]).map(({ id }) => id)
    }

    expect(await ids('time_range=7d&sort=recency')).toEqual([bridge, old])
    expect(await ids('time_range=7d&topic=OLD%20quill')).toEqual([old])
    expect(await ids('time_range=7d&min_articles=3')).toEqual([bridge])
    expect(await ids('time_range=7d&min_sources=3')).toEqual([bridge])
    expect(await ids('as_of=2016-05-02T12:00:00')).toEqual([old])
    expect(await ids('as_of=2016-05-02')).toEqual([])
  })

  it.each(['clusters', 'stories'] as const)(
    'filters /v1/%s by the languages of the articles at `as_of`',
    async (list) => {
      const home = await aHome()
      const bridge = await aStory(home.namespace, 'bridge', { languages: ['en', 'de'] }) // at 9:00 and 10:00
      const dam = await aStory(home.namespace, 'dam', { hours: 4, languages: ['fr', 'und'] })
      const port = await aStory(home.namespace, 'port', { hours: 5 })
      const listed = async (query: string) => {
        const { body } = await home.get(`/v1/${list}?sort=recency&${query}`)
        return body[list] as { id: string; languages: string[] }[]
      }
      const ids = async (query: string) => (await listed(query)).map(({ id }) => id)

      expect((await listed('')).map(({ languages }) => languages)).toEqual([['de', 'en'], ['fr', 'und'], ['en']])
      expect(await ids('languages=de')).toEqual([bridge])
      expect(await ids('languages=fr,%20de')).toEqual([bridge, dam])
      expect(await ids('languages=und')).toEqual([dam])
      expect(await ids('languages=en')).toEqual([bridge, port])
      expect(await ids('languages=pt')).toEqual([])
      expect(await ids('languages=de&as_of=2016-05-03T09:30:00Z&min_articles=1')).toEqual([])
      expect(await ids('languages=en&as_of=2016-05-03T09:30:00Z&min_articles=1')).toEqual([bridge, port])
    },
  )

  it('continues a list filtered by languages, in whatever order they are given', async () => {
    const home = await aHome()
    await aStory(home.namespace, 'bridge', { languages: ['de', 'de'] })
    const dam = await aStory(home.namespace, 'dam', { hours: 4, languages: ['fr', 'fr'] })
    const { next_cursor, total } = (await home.get('/v1/clusters?sort=recency&limit=1&languages=de,fr')).body
    const next = (languages: string) =>
      home.get(`/v1/clusters?sort=recency&limit=1&languages=${languages}&cursor=${String(next_cursor)}`)

    expect(total).toBe(2)
    expect((await next('fr,de')).body).toMatchObject({ clusters: [{ id: dam }] })
    expect((await next('fr')).status).toBe(422)
  })

  it.each(['relevance', 'recency', 'coverage'])(
    'returns the same list by page and by cursor, sorted by %s',
    async (sort) => {
      const home = await aHome()
      for (const [i, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
        await aStory(home.namespace, name, { hours: 3 + (i % 3), count: 2 + (i % 2) })
      }
      const all = ((await home.get(`/v1/clusters?sort=${sort}`)).body['clusters'] as { id: string }[]).map(
        ({ id }) => id,
      )
      const byPage: string[] = []
      const byCursor: string[] = []

      for (const page of [1, 2, 3]) {
        const { body } = await home.get(`/v1/clusters?sort=${sort}&limit=2&page=${page}`)
        expect(body).toMatchObject({ total: 5, page })
        byPage.push(...(body['clusters'] as { id: string }[]).map(({ id }) => id))
      }
      for (let path: string | null = `/v1/clusters?sort=${sort}&limit=2`; path !== null;) {
        const { body, link }: ViewsRoutesAnswer = await home.get(path)
        expect(body).toMatchObject({ total: 5, page: byCursor.length / 2 + 1 })
        byCursor.push(...(body['clusters'] as { id: string }[]).map(({ id }) => id))
        path = /<(.+)>; rel="next"/.exec(link ?? '')?.[1] ?? null
      }

      expect(all).toHaveLength(5)
      expect(byPage).toEqual(all)
      expect(byCursor).toEqual(all)
      expect((await home.get(`/v1/clusters?sort=${sort}&page=9`)).body).toMatchObject({
        clusters: [],
        total: 5,
        page: 9,
      })
    },
  )

  it.each([
    'limit=101',
    'limit=0',
    'page=0',
    'min_sources=-1',
    'time_range=2h',
    'sort=newest',
    'cursor=nonsense',
    'as_of=soon',
    'languages=german',
  ])('refuses %s', async (parameter) => {
    const { status, body } = await (await aHome()).get(`/v1/clusters?${parameter}`)

    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: parameter.split('=')[0] }] })
  })

  it('rejects a cursor of another query', async () => {
    const home = await aHome()
    await aStory(home.namespace, 'a')
    await aStory(home.namespace, 'b')
    const { next_cursor } = (await home.get('/v1/clusters?limit=1')).body

    expect((await home.get(`/v1/clusters?cursor=${String(next_cursor)}&sort=recency`)).status).toBe(422)
    expect((await home.get(`/v1/clusters?cursor=${String(next_cursor)}&as_of=2016-01-01`)).status).toBe(422)
    expect((await (await aHome()).get(`/v1/clusters?cursor=${String(next_cursor)}`)).status).toBe(422)
  })
})

describe('GET /v1/clusters/{cluster_id}', () => {
  it('returns all fields of the story', async () => {
    const home = await aHome()
    const id = await aStory(home.namespace, 'bridge')

    const { status, body } = await home.get(`/v1/clusters/${id}`)

    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      article_count: 2,
      membership: 'provisional',
      representative_article_id: 'art_bridge_0',
      origin_count: 2,
      publisher_count: 2,
      summary: [],
      split_into: [],
      merged_into: null,
      first_published: '2016-05-03T00:00:00.000Z',
      members: [
        { article_id: 'art_bridge_0', title: 'bridge 0', source: 'source 0', similarity: 1, is_duplicate_of: null },
        { article_id: 'art_bridge_1' },
      ],
      entities: {
        PERSON: [{ id: 'ent_mayor', name: 'Ada Quill', mention_count: 4, article_count: 2 }],
        ORG: [],
        GPE: [],
        LOC: [],
        EVENT: [],
      },
      history: [{ type: 'opened', at: '2016-05-03T09:00:00.000Z', article_id: 'art_bridge_0' }],
    })
  })

  it('returns 404 for an unknown story, one of another namespace, and one that does not exist yet', async () => {
    const home = await aHome()
    const id = await aStory(home.namespace, 'bridge')
    const notFound = { status: 404, body: { code: 'cluster_not_found' } }

    expect(await home.get('/v1/clusters/sto_none')).toMatchObject(notFound)
    expect(await (await aHome()).get(`/v1/clusters/${id}`)).toMatchObject(notFound)
    expect(await home.get(`/v1/clusters/${id}?as_of=2016-05-01`)).toMatchObject(notFound)
  })

  it('returns the decision about a member', async () => {
    const home = await aHome()
    const id = await aStory(home.namespace, 'bridge')

    expect(await home.get(`/v1/clusters/${id}/members/art_bridge_0/why`)).toMatchObject({
      status: 200,
      body: {
        cluster_id: id,
        article_id: 'art_bridge_0',
        action: 'opened',
        chosen: null,
        runner_up: null,
        threshold: 0.75,
      },
    })
    expect((await home.get(`/v1/clusters/${id}/members/art_none/why`)).body).toMatchObject({
      code: 'article_not_found',
    })
    expect((await home.get('/v1/clusters/sto_none/members/art_bridge_0/why')).body).toMatchObject({
      code: 'cluster_not_found',
    })
  })
})

describe('GET /v1/entities', () => {
  it('responds as the contract states, page by page', async () => {
    const home = await aHome()
    const entities = [anEntity('Ada Quill', 'PERSON', [0, 9]), anEntity('Oslo', 'GPE'), anEntity('May', 'DATE')]
    await writer.analyzed({ namespace: home.namespace, article_id: 'art_1', entities, occurred_at: A_DAY - HOUR_MS })

    const first = await home.get('/v1/entities?limit=1')
    const second = await home.get(`/v1/entities?limit=1&cursor=${String(first.body['next_cursor'])}`)

    expect(first.body).toMatchObject({
      entities: [
        {
          name: 'Ada Quill',
          type: 'PERSON',
          mention_count: 2,
          article_count: 1,
          first_seen: '2016-05-03T11:00:00.000Z',
          last_seen: '2016-05-03T11:00:00.000Z',
          article_ids: ['art_1'],
        },
      ],
      total: 2,
      query: '',
      type_filter: null,
      time_range: '24h',
    })
    expect(second.body).toMatchObject({ entities: [{ name: 'Oslo' }], total: 2, next_cursor: null })
    expect((await home.get('/v1/entities?query=osl&type=GPE')).body).toMatchObject({
      total: 1,
      query: 'osl',
      type_filter: 'GPE',
    })
    expect((await home.get('/v1/entities?type=PERSON&min_mentions=3')).body).toMatchObject({ entities: [], total: 0 })
    expect((await home.get('/v1/entities?as_of=2016-05-03T10:00:00Z')).body).toMatchObject({ entities: [] })
    expect((await home.get('/v1/entities?type=DATE')).status).toBe(422)
  })
})

describe('GET /echo/v1/echo/story/{story_id}', () => {
  it('returns one record per platform to tiers that include it', async () => {
    const home = await aHome()
    await writer.clustered({ namespace: home.namespace, cluster_id: 'sto_1' })
    await writer.enriched({ namespace: home.namespace, cluster_id: 'sto_1' })

    expect(await home.get('/echo/v1/echo/story/sto_1')).toMatchObject({
      status: 200,
      body: {
        story_id: 'sto_1',
        count: 1,
        enrichments: [
          {
            platform: 'reddit',
            controversy_score: 0.4,
            counter_narrative_summary: null,
            evidence: { novel_entities: { 'Bo Reed': ['https://reddit.example/1'] }, counter_narrative: [] },
            sample: { posts: 12, authors: 9, window: { end: '2016-05-03T12:00:00.000Z' } },
          },
        ],
      },
    })
    expect(await home.get('/echo/v1/echo/story/sto_2')).toMatchObject({ status: 404, body: { code: 'no_enrichment' } })
    expect(await (await aHome()).get('/echo/v1/echo/story/sto_1')).toMatchObject({ status: 404 })
    expect(await (await aHome('starter')).get('/echo/v1/echo/story/sto_1')).toMatchObject({
      status: 403,
      body: { code: 'tier_restricted' },
    })
  })
})
