import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { articlesAnalyzed, type ArticleAnalyzed } from '../../../src/events/articles.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { VIEWS_DATABASE } from '../../engines.ts'
import { aCodec, anApi, type TestApi } from '../../builders/api.ts'
import { anEntity, ViewWriter } from '../../builders/views.ts'

/** Results of Layer 1, computed and stored, through the real store. */

const store = clickhouseStore({ ...inject('engines').clickhouse, database: VIEWS_DATABASE })
const writer = new ViewWriter(store)
const apis: TestApi[] = []

const instance = async (): Promise<TestApi> => {
  const api = await anApi({ store })
  apis.push(api)
  return api
}

beforeAll(async () => {
  await migrate(store, { replicated: false })
})

afterAll(async () => {
  await Promise.all(apis.map((api) => api.stop()))
  await store.close()
})

type Layer1StoredAnswer = Record<string, unknown> & { stats: Record<string, unknown> }

const CONTENT =
  'The U.S. president, Donald Trump, met Angela Merkel in Paris, Texas, on 3 May 2016. He promised $5 million to the ' +
  'United Nations before Mr. Trump left France for the Black Sea. Ms. Merkel said on Monday that the Olympics would ' +
  'cost 20 million euros.'

const article = { article_id: 'art_x', title: 'Leaders meet', content: CONTENT, published_date: '2016-05-03T08:00:00Z' }

async function aHome() {
  const namespace = `test-${randomBytes(8).toString('hex')}`
  const events = (api: TestApi): Promise<ArticleAnalyzed[]> =>
    Promise.all(
      api.log.records(articlesAnalyzed.name).map(async ({ value }) => {
        const decoded = await aCodec().decode(articlesAnalyzed, value ?? Buffer.alloc(0))
        if (decoded.kind === 'malformed') throw new Error(decoded.reason)
        return decoded.event
      }),
    )
  return {
    namespace,
    events,
    /** The response of an instance that reads only the view. */
    process: async (body: unknown, path = '/layer1/v1/process') => {
      const api = await instance()
      const answer = await api.post(path, body, await api.key({ namespace, tier: 'enterprise' }))
      expect(answer.status).toBe(200)
      return { body: (await answer.json()) as Layer1StoredAnswer, events: await events(api) }
    },
    mentions: async () => {
      const api = await instance()
      const key = await api.key({ namespace, tier: 'enterprise' })
      const answer = await api.get('/layer1/v1/entities?limit=100', key)
      const { entities } = (await answer.json()) as { entities: { name: string; mention_count: number }[] }
      return Object.fromEntries(entities.map(({ name, mention_count }) => [name, mention_count]))
    },
  }
}

/** The same, as returned for a known article; log times are not compared. */
const kept = (answer: Layer1StoredAnswer) => ({
  ...answer,
  sentences: undefined,
  processed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
  stats: { ...answer.stats, processing_time_ms: 0 },
})

it('the view returns a stored result unchanged, to the last digit', async () => {
  const { namespace, process, mentions } = await aHome()
  const first = await process(article)
  await writer.write(articlesAnalyzed, first.events)

  const again = await process(article)

  expect(first.body).toMatchObject({ entities: { PERSON: ['Donald Trump', 'Angela Merkel'] } })
  expect(again.body).toEqual(kept(first.body))
  expect(again.body).not.toHaveProperty('sentences')
  expect(again.events).toEqual([])
  expect(first.events).toMatchObject([{ namespace, direct: true }])
  expect(await mentions()).toMatchObject({ 'Donald Trump': 2, 'Angela Merkel': 2 })
})

it('returns the location of a place, the time of a date and the amount of a sum', async () => {
  const { namespace, process } = await aHome()
  const place = { country: 'US', latitude: 33.66094, longitude: -95.555513, within: ['Texas', 'United States'] }
  const sea = { country: null, latitude: 43, longitude: 34, within: [] }
  await writer.analyzed({
    namespace,
    article_id: 'art_x',
    entities: [
      { ...anEntity('Paris', 'GPE', [40, 10]), place },
      { ...anEntity('Black Sea', 'LOC', [20]), place: sea },
      anEntity('Nowhere', 'LOC', [30]),
      { ...anEntity('last Tuesday', 'DATE', [50]), time: { start: '2016-04-26', end: '2016-04-26' } },
      anEntity('one day', 'DATE', [60]),
      { ...anEntity('$5.5 million', 'MONEY', [0]), money: { amount: 5_500_000, currency: 'USD' } },
    ],
  })

  expect((await process({ article_id: 'art_x', content: 'anything' })).body).toMatchObject({
    stats: { entity_count: 6, location_count: 3 },
    entities: {
      GPE: ['Paris'],
      LOC: ['Black Sea', 'Nowhere'],
      DATE: ['last Tuesday', 'one day'],
      MONEY: ['$5.5 million'],
    },
    locations: ['Paris', 'Black Sea', 'Nowhere'],
    places: [
      { name: 'Paris', type: 'GPE', ...place },
      { name: 'Black Sea', type: 'LOC', ...sea },
    ],
    times: [{ name: 'last Tuesday', start: '2016-04-26', end: '2016-04-26' }],
    money: [{ name: '$5.5 million', amount: 5_500_000, currency: 'USD' }],
  })
})

it("a direct analysis is replaced by the pipeline's own, which counts once, in any order and number of arrivals", async () => {
  for (const order of [
    ['direct', 'own'],
    ['own', 'direct'],
    ['direct', 'direct', 'own', 'own'],
  ]) {
    const { process, mentions } = await aHome()
    const [direct] = (await process(article)).events
    if (direct === undefined) throw new Error('nothing was written')
    const own = {
      ...direct,
      event_id: 'own',
      direct: false,
      sentiment_score: 0.99,
      sentiment_label: 'positive' as const,
    }
    for (const which of order) await writer.write(articlesAnalyzed, [which === 'own' ? own : direct])

    expect((await process(article)).body).toMatchObject({ sentiment_score: 0.99, sentiment_label: 'positive' })
    expect(await mentions()).toMatchObject({ 'Donald Trump': 2, 'Angela Merkel': 2 })
  }
})

it('returns each article of a batch with its own result, of the newest revision', async () => {
  const { process } = await aHome()
  const articles = ['Angela Merkel spoke.', 'Barack Obama spoke.', 'It rained.'].map((content, i) => ({
    article_id: `art_${i}`,
    content,
  }))
  const first = await process({ articles }, '/layer1/v1/process/batch')
  await writer.write(articlesAnalyzed, first.events)
  const [one] = first.events
  if (one === undefined) throw new Error('nothing was written')
  await writer.write(articlesAnalyzed, [{ ...one, content_hash: 'newer', entities: [] }])

  const again = await process({ articles: articles.toReversed() }, '/layer1/v1/process/batch')

  expect(first.body).toMatchObject({ success: true, total: 3 })
  expect(again.events).toEqual([])
  expect(again.body).toMatchObject({
    success: true,
    total: 3,
    results: [
      { article_id: 'art_2', stats: { entity_count: 0, processing_time_ms: 0 } },
      { article_id: 'art_1', entities: { PERSON: ['Barack Obama'] }, stats: { processing_time_ms: 0 } },
      { article_id: 'art_0', entities: { PERSON: [] }, stats: { processing_time_ms: 0 } },
    ],
  })
})

it('a result of one namespace is unknown in another', async () => {
  const [one, other] = [await aHome(), await aHome()]
  await writer.write(articlesAnalyzed, (await one.process(article)).events)

  expect((await other.process(article)).body).toHaveProperty('sentences')
})
