import { describe, expect, it } from 'vitest'
import { articlesAnalyzed, type ArticleAnalyzed, type EntityType } from '../../../src/events/articles.ts'
import { entityId } from '../../../src/events/ids.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { anAnalyzedArticle, anEntity } from '../../builders/views.ts'
import { homes, viewsDatabase, type ViewsDatabaseHome } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = homes(store)

/**
 * What each day's articles name, and how often. It is noon of 3 May 2016, a day of three articles; the others have one.
 * Nothing came on 1 May, from 26 to 28, on 21 and 22 and from 11 to 19 April, so that the prior 7 ingestion days are those
 * from 20 April to 2 May.
 *
 * | entity | 3 May | 2 | 30 | 29 | 25 | 24 | 23 | 20 | mean | ratio | support | velocity |
 * |---|---|---|---|---|---|---|---|---|---|---|---|---|
 * | Ada  | 4 + 4 + 4 | 2 | 0 | 4 | 0 | 0 | 0 | 8 | 14 / 7 | 6 | full | 6 |
 * | Oslo | 4 + 4 + 4 | 3 | 3 | 3 | 3 | 3 | 0 | 9 | 24 / 7 | 3.5 | full | 3.5 |
 * | Fair | 1 | 2 | 0 | 0 | 0 | 0 | 0 | 0 | 2 / 7 | 3.5 | 1 of 10 mentions | 10 / (2 / 7 + 9) |
 * | Acme | 5 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | none | | | 1 |
 * | Bo   | 0 | 0 | 0 | 7 | 0 | 0 | 0 | 0 | 1 | 0 | 1 of 10 mentions | 0.9 |
 * | 2016 | 9 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | a date | | | - |
 *
 * What was named on 10 April, the eighth ingestion day before, is in no mean. On 23 April an article came that Layer 0 did
 * not forward, on 24 April one was only asked for through Layer 1: both are ingestion days.
 */
const DAYS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '2016-05-03': { Ada: 4, 'Oslo:GPE': 4, 'Fair:EVENT': 1, 'Acme:ORG': 5, '2016:DATE': 9 },
  '2016-05-02': { Ada: 2, 'Oslo:GPE': 3, 'Fair:EVENT': 2, '2016:DATE': 1 },
  '2016-04-30': { 'Oslo:GPE': 3 },
  '2016-04-29': { Ada: 4, 'Oslo:GPE': 3, Bo: 7 },
  '2016-04-25': { 'Oslo:GPE': 3 },
  '2016-04-24': { 'Oslo:GPE': 3 },
  '2016-04-20': { Ada: 8, 'Oslo:GPE': 9 },
  '2016-04-10': { Ada: 50, 'Oslo:GPE': 50, 'Acme:ORG': 2 },
}
const MORE_OF_3_MAY = ['second', 'third']
const DIRECT = '2016-04-24'
const NOT_FORWARDED = '2016-04-23'

interface AnalysisGiven extends Partial<ArticleAnalyzed> {
  readonly namespace: string
  readonly article_id: string
  /** ISO 8601. */
  readonly at: string
  /** `Ada`, or `Oslo:GPE`: how often. */
  readonly names: Readonly<Record<string, number>>
}

function analysis({ at, names, article_id, ...over }: AnalysisGiven): ArticleAnalyzed {
  const entities = Object.entries(names).map(([named, mentions]) => {
    const [name = '', type = 'PERSON'] = named.split(':')
    return anEntity(name, type as EntityType, [...Array(mentions).keys()])
  })
  const occurred_at = Date.parse(at)
  const shown = { article_id, content_hash: `hash ${article_id}`, semantic_hash: `text ${article_id}` }
  return anAnalyzedArticle({
    url: null,
    source: null,
    ...shown,
    occurred_at,
    published_date: occurred_at,
    entities,
    ...over,
  })
}

const analyses = (namespace: string): ArticleAnalyzed[] => [
  ...Object.entries(DAYS).map(([day, names]) =>
    analysis({
      ...{ namespace, names },
      article_id: `art_${day}`,
      at: `${day}T09:00:00Z`,
      direct: day === DIRECT,
    }),
  ),
  ...MORE_OF_3_MAY.map((article) =>
    analysis({
      ...{ namespace, names: { Ada: 4, 'Oslo:GPE': 4 }, article_id: `art_${article}`, at: '2016-05-03T09:00:00Z' },
    }),
  ),
]

async function scored(namespace: string, ...days: readonly string[]): Promise<void> {
  await writer.scored(
    ...days.map((day) => ({
      ...{ namespace, article_id: `art_${day}`, content_hash: `hash art_${day}` },
      published_date: Date.parse(`${day}T09:00:00Z`),
    })),
  )
}

async function theFixture({ namespace }: ViewsDatabaseHome): Promise<void> {
  const layer0 = [...Object.keys(DAYS), NOT_FORWARDED].filter((day) => day !== DIRECT)
  await scored(namespace, ...layer0)
  await writer.write(articlesAnalyzed, analyses(namespace))
}

interface Trend {
  readonly entity: string
  readonly velocity: number
  readonly mentions: number
  readonly baseline: number
  readonly [field: string]: unknown
}

const trendsOf = async (
  home: ViewsDatabaseHome,
  query: string,
  path = '/v1/trends/entities',
): Promise<readonly Trend[]> => {
  const { status, body } = await home.get(`${path}?${query}`)
  expect(status).toBe(200)
  expect(body['count']).toBe((body['trends'] as Trend[]).length)
  return body['trends'] as Trend[]
}
const speeds = (trends: readonly Trend[]) => trends.map(({ entity, velocity }) => [entity, velocity])

const FAIR = expect.closeTo(10 / (2 / 7 + 9), 12) as number
const BO = expect.closeTo(0.9, 12) as number
const ALL = [
  ['Ada', 6],
  ['Oslo', 3.5],
  ['Fair', FAIR],
  ['Acme', 1],
  ['Bo', BO],
]

describe('GET /v1/trends/entities', () => {
  it('returns the figures of the table above', async () => {
    const home = await aHome()
    await theFixture(home)

    const trends = await trendsOf(home, 'min_velocity=0')
    expect(speeds(trends)).toEqual(ALL)
    const [ada, oslo, fair, acme, bo] = trends
    expect(ada).toEqual({
      entity: 'Ada',
      entity_id: entityId('PERSON', 'Ada'),
      type: 'PERSON',
      velocity: 6,
      mentions: 12,
      baseline: 2,
      days_of_history: 3,
      momentum: 'spiking',
      scale: 'spiking',
      origins: 3,
      low_support: false,
      latest_day: '2016-05-03',
      day_complete: false,
    })
    expect(oslo).toMatchObject({
      mentions: 12,
      baseline: 24 / 7,
      days_of_history: 6,
      momentum: 'spiking',
      scale: 'rising',
      low_support: false,
    })
    expect(fair).toMatchObject({
      mentions: 1,
      baseline: 2 / 7,
      days_of_history: 1,
      momentum: 'stable',
      scale: 'stable',
    })
    expect(acme).toMatchObject({ mentions: 5, baseline: 0, days_of_history: 0, momentum: 'stable', scale: 'stable' })
    expect(bo).toMatchObject({ mentions: 0, baseline: 1, origins: 0, momentum: 'stable', scale: 'declining' })
    expect([fair, acme, bo].map((one) => one?.['low_support'])).toEqual([true, true, true])
  })

  it('filters by velocity (2 by default) and type, up to the limit', async () => {
    const home = await aHome()
    await theFixture(home)

    expect(speeds(await trendsOf(home, ''))).toEqual(ALL.slice(0, 2))
    expect(speeds(await trendsOf(home, 'min_velocity=3.5'))).toEqual(ALL.slice(0, 2))
    expect(speeds(await trendsOf(home, 'min_velocity=3.51'))).toEqual(ALL.slice(0, 1))
    expect(speeds(await trendsOf(home, 'min_velocity=0&type=GPE'))).toEqual([['Oslo', 3.5]])
    expect(speeds(await trendsOf(home, 'min_velocity=0&limit=2'))).toEqual(ALL.slice(0, 2))
  })

  it('accepts any `as_of`, also within an incomplete day', async () => {
    const home = await aHome()
    await theFixture(home)
    const asOf = (moment: string) => trendsOf(home, `min_velocity=0&as_of=${moment}`)

    // The latest day is 2 May, the seven before it begin on 10 April: Fair is new, Acme 0 of 2 / 7, Bo 0 of 1, Ada 2 over
    // 62 / 7 and Oslo 3 over 71 / 7. As many of ten mentions as were to be expected support a fall.
    expect(speeds(await asOf('2016-05-03T08:59:59.999Z'))).toEqual([
      ['Fair', 1],
      ['Acme', expect.closeTo(1 - 2 / 70, 12)],
      ['Bo', BO],
      ['Ada', expect.closeTo(1 - 62 / 70 + 2 / 10, 12)],
      ['Oslo', 21 / 71],
    ])
    expect((await asOf('2016-05-03T09:00:00Z'))[0]).toMatchObject({ entity: 'Ada', velocity: 6, day_complete: false })
    expect((await asOf('2016-05-03T23:59:59.999Z'))[0]).toMatchObject({ velocity: 6, day_complete: false })
    expect((await asOf('2016-05-04T00:00:00Z'))[0]).toMatchObject({ velocity: 6, day_complete: true })
    expect(await asOf('2016-04-10T08:00:00Z')).toEqual([])
    // The first day there is: nothing has a history.
    expect((await asOf('2016-04-10T09:00:00Z')).map(({ velocity, baseline }) => [velocity, baseline])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ])
  })

  it('compares an incomplete day with the same part of earlier days, a complete one with whole days', async () => {
    const home = await aHome()
    const { namespace } = home
    const days = ['2016-04-28', '2016-04-29', '2016-04-30', '2016-05-02']
    await writer.write(articlesAnalyzed, [
      ...days.flatMap((day) => [
        analysis({ namespace, article_id: `art_${day}_9`, at: `${day}T09:00:00Z`, names: { Ada: 5 } }),
        analysis({ namespace, article_id: `art_${day}_18`, at: `${day}T18:00:00Z`, names: { Ada: 15, Bo: 2 } }),
      ]),
      ...['a', 'b', 'c'].map((article) =>
        analysis({ namespace, article_id: `art_${article}`, at: '2016-05-03T09:00:00Z', names: { Ada: 4, Bo: 1 } }),
      ),
    ])
    const asOf = (moment: string) => trendsOf(home, `min_velocity=0&as_of=${moment}`)

    const running = { entity: 'Ada', mentions: 12, velocity: 2.4, baseline: 5, days_of_history: 4, day_complete: false }
    const [ada, bo] = await asOf('2016-05-03T12:00:00Z')
    expect(ada).toMatchObject(running)
    // On earlier days it was named, but never by noon: as if it had been once.
    expect(bo).toMatchObject({ entity: 'Bo', mentions: 3, baseline: 1 / 4, days_of_history: 4 })
    expect(bo?.velocity).toBeCloseTo(10 / (1 / 4 + 7), 12)
    expect((await asOf('2016-05-03T09:00:00Z'))[0]).toMatchObject(running)
    expect((await asOf('2016-05-03T17:59:59.999Z'))[0]).toMatchObject(running)

    const whole = { entity: 'Ada', mentions: 12, velocity: 0.6, baseline: 20, day_complete: false }
    expect((await asOf('2016-05-03T18:00:00Z')).at(-1)).toMatchObject(whole)
    expect((await asOf('2016-05-03T23:59:59.999Z')).at(-1)).toMatchObject(whole)
    expect((await asOf('2016-05-05T00:00:00Z')).at(-1)).toMatchObject({ ...whole, day_complete: true })
  })

  it('with `supported` excludes low support', async () => {
    const home = await aHome()
    await theFixture(home)

    expect(speeds(await trendsOf(home, 'min_velocity=0&supported=true'))).toEqual(ALL.slice(0, 2))
    expect(speeds(await trendsOf(home, 'min_velocity=0&supported=true&limit=1'))).toEqual(ALL.slice(0, 1))
    expect(speeds(await trendsOf(home, 'min_velocity=0&supported=false'))).toEqual(ALL)
  })

  it("counts an article once: by its newest revision, the pipeline's analysis before a direct one, without repeated events", async () => {
    const home = await aHome()
    const { namespace } = home
    await theFixture(home)
    const today = { namespace, article_id: 'art_2016-05-03', at: '2016-05-03T09:00:00Z' }
    await writer.write(articlesAnalyzed, [
      analysis({ ...today, names: { Ada: 40 }, direct: true }),
      analysis({ ...today, names: { Ada: 2, 'Oslo:GPE': 4 }, content_hash: 'corrected' }),
    ])
    const corrected = [
      ['Ada', 5],
      ['Oslo', 3.5],
    ]
    expect(speeds(await trendsOf(home, ''))).toEqual(corrected)

    // The view's process was killed before it committed its offset: rows exist twice.
    const again = analyses(namespace).map((event) => ({ ...event, article_id: `${event.article_id}_more` }))
    await writer.write(articlesAnalyzed, again, 1_000_000)
    const twice = speeds(await trendsOf(home, ''))
    for (const repeat of [1, 2]) {
      await writer.write(articlesAnalyzed, again, 1_000_000)
      expect([repeat, speeds(await trendsOf(home, ''))]).toEqual([repeat, twice])
    }
    expect(twice).toEqual([
      ['Ada', 5.5],
      ['Oslo', 3.5],
    ])
  })

  it('covers one namespace', async () => {
    const [home, other] = [await aHome(), await aHome()]
    await theFixture(home)
    expect(await trendsOf(other, 'min_velocity=0')).toEqual([])
    await writer.write(articlesAnalyzed, [
      analysis({ namespace: other.namespace, article_id: 'art_1', at: '2016-05-01T00:00:00Z', names: { Ada: 1 } }),
    ])
    expect(await trendsOf(other, 'min_velocity=0')).toMatchObject([{ velocity: 1, latest_day: '2016-05-01' }])
    expect(speeds(await trendsOf(home, 'min_velocity=0'))).toEqual(ALL)
  })

  it('counts independent sources: each text once, each owner once', async () => {
    const home = await aHome()
    const { namespace } = home
    await theFixture(home)
    const minutes = [...Array(8).keys()].map((i) => `2016-05-03T10:0${i}:00Z`)
    const naming = (i: number, over: Partial<ArticleAnalyzed> = {}) =>
      analysis({ namespace, article_id: `art_${i}`, at: minutes[i] ?? '', names: { Ada: 1 }, ...over })
    await writer.write(articlesAnalyzed, [
      ...[0, 1, 2, 3, 4].map((i) => naming(i)),
      // Not clustered: counted by the outlet or the text in the analysis.
      naming(5, { source: 'House A', direct: true }),
      naming(6, { url: 'https://www.elsewhere.example/1', direct: true }),
      naming(7, { semantic_hash: 'text art_2016-05-03' }),
    ])
    const member = (i: number, group: string, { publisher = '', family = null as string | null }) =>
      aStoryArticle({
        ...{ namespace, article_id: `art_${i}`, event_id: `evt_${i}`, content_hash: `hash art_${i}` },
        occurred_at: Date.parse(minutes[i] ?? ''),
        origin: { syndication_group: group, duplicate_of: null, derived_from: null, translation: null, containment: 0 },
        member: { ...aStoryArticle().member, publisher, publisher_family: family },
      })
    await writer.clustered(
      member(0, 'syn_wire', { publisher: 'house a' }),
      member(1, 'syn_wire', { publisher: 'house b' }),
      member(2, 'syn_own', { publisher: 'house c', family: 'Family' }),
      member(3, 'syn_other', { publisher: 'house d', family: 'Family' }),
      member(4, 'syn_third', { publisher: 'house b' }),
    )

    // The wire of owner a (with its other article), the family, owner b, elsewhere.example, and three texts of no publisher.
    const [ada] = await trendsOf(home, '')
    expect(ada).toMatchObject({ entity: 'Ada', mentions: 20, origins: 7, days_of_history: 3, low_support: false })
  })

  it.each([
    ['min_velocity', 'min_velocity=fast'],
    ['min_velocity', 'min_velocity=-1'],
    ['min_velocity', 'min_velocity='],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=many'],
    ['type', 'type=DATE'],
    ['as_of', 'as_of=soon'],
    ['supported', 'supported=yes'],
    ['supported', 'supported='],
  ])('rejects an invalid %s: %s', async (path, query) => {
    const home = await aHome('professional')
    for (const address of ['/v1/trends/entities', '/layer3/v1/trends/entities']) {
      expect(await home.get(`${address}?${query}`)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ path }] },
      })
    }
  })
})

describe('GET /layer3/v1/trends/entities', () => {
  it('returns the same with `graph_as_of`', async () => {
    const home = await aHome('professional')
    await theFixture(home)
    const { status, body } = await home.get('/layer3/v1/trends/entities?min_velocity=0')

    expect(status).toBe(200)
    expect(body['trends']).toEqual(await trendsOf(home, 'min_velocity=0'))
    expect(body['count']).toBe(5)
    expect(body['graph_as_of']).toMatch(/^2016-05-03T12:/)
  })

  it('has a default limit of 20, and of 15 at the base address', async () => {
    const home = await aHome('professional')
    const { namespace } = home
    const names = Object.fromEntries([...Array(30).keys()].map((i) => [`Name ${i}`, 1]))
    await writer.write(articlesAnalyzed, [
      analysis({ namespace, article_id: 'art_1', at: '2016-05-02T09:00:00Z', names }),
      analysis({ namespace, article_id: 'art_2', at: '2016-05-03T09:00:00Z', names: { ...names, 'Name 7': 5 } }),
    ])
    expect(await trendsOf(home, 'min_velocity=1', '/layer3/v1/trends/entities')).toHaveLength(20)
    expect(await trendsOf(home, 'min_velocity=1')).toHaveLength(15)
    const all = await trendsOf(home, 'min_velocity=1&limit=100')
    expect(all).toHaveLength(30)
    // 1 of 3 sources and days: 5, and 10 at the usual rate
    expect(all[0]).toMatchObject({ entity: 'Name 7', velocity: expect.closeTo(15 / 11, 12) as number })
    const ids = all.slice(1).map((one) => String(one['entity_id']))
    expect(ids).toEqual([...ids].sort())
  })

  it('returns 403 to a Starter key', async () => {
    const home = await aHome('starter')
    expect(await home.get('/layer3/v1/trends/entities')).toMatchObject({
      status: 403,
      body: { code: 'tier_restricted' },
    })
  })
})
