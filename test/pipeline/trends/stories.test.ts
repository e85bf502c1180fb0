import { describe, expect, it } from 'vitest'
import type { EntityType } from '../../../src/events/articles.ts'
import type { ArticleClustered, Member } from '../../../src/events/ledger.ts'
import { trendsDetected, type TrendDetected } from '../../../src/events/trends.ts'
import { aChange, anArticle, at } from '../../builders/transitioned.ts'
import { storiesHomes, type StoriesHome } from '../stories/stories-home.ts'
import { viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = storiesHomes(store, writer)

/** An article `hours` after noon of 3 May 2016, the time of the requests. */
const article = (
  story: string,
  id: string,
  hours: number,
  member: Partial<Member> = {},
  text: Parameters<typeof anArticle>[3] = {},
): ArticleClustered => {
  const event = anArticle(story, id, hours, text)
  return { ...event, member: { ...event.member, title: `Title of ${id}`, entities: [], ...member } }
}

const articles = (story: string, ...hours: readonly number[]): ArticleClustered[] =>
  hours.map((hour, i) => article(story, `${story}${i}`, hour))

const detection = (namespace: string, story: string, hours: number): TrendDetected => ({
  ...{ event_id: `evt_${story}_${hours}`, namespace, occurred_at: at(hours), caused_by: null },
  produced_by: { stage: 'detected', version: '1' },
  ...{ type: 'trend.detected', subject_id: `sto_${story}`, name: 'A title', category: null },
  ...{ velocity: 5, baseline: 1, window_hours: 24, count: 5, origins: 5, p_value: null },
  ...{ sentiment_before: null, sentiment_after: null, low_support: true },
})

interface Trend {
  readonly id: string
  readonly velocity: number
  readonly [field: string]: unknown
}

const NOON = `as_of=${new Date(at(0)).toISOString()}`

async function trendsOf(home: StoriesHome, query = ''): Promise<readonly Trend[]> {
  const { status, body } = await home.get(`/v1/trends?${query.includes('as_of') ? query : `${query}&${NOON}`}`)
  expect(status).toBe(200)
  expect(body['count']).toBe((body['trends'] as Trend[]).length)
  return body['trends'] as Trend[]
}

const speeds = (trends: readonly Trend[]) => trends.map(({ id, velocity }) => [id.slice(4), velocity])

/**
 * In the last 24 hours, before them, and what that comes to. `new`: 6 over 1. `old`: 4 over (3 + 1) / (2 + 1).
 * `steady`: 3 over (7 + 1) / (2.5 + 1). `few`: 2 over 1.
 */
async function theFixture(home: StoriesHome): Promise<void> {
  await home.articles(
    ...articles('new', -0.5, -1, -2, -3, -4, -23.5),
    ...articles('old', -1, -2, -3, -4, -30, -35, -72),
    ...articles('steady', -1, -2, -3, -26, -30, -34, -50, -58, -70, -84),
    ...articles('few', -1, -2),
    ...articles('past', -30, -31, -32, -33),
  )
}

describe('GET /v1/trends', () => {
  it('returns the figures of the table above, fastest first', async () => {
    const home = await aHome()
    await theFixture(home)

    const trends = await trendsOf(home)
    expect(speeds(trends)).toEqual([
      ['new', 6],
      ['old', 3],
      ['steady', 21 / 16],
    ])
    expect(trends[0]).toEqual({
      ...{ id: 'sto_new', topic: expect.stringContaining('Title of new') as string },
      ...{ velocity: 6, baseline: 1, growth_rate: 6, scale: 'spiking' },
      ...{ article_count: 6, total_articles: 6, origins: 6, days_of_history: 0, low_support: true },
      first_detected: new Date(at(-23.5)).toISOString(),
      updated_at: new Date(at(-0.5)).toISOString(),
      ...{ related_entities: [], sentiment_shift: 0, geographic_spread: [], categories: [] },
    })
    // 4 now and 2 in the day before; with articles on 30 April and 2 May.
    expect(trends[1]).toMatchObject({
      baseline: 4 / 3,
      growth_rate: 1,
      article_count: 4,
      total_articles: 7,
      days_of_history: 2,
    })
    expect(trends[2]).toMatchObject({ baseline: 16 / 7, growth_rate: 0, days_of_history: 3, low_support: false })
  })

  it('filters by velocity and by articles in the window, up to the limit', async () => {
    const home = await aHome()
    await theFixture(home)

    expect(speeds(await trendsOf(home, 'velocity=high'))).toEqual([['new', 6]])
    expect(speeds(await trendsOf(home, 'velocity=medium'))).toEqual([['old', 3]])
    expect(speeds(await trendsOf(home, 'velocity=low&min_articles=1'))).toEqual([['steady', 21 / 16]])
    expect(speeds(await trendsOf(home, 'velocity=medium&min_articles=1'))).toEqual([
      ['old', 3],
      ['few', 2],
    ])
    expect(speeds(await trendsOf(home, 'min_articles=5'))).toEqual([['new', 6]])
    expect(speeds(await trendsOf(home, 'limit=2'))).toEqual([
      ['new', 6],
      ['old', 3],
    ])
  })

  it('supports other windows and points in time', async () => {
    const home = await aHome()
    await theFixture(home)

    // Of 1 hour: what follows 11:00, so that an article of 11:00 is of the hour before. 1 over 1, since (5 + 1) / (22.5 + 1)
    // is less than an article an hour.
    expect(speeds(await trendsOf(home, 'time_range=1h&min_articles=1'))).toEqual([['new', 1]])
    // Of 7 days all are new; `past` is among them, and by count of two as fast.
    expect(speeds(await trendsOf(home, 'time_range=7d'))).toEqual([
      ['steady', 10],
      ['old', 7],
      ['new', 6],
      ['past', 4],
    ])
    // `steady`: 3 over (4 + 1) / (1.5 + 1).
    expect(speeds(await trendsOf(home, `as_of=${new Date(at(-24)).toISOString()}`))).toEqual([
      ['past', 4],
      ['steady', 1.5],
    ])
    expect(await trendsOf(home, `as_of=${new Date(at(-200)).toISOString()}`)).toEqual([])
  })

  it('does not rank a few articles after a long silence first', async () => {
    const home = await aHome()
    await home.articles(
      ...articles('silent', -1, -2, -3, -119),
      ...articles('fresh', -1, -2, -3, -4),
      ...articles('growing', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((hour) => -hour), -26, -50, -74),
    )

    // `silent`: 3 over (1 + 1) / (95 / 24 + 1) would be 7.4. `growing`: 9 over (3 + 1) / (50 / 24 + 1).
    expect(speeds(await trendsOf(home))).toEqual([
      ['growing', expect.closeTo(6.9375, 12)],
      ['fresh', 4],
      ['silent', 3],
    ])
  })

  it('with `supported` excludes low support before the limit', async () => {
    const home = await aHome()
    await theFixture(home)
    const oneText = { group: 'syn_wire' }
    await home.articles(
      ...[-1, -2, -3, -4, -26, -50, -74].map((hours) => article('wire', `wire_${hours}`, hours, {}, oneText)),
    )

    expect(speeds(await trendsOf(home, 'supported=true'))).toEqual([['steady', 21 / 16]])
    expect(speeds(await trendsOf(home, 'supported=true&limit=1'))).toEqual([['steady', 21 / 16]])
    expect(speeds(await trendsOf(home, 'supported=true&time_range=7d'))).toEqual([])
    expect(await trendsOf(home, 'supported=false')).toEqual(await trendsOf(home))
    expect(await trendsOf(home)).toHaveLength(4)
  })

  it('filters by assignment confidence and settled membership', async () => {
    const home = await aHome()
    await theFixture(home)
    const { change, ...rebuilt } = aChange('rebuilt', ['', ''], [])
    const days = { rebuilt_from: '2016-04-20', rebuild_day: '2016-05-03' }
    if (change === null) throw new Error('a rebuild is a change')
    await home.articles({ ...rebuilt, change: { ...change, ...days } })
    await home.articles({ ...article('old', 'unsure', -0.5), assignment_confidence: 0.3 })

    const ids = async (query: string) => (await trendsOf(home, query)).map(({ id }) => id.slice(4))
    expect(await ids('')).toEqual(['new', 'old', 'steady'])
    expect(await ids('min_assignment_confidence=0.5')).toEqual(['new', 'steady'])
    expect(await ids('membership=settled')).toEqual(['new', 'steady'])
  })

  it.each(['membership=provisional', 'min_assignment_confidence=2'])(
    'rejects %s and names the parameter',
    async (parameter) => {
      const { status, body } = await (await aHome()).get(`/v1/trends?${parameter}`)

      expect(status).toBe(422)
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: parameter.split('=')[0] }] })
    },
  )

  it('counts independent sources in the window: a text once, a rewrite with its source', async () => {
    const home = await aHome()
    await home.articles(
      article('wire', 'w1', -30, {}, { group: 'syn_wire' }),
      article('wire', 'w2', -3, {}, { group: 'syn_wire' }),
      article('wire', 'w3', -2, {}, { derived_from: 'art_w1' }),
      article('wire', 'w4', -1),
    )
    expect(await trendsOf(home)).toMatchObject([{ article_count: 3, origins: 2, total_articles: 4 }])
  })

  it('returns entities, sentiment shift, geographic spread and categories', async () => {
    const home = await aHome()
    const naming = (names: readonly string[], sentiment_score: number): Partial<Member> => ({
      sentiment_score,
      categories: ['politics'],
      entities: names.map((one) => {
        const [name = '', type = 'PERSON', country = null] = one.split(':')
        return {
          entity_id: `ent_${name}`,
          name,
          type: type as EntityType,
          mention_count: 1,
          country,
          sentiment_score: null,
        }
      }),
    })
    const many = Array.from({ length: 12 }, (_, i) => `other ${i}`)
    await home.articles(
      article('told', 't1', -40, naming(['Ada'], 0.5)),
      article('told', 't2', -30, naming(['Ada', 'Bo'], 0.3)),
      article('told', 't3', -3, naming(['Ada', 'Oslo:GPE:NO', '2016:DATE'], -0.1)),
      article('told', 't4', -2, {
        ...naming(['Bo', 'Oslo:GPE:NO', '5 dollars:MONEY', ...many], -0.3),
        categories: ['health'],
      }),
      article('told', 't5', -1, { ...naming(['Ada'], -0.2), categories: ['politics', 'health'] }),
    )
    const [trend] = await trendsOf(home)
    expect(trend).toMatchObject({
      sentiment_shift: -0.6,
      geographic_spread: ['NO'],
      categories: ['politics', 'health'],
    })
    expect((trend?.['related_entities'] as string[]).slice(0, 3)).toEqual(['ent_Ada', 'ent_Bo', 'ent_Oslo'])
    expect(trend?.['related_entities']).toHaveLength(10)

    expect(await trendsOf(home, 'category=politics')).toHaveLength(1)
    expect(await trendsOf(home, 'category=health')).toHaveLength(1)
    expect(await trendsOf(home, 'category=finance')).toEqual([])
  })

  it('returns when the story, or one merged into it, was first detected', async () => {
    const home = await aHome()
    await home.articles(...articles('a', -20, -3, -2), ...articles('b', -1, -2, -3, -4))
    const { namespace } = home
    await writer.write(trendsDetected, [
      detection(namespace, 'a', -2),
      detection(namespace, 'a', -5),
      detection(namespace, 'b', -3),
      { ...detection(namespace, 'b', -10), type: 'entity.spike' },
      detection('another', 'b', -11),
    ])
    const first = async (query = '') =>
      (await trendsOf(home, query)).map(({ id, first_detected }) => [id, new Date(String(first_detected)).getTime()])

    expect(await first()).toEqual([
      ['sto_b', at(-3)],
      ['sto_a', at(-5)],
    ])
    expect(await first(`min_articles=1&as_of=${new Date(at(-5.5)).toISOString()}`)).toEqual([['sto_a', at(-20)]])

    await home.articles(aChange('merged', ['a', 'b'], ['a0', 'a1', 'a2']))
    expect(await first()).toEqual([['sto_b', at(-5)]])
  })

  it('counts an article in its story, by its newest revision, in its namespace', async () => {
    const [home, other] = [await aHome(), await aHome()]
    await home.articles(...articles('a', -1, -2, -3), ...articles('b', -1, -2, -4))
    const again = article('a', 'a0', -30)
    await home.articles({ ...again, event_id: 'evt_revised', action: 'revised', content_hash: 'corrected' })
    expect(speeds(await trendsOf(home))).toEqual([['b', 3]])
    await home.articles(aChange('moved', ['b', 'a'], ['b2']))
    expect(speeds(await trendsOf(home))).toEqual([['a', 3 / (2 / 1.25)]])
    expect(await trendsOf(other)).toEqual([])
  })

  it.each([
    ['category', 'category=sport'],
    ['velocity', 'velocity=fast'],
    ['time_range', 'time_range=30d'],
    ['min_articles', 'min_articles=0'],
    ['limit', 'limit=51'],
    ['limit', 'limit=0'],
    ['as_of', 'as_of=soon'],
    ['supported', 'supported=yes'],
  ])('rejects an invalid %s: %s', async (path, query) => {
    const { status, body } = await (await aHome()).get(`/v1/trends?${query}`)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
  })
})
