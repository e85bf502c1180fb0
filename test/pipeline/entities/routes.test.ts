import { describe, expect, it } from 'vitest'
import type { Entity } from '../../../src/events/articles.ts'
import { entityId } from '../../../src/events/ids.ts'
import { A_DAY } from '../../builders/articles.ts'
import { anEntity } from '../../builders/views.ts'
import { homes, viewsDatabase, type ViewsDatabaseAnswer } from '../views-database.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const { store, writer } = viewsDatabase()
const aHome = homes(store)

/** `name` with one mention for each sentiment. */
const spokenOf = (name: string, sentiments: readonly number[], over: Partial<Entity> = {}): Entity => ({
  ...anEntity(name, over.type ?? 'PERSON'),
  ...over,
  mentions: sentiments.map((sentiment_score, i) => ({
    ...{ surface: name, start: i * 40, end: i * 40 + name.length, sentence: 0 },
    sentiment_score,
  })),
})

/** An article about `entities`, `hours` before noon of `A_DAY`. */
const says = async (namespace: string, article_id: string, hours: number, ...entities: Entity[]) => {
  const at = A_DAY - hours * HOUR_MS
  await writer.analyzed({ namespace, article_id, entities, occurred_at: at, published_date: at, title: article_id })
}

const aQuill = entityId('PERSON', 'Ada Quill')

/** Ada Quill in three articles on three days, with Oslo in two of them and Acme in one. */
async function aHomeWithNews() {
  const home = await aHome()
  const place = { country: 'NO', latitude: 59.9, longitude: 10.7, within: ['Norway', 'Europe'] }
  const oslo = spokenOf('Oslo', [0], { ...anEntity('Oslo', 'GPE'), wikidata_id: 'Q585', place })
  const monday = spokenOf('Monday', [0], {
    ...anEntity('Monday', 'DATE'),
    time: { start: '2016-05-02', end: '2016-05-02' },
  })
  await says(home.namespace, 'art_1', 60, spokenOf('Ada Quill', [0.5, 0.1]), oslo, anEntity('Acme', 'ORG'))
  await says(home.namespace, 'art_2', 30, spokenOf('Ada Quill', [-0.6]), oslo, monday)
  await says(home.namespace, 'art_3', 1, spokenOf('Ada Quill', [0, 0.1, 0.2]))
  return home
}

const names = ({ body }: ViewsDatabaseAnswer): string[] =>
  (body['entities'] as { name: string }[]).map(({ name }) => name)
const refused = (path: string) => ({ status: 422, body: { code: 'validation_failed', errors: [{ path }] } })
const unknown = (name: string) => ({
  status: 404,
  body: { code: 'entity_not_found', detail: `Entity not found: ${name}` },
})

describe('a name that is not canonical', () => {
  it('resolves to the entity that articles most often call so', async () => {
    const home = await aHome()
    const called = (entity: Entity, surface: string): Entity => ({
      ...entity,
      mentions: entity.mentions.map((mention) => ({ ...mention, surface })),
    })
    await says(home.namespace, 'art_1', 2, called(anEntity('United States', 'GPE'), 'USA'))
    await says(home.namespace, 'art_2', 2, called(anEntity('United States', 'GPE'), 'USA'))
    await says(home.namespace, 'art_3', 2, called(anEntity('University of South Alabama', 'ORG'), 'USA'))

    expect((await home.get('/v1/entities/usa')).body).toMatchObject({ name: 'United States', aliases: ['USA'] })
    expect((await home.get('/layer1/v1/entities/USA/timeline')).body).toMatchObject({ total_mentions: 2 })
    expect((await home.get('/layer1/v1/entities/USA/timeline?type=ORG')).body).toMatchObject({ total_mentions: 1 })
    expect(await home.get('/v1/entities/USAF')).toMatchObject(unknown('USAF'))
  })
})

describe.each([
  ['/v1/entities', '24h'],
  ['/layer1/v1/entities', null],
])('GET %s', (path, byDefault) => {
  it('returns the envelope of the contract', async () => {
    const home = await aHomeWithNews()
    const figures = { id: aQuill, name: 'Ada Quill', type: 'PERSON' }
    const { status, body } = await home.get(path)

    expect(status).toBe(200)
    expect(body).toEqual({
      entities:
        byDefault === null
          ? [
              { ...figures, mention_count: 6, article_count: 3 },
              { id: entityId('GPE', 'Oslo'), name: 'Oslo', type: 'GPE', mention_count: 2, article_count: 2 },
              ...[
                { id: entityId('ORG', 'Acme'), name: 'Acme', type: 'ORG', mention_count: 1, article_count: 1 },
                { id: entityId('DATE', 'Monday'), name: 'Monday', type: 'DATE', mention_count: 1, article_count: 1 },
              ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
            ]
          : [
              {
                ...{ ...figures, mention_count: 3, article_count: 1, article_ids: ['art_3'] },
                first_seen: '2016-05-03T11:00:00.000Z',
                last_seen: '2016-05-03T11:00:00.000Z',
              },
            ],
      total: byDefault === null ? 4 : 1,
      query: '',
      type_filter: null,
      time_range: byDefault,
      next_cursor: null,
    })
  })

  it('filters by part of a name, type, mentions, time range and point in time', async () => {
    const home = await aHomeWithNews()
    const of = async (query: string) => {
      const page = await home.get(`${path}?${query}`)
      expect(page.body['total']).toBe(names(page).length)
      return names(page)
    }

    expect(await of('time_range=30d&query=QUI')).toEqual(['Ada Quill'])
    expect(await of('time_range=30d&query=%25')).toEqual([])
    expect(await of('time_range=30d&type=GPE')).toEqual(['Oslo'])
    expect(await of('time_range=30d&min_mentions=2')).toEqual(['Ada Quill', 'Oslo'])
    expect(await of('time_range=30d&min_mentions=0&type=ORG')).toEqual(['Acme'])
    expect(await of('time_range=1h')).toEqual([]) // an hour ago is outside
    expect(await of('time_range=6h')).toEqual(['Ada Quill'])
    expect(await of('time_range=7d&type=ORG')).toEqual(['Acme'])
    expect(await of('time_range=24h&as_of=2016-05-02T06:00:00&type=GPE')).toEqual(['Oslo'])
    expect(await of('time_range=24h&as_of=2016-05-02T05:59:59')).toEqual([])
    expect((await home.get(`${path}?time_range=30d&query=osl&type=GPE`)).body).toMatchObject({
      ...{ query: 'osl', type_filter: 'GPE', time_range: '30d', total: 1 },
    })
    expect(names(await (await aHome()).get(`${path}?time_range=30d`))).toEqual([])
  })

  it('returns the same list by offset and by cursor', async () => {
    const home = await aHome()
    const entities = ['A', 'B', 'C', 'D', 'E'].map((name, i) => spokenOf(name, i < 2 ? [0, 0] : [0]))
    await says(home.namespace, 'art_1', 2, ...entities)
    const all = names(await home.get(path))
    const [byOffset, byCursor]: string[][] = [[], []]

    for (const offset of [0, 2, 4]) {
      const page = await home.get(`${path}?limit=2&offset=${offset}`)
      expect(page.body['total']).toBe(5)
      byOffset?.push(...names(page))
    }
    for (let next: string | null = `${path}?limit=2`; next !== null;) {
      const page: ViewsDatabaseAnswer = await home.get(next)
      expect(page.body['total']).toBe(5)
      byCursor?.push(...names(page))
      next = /<(.+)>; rel="next"/.exec(page.link ?? '')?.[1] ?? null
    }

    expect(all).toHaveLength(5)
    expect(byOffset).toEqual(all)
    expect(byCursor).toEqual(all)
    expect((await home.get(`${path}?offset=9`)).body).toMatchObject({ entities: [], total: 5, next_cursor: null })
    const { next_cursor } = (await home.get(`${path}?limit=1`)).body
    expect(await home.get(`${path}?cursor=${String(next_cursor)}&min_mentions=2`)).toMatchObject(refused('cursor'))
    expect(await (await aHome()).get(`${path}?cursor=${String(next_cursor)}`)).toMatchObject(refused('cursor'))
  })

  it.each([
    ...['limit=101', 'limit=0', 'limit=x', 'offset=-1', 'offset=1.5', 'min_mentions=-1', 'min_mentions=many'],
    ...['type=person', 'type=COLOUR', 'time_range=2h', 'time_range=', 'query=', 'cursor=nonsense', 'as_of=soon'],
    ...['limit=5&limit=6'],
  ])('refuses %s', async (parameter) => {
    expect(await (await aHome()).get(`${path}?${parameter}`)).toMatchObject(refused(parameter.split('=')[0] ?? ''))
  })
})

it('only Layer 1 lists dates and sums', async () => {
  const home = await aHomeWithNews()

  expect(names(await home.get('/layer1/v1/entities?type=DATE'))).toEqual(['Monday'])
  expect(names(await home.get('/layer1/v1/entities?type=MONEY'))).toEqual([])
  expect(names(await home.get('/v1/entities?time_range=30d'))).not.toContain('Monday')
  expect(await home.get('/v1/entities?type=DATE')).toMatchObject(refused('type'))
})

describe('GET /v1/entities/{entity_id}', () => {
  it('returns all fields of an entity', async () => {
    const home = await aHomeWithNews()

    const { status, body } = await home.get(`/v1/entities/${aQuill}`)

    const none = { positive: 0, neutral: 0, negative: 0 }
    expect(status).toBe(200)
    expect(body).toEqual({
      id: aQuill,
      name: 'Ada Quill',
      type: 'PERSON',
      wikidata_id: null,
      aliases: ['Ada Quill'],
      names: { en: 'Ada Quill' },
      mention_count: 6,
      article_count: 3,
      first_seen: '2016-05-01T00:00:00.000Z',
      last_seen: '2016-05-03T11:00:00.000Z',
      sentiment: { avg: -0.066667, distribution: { positive: 1, neutral: 1, negative: 1 } },
      sentiment_timeline: [
        { date: '2016-05-01', avg_sentiment: 0.3, article_count: 1, distribution: { ...none, positive: 1 } },
        { date: '2016-05-02', avg_sentiment: -0.6, article_count: 1, distribution: { ...none, negative: 1 } },
        { date: '2016-05-03', avg_sentiment: 0.1, article_count: 1, distribution: { ...none, neutral: 1 } },
      ],
      related_entities: [
        { id: entityId('GPE', 'Oslo'), name: 'Oslo', type: 'GPE', strength: 1, co_mentions: 2 },
        { id: entityId('ORG', 'Acme'), name: 'Acme', type: 'ORG', strength: 0.5, co_mentions: 1 },
      ],
      articles: [
        {
          article_id: 'art_3',
          title: 'art_3',
          source: 'Example Times',
          published_date: '2016-05-03T11:00:00.000Z',
        },
        expect.objectContaining({ article_id: 'art_2' }),
        expect.objectContaining({ article_id: 'art_1' }),
      ],
      locations: [],
      time: null,
      money: null,
    })
  })

  it('returns the details of a place, a date and a sum', async () => {
    const home = await aHomeWithNews()
    const cost = { ...anEntity('$5 million', 'MONEY'), money: { amount: 5e6, currency: 'USD' } }
    await says(home.namespace, 'art_4', 2, cost)

    expect((await home.get('/v1/entities/oslo')).body).toMatchObject({
      name: 'Oslo',
      wikidata_id: 'Q585',
      locations: [{ country: 'NO', coordinates: { latitude: 59.9, longitude: 10.7 }, within: ['Norway', 'Europe'] }],
    })
    expect((await home.get(`/v1/entities/${entityId('DATE', 'Monday')}`)).body).toMatchObject({
      time: { start: '2016-05-02', end: '2016-05-02' },
    })
    expect((await home.get(`/v1/entities/${cost.entity_id}`)).body).toMatchObject({
      money: { amount: 5_000_000, currency: 'USD' },
    })
  })

  it('has a `null` time for a date if articles mean different days', async () => {
    const home = await aHome()
    const on = (day: string) => ({ ...anEntity('Friday', 'DATE'), time: { start: day, end: day } })
    await says(home.namespace, 'art_1', 2, on('2016-05-06'))
    await says(home.namespace, 'art_2', 1, on('2016-05-13'))

    expect((await home.get(`/v1/entities/${entityId('DATE', 'Friday')}`)).body).toMatchObject({ time: null })
  })

  it('finds a name case-insensitively, the most mentioned type first, with aliases by frequency', async () => {
    const home = await aHome()
    const surfaces = ['Ms May', 'May', 'May'].map((surface, i) => ({
      ...{ surface, start: i * 10, end: i * 10 + surface.length, sentence: 0, sentiment_score: 0 },
    }))
    const person = { ...anEntity('May'), mentions: surfaces }
    await says(home.namespace, 'art_1', 1, person, spokenOf('MAY', [0], anEntity('MAY', 'ORG')))

    expect((await home.get('/v1/entities/mAy')).body).toMatchObject({
      id: person.entity_id,
      aliases: ['May', 'Ms May'],
    })
    expect((await home.get('/v1/entities/may?type=ORG')).body).toMatchObject({ name: 'MAY', type: 'ORG' })
    expect(await home.get('/v1/entities/may?type=GPE')).toMatchObject(unknown('may'))
    expect(await home.get(`/v1/entities/${person.entity_id}?type=ORG`)).toMatchObject(unknown(person.entity_id))
  })

  it('covers only its namespace and point in time', async () => {
    const home = await aHomeWithNews()

    expect(await (await aHome()).get(`/v1/entities/${aQuill}`)).toMatchObject(unknown(aQuill))
    expect(await home.get('/v1/entities/Nobody')).toMatchObject(unknown('Nobody'))
    expect(await home.get('/v1/entities/Ada%20Quill?as_of=2016-04-30')).toMatchObject(unknown('Ada Quill'))
    expect((await home.get('/v1/entities/Ada%20Quill?as_of=2016-05-02T12:00:00Z')).body).toMatchObject({
      ...{ mention_count: 3, article_count: 2, last_seen: '2016-05-02T06:00:00.000Z' },
    })
    expect(await home.get('/v1/entities/Oslo?as_of=never')).toMatchObject(refused('as_of'))
    expect(await home.get('/v1/entities/Oslo?type=DATE')).toMatchObject(refused('type'))
    expect(await home.get('/v1/entities/%20')).toMatchObject(refused('entity_id'))
  })

  it('finds a name with a slash, a question mark or another script', async () => {
    const home = await aHome()
    const odd = ['AC/DC', 'Who?', 'Ärzte ohne Grenzen', '北京', '100% Pure #1']
    await says(home.namespace, 'art_1', 1, ...odd.map((name) => anEntity(name, 'ORG')))

    for (const name of odd) {
      const path = `/v1/entities/${encodeURIComponent(name.toLowerCase())}`
      expect((await home.get(path)).body).toMatchObject({ name })
      expect((await home.get(`${path}/timeline`)).body).toMatchObject({ entity: name, total_mentions: 1 })
    }
  })
})

describe.each(['/v1/entities', '/layer1/v1/entities'])('GET %s/{name}/timeline', (path) => {
  const inBase = path === '/v1/entities'

  it('returns every day of the window, zero without mentions', async () => {
    const home = await aHomeWithNews()
    const item = (date: string, mention_count: number, article_ids: string[]) => ({
      ...{ date, mention_count, article_count: article_ids.length },
      ...(inBase ? { type: 'PERSON', article_ids } : {}),
    })

    expect(await home.get(`${path}/ada%20quill/timeline`)).toMatchObject({
      status: 200,
      body: {
        entity: 'Ada Quill',
        entity_ids: [aQuill],
        type_filter: null,
        time_range: '7d',
        total_mentions: 6,
        timeline: [
          ...['2016-04-26', '2016-04-27', '2016-04-28', '2016-04-29', '2016-04-30'].map((day) => item(day, 0, [])),
          item('2016-05-01', 2, ['art_1']),
          item('2016-05-02', 1, ['art_2']),
          item('2016-05-03', 3, ['art_3']),
        ],
      },
    })
    const response = await home.get(`${path}/${aQuill}/timeline?type=PERSON&time_range=24h&as_of=2016-05-02T08:30:00Z`)
    expect(response.body).toEqual({
      ...{ entity: 'Ada Quill', entity_ids: [aQuill], type_filter: 'PERSON', time_range: '24h', total_mentions: 1 },
      timeline: [item('2016-05-01', 0, []), item('2016-05-02', 1, ['art_2'])],
    })
  })

  it('returns zeros for a known entity outside the window, 404 for an unknown one', async () => {
    const home = await aHomeWithNews()
    const quiet = await home.get(`${path}/Acme/timeline?time_range=1h`)

    expect(quiet).toMatchObject({ status: 200, body: { total_mentions: 0, timeline: [{ mention_count: 0 }] } })
    expect(await home.get(`${path}/Nobody/timeline`)).toMatchObject(unknown('Nobody'))
    expect(await home.get(`${path}/Acme/timeline?type=PERSON`)).toMatchObject(unknown('Acme'))
    expect(await home.get(`${path}/Acme/timeline?as_of=2016-04-30`)).toMatchObject(unknown('Acme'))
    expect(await (await aHome()).get(`${path}/Acme/timeline`)).toMatchObject(unknown('Acme'))
  })

  it('covers all types of a name unless one is requested', async () => {
    const home = await aHome()
    await says(home.namespace, 'art_1', 2, spokenOf('May', [0]), spokenOf('May', [0, 0], anEntity('May', 'ORG')))

    expect((await home.get(`${path}/may/timeline?time_range=6h`)).body).toMatchObject({
      entity_ids: [entityId('ORG', 'May'), entityId('PERSON', 'May')],
      type_filter: null,
      total_mentions: 3,
      timeline: [{ mention_count: 3, article_count: 1, ...(inBase ? { type: 'ORG' } : {}) }],
    })
    expect((await home.get(`${path}/may/timeline?time_range=6h&type=PERSON`)).body).toMatchObject({
      ...{ entity_ids: [entityId('PERSON', 'May')], type_filter: 'PERSON', total_mentions: 1 },
    })
  })

  it.each(['type=COLOUR', 'time_range=24', 'time_range=1d', 'as_of=2016-13-01'])('refuses %s', async (parameter) => {
    const home = await aHome()

    expect(await home.get(`${path}/Oslo/timeline?${parameter}`)).toMatchObject(refused(parameter.split('=')[0] ?? ''))
    expect(await home.get(`${path}/Oslo/sentiment?${parameter}`)).toMatchObject(refused(parameter.split('=')[0] ?? ''))
  })
})

it('a window that ends with a day has no bucket of the day before its start', async () => {
  const home = await aHomeWithNews()
  const days = async (as_of: string) =>
    ((await home.get(`/v1/entities/Oslo/timeline?as_of=${as_of}`)).body['timeline'] as { date: string }[]).map(
      ({ date }) => date,
    )

  expect(await days('2016-05-02T23:59:59.999Z')).toEqual([
    ...['2016-04-26', '2016-04-27', '2016-04-28', '2016-04-29', '2016-04-30', '2016-05-01', '2016-05-02'],
  ])
  expect(await days('2016-05-03')).toHaveLength(8)
})

it('an hourly timeline has the start time of each bucket', async () => {
  const home = await aHomeWithNews()
  const dates = async (query: string) =>
    ((await home.get(`/v1/entities/Oslo/timeline?${query}`)).body['timeline'] as { date: string }[]).map(
      ({ date }) => date,
    )

  expect(await dates('resolution=1h&time_range=1h&as_of=2016-05-02T06:30:00Z')).toEqual([
    '2016-05-02T05:00:00.000Z',
    '2016-05-02T06:00:00.000Z',
  ])
  expect(await dates('resolution=6h&time_range=24h&as_of=2016-05-02T12:00:00Z')).toEqual([
    '2016-05-01T12:00:00.000Z',
    '2016-05-01T18:00:00.000Z',
    '2016-05-02T00:00:00.000Z',
    '2016-05-02T06:00:00.000Z',
    '2016-05-02T12:00:00.000Z',
  ])
  expect(await dates('resolution=1h&time_range=30d')).toHaveLength(721)
  expect(await home.get('/v1/entities/Oslo/timeline?resolution=2h')).toMatchObject(refused('resolution'))
})

describe.each(['/v1/entities', '/layer1/v1/entities'])('GET %s/{name}/sentiment', (path) => {
  it('is the mean over articles of their sentiment towards the entity, by day', async () => {
    const home = await aHomeWithNews()
    const none = { positive: 0, neutral: 0, negative: 0 }

    expect(await home.get(`${path}/Ada%20Quill/sentiment?time_range=7d`)).toEqual({
      status: 200,
      link: null,
      body: {
        entity: 'Ada Quill',
        entity_ids: [aQuill],
        type_filter: null,
        time_range: '7d',
        avg_sentiment: -0.066667,
        total_articles: 3,
        timeline: [
          ...['2016-04-26', '2016-04-27', '2016-04-28', '2016-04-29', '2016-04-30'].map((date) => ({
            ...{ date, avg_sentiment: 0, article_count: 0, distribution: none },
          })),
          { date: '2016-05-01', avg_sentiment: 0.3, article_count: 1, distribution: { ...none, positive: 1 } },
          { date: '2016-05-02', avg_sentiment: -0.6, article_count: 1, distribution: { ...none, negative: 1 } },
          { date: '2016-05-03', avg_sentiment: 0.1, article_count: 1, distribution: { ...none, neutral: 1 } },
        ],
      },
    })
  })

  it('defaults to seven days, with zeros for an entity without mentions and 404 for an unknown one', async () => {
    const home = await aHome()
    await says(home.namespace, 'art_1', 8 * 24, spokenOf('Ada Quill', [1]))

    const quiet = await home.get(`${path}/Ada%20Quill/sentiment`)

    expect(quiet.body).toMatchObject({ time_range: '7d', avg_sentiment: 0, total_articles: 0 })
    expect(quiet.body['timeline']).toHaveLength(8)
    expect((await home.get(`${path}/ada%20quill/sentiment?time_range=30d`)).body).toMatchObject({ avg_sentiment: 1 })
    expect(await home.get(`${path}/Nobody/sentiment`)).toMatchObject(unknown('Nobody'))
    expect(await home.get(`${path}/Ada%20Quill/sentiment?type=GPE`)).toMatchObject(unknown('Ada Quill'))
  })

  it('counts an article at a threshold as positive or negative', async () => {
    const home = await aHome()
    for (const [i, sentiments] of [[0.15, 0.15, 0.15], [0.149], [-0.15], [0.1, 0.2]].entries()) {
      await says(home.namespace, `art_${i}`, 1, spokenOf('Ada Quill', sentiments))
    }

    const { body } = await home.get(`${path}/Ada%20Quill/sentiment?time_range=1h&as_of=2016-05-03T11:30:00Z`)

    expect(body['timeline']).toMatchObject([{ distribution: { positive: 2, neutral: 1, negative: 1 } }])
  })
})

it('a request about a day in 1955 is answered as of that day', async () => {
  const home = await aHome()
  await writer.analyzed({
    ...{ namespace: home.namespace, article_id: 'art_1', entities: [spokenOf('Ada Quill', [0.4])] },
    occurred_at: Date.UTC(1955, 5, 1, 10) + DAY_MS,
  })

  const { body } = await home.get('/v1/entities/Ada%20Quill/timeline?as_of=1955-06-03&time_range=24h')

  expect(body['timeline']).toMatchObject([
    { date: '1955-06-02', mention_count: 1, article_ids: ['art_1'] },
    { date: '1955-06-03', mention_count: 0 },
  ])
})
