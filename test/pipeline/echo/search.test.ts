import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLATFORMS, type Platform, type StoryEnriched } from '../../../src/events/discourse.ts'
import { aChange, anArticle, aReception } from '../../builders/transitioned.ts'
import { sized } from '../../builders/sizes.ts'
import { echoHomes, keysIn, minutesAgo, rowsIn, type EchoHome } from './echo-home.ts'
import { viewsDatabase, type ViewsDatabaseAnswer } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = echoHomes(store, writer)

const ROW = [
  'story_id',
  'story_title',
  'platform',
  'comment_count_analyzed',
  'sentiment_score',
  'sentiment_label',
  'controversy_score',
  'dominant_themes',
  'editorial_entities',
  'public_entities',
  'novel_entities',
  'counter_narrative_detected',
  'counter_narrative_summary',
  'counter_narrative_confidence',
  'article_velocity',
  'lifecycle_state',
  'updated_at',
]

const search = (home: EchoHome, query = ''): Promise<ViewsDatabaseAnswer> => home.get(`/echo/v1/echo/search?${query}`)
const trending = (home: EchoHome, query = ''): Promise<ViewsDatabaseAnswer> =>
  home.get(`/echo/v1/echo/trending?${query}`)

/** Rows of a response and of all pages that its links lead to. */
async function allPages(home: EchoHome, first: string, between = async (): Promise<void> => undefined) {
  const pages: string[][] = []
  for (let next: string | null = first; next !== null;) {
    const answer: ViewsDatabaseAnswer = await home.get(next)
    expect(answer.status).toBe(200)
    pages.push(keysIn(answer))
    next = /<(.+)>; rel="next"/.exec(answer.link ?? '')?.[1] ?? null
    expect(answer.body['next_cursor'] === null).toBe(next === null)
    await between()
  }
  return pages
}

describe('GET /echo/v1/echo/search', () => {
  it('returns every field, one row per story and platform, last updated first', async () => {
    const home = await aHome()
    await home.stories(2, 'a')
    await home.stories(90, 'old')
    await home.received('a', {})
    await home.received('old', aReception('old', -3))
    await home.received('a', { platform: 'bluesky' })

    const answer = await search(home)

    expect(answer).toMatchObject({ status: 200, link: null, body: { count: 3, next_cursor: null } })
    expect(keysIn(answer)).toEqual(['a bluesky', 'old reddit', 'a reddit'])
    const [, old, a] = rowsIn(answer)
    expect(Object.keys(a ?? {}).toSorted()).toEqual(ROW.toSorted())
    expect(a).toMatchObject({
      story_id: 'sto_a',
      story_title: 'Harbour bridge to close',
      platform: 'reddit',
      comment_count_analyzed: 12,
      sentiment_score: -0.2,
      sentiment_label: 'negative',
      controversy_score: 0.4,
      dominant_themes: ['repairs'],
      editorial_entities: ['Ada Quill'],
      public_entities: ['Ada Quill', 'Bo Reed'],
      novel_entities: ['Bo Reed'],
      counter_narrative_detected: false,
      counter_narrative_summary: null,
      counter_narrative_confidence: 0,
      article_velocity: 2,
      lifecycle_state: 'developing',
    })
    expect(old).toMatchObject({ lifecycle_state: 'contested', article_velocity: 0 })
  })

  it('echoes the requested filters, `null` for others', async () => {
    const home = await aHome()

    expect((await search(home)).body).toEqual({
      results: [],
      count: 0,
      filters: {
        entity: null,
        entity_scope: 'any',
        topic: null,
        counter_narrative: null,
        min_controversy: null,
        platform: null,
        limit: 20,
        offset: 0,
      },
      next_cursor: null,
    })
    const query =
      'entity=Bo%20Reed&entity_scope=novel&topic=war&counter_narrative=false&min_controversy=0&platform=reddit,%20tiktok&limit=100&offset=3'
    expect((await search(home, query)).body['filters']).toEqual({
      entity: 'Bo Reed',
      entity_scope: 'novel',
      topic: 'war',
      counter_narrative: false,
      min_controversy: 0,
      platform: 'reddit, tiktok',
      limit: 100,
      offset: 3,
    })
  })

  it.each([
    ['entity=ada', ['one reddit', 'two twitter']],
    ['entity=ADA%20Q&entity_scope=any', ['one reddit']],
    ['entity=ada%20q&entity_scope=editorial', ['one reddit']],
    ['entity=reed&entity_scope=editorial', []],
    ['entity=reed&entity_scope=public', ['one reddit']],
    ['entity=reed&entity_scope=novel', ['one reddit']],
    ['entity=quill&entity_scope=novel', []],
    ['entity=%C5%81%C3%93D', ['two twitter']], // ŁÓD of Łódź
    ['entity=lo%CC%81d&entity_scope=any', []], // not without its stroke
    ['entity=100%25', ['two twitter']],
    ['entity=%25', ['two twitter']],
    ['entity=_', ['two twitter']],
    ['entity=Ada_Quill', []],
    ["entity='%20OR%201", []],
    ['entity=%5C', []],
    ['entity=', ['one reddit', 'two twitter']],
    ['topic=PAIR', ['one reddit']],
    ['topic=re%25rs', []],
    ['topic=toll', ['two twitter']],
    ['counter_narrative=true', ['two twitter']],
    ['counter_narrative=false', ['one reddit']],
    ['min_controversy=0.4', ['one reddit', 'two twitter']],
    ['min_controversy=0.41', ['two twitter']],
    ['min_controversy=1', []],
    ['platform=reddit', ['one reddit']],
    ['platform=twitter,reddit', ['one reddit', 'two twitter']],
    ['platform=twitter,tiktok', ['two twitter']],
    ['platform=tiktok', []],
    ['platform=', ['one reddit', 'two twitter']],
    ['entity=reed&counter_narrative=true', []],
    ['offset=1', ['two twitter']],
    ['offset=2', []],
    ['limit=1', ['one reddit']],
    ['unknown=1', ['one reddit', 'two twitter']],
  ])('%s', async (query, expected) => {
    const home = await aHome()
    await home.stories(2, 'one', 'two')
    await home.received('two', {
      platform: 'twitter',
      controversy_score: 0.6,
      counter_narrative_detected: true,
      dominant_themes: ['tolls', 'money'],
      editorial_entities: ['Łódź'],
      public_entities: ['Łódź', '100% Ada', 'a_b'],
      novel_entities: ['100% Ada', 'a_b'],
    })
    await home.received('one', {})

    const answer = await search(home, query)

    expect(answer.status).toBe(200)
    expect(keysIn(answer)).toEqual(expected)
    expect(answer.body['count']).toBe(expected.length)
  })

  it.each([
    'entity_scope=all',
    'entity_scope=',
    'counter_narrative=yes',
    'counter_narrative=1',
    'counter_narrative=',
    'min_controversy=1.1',
    'min_controversy=-0.1',
    'min_controversy=hot',
    'limit=0',
    'limit=101',
    'limit=1.5',
    'offset=-1',
    'cursor=nonsense',
    'as_of=soon',
    `entity=${'a'.repeat(201)}`,
  ])('refuses %s', async (parameter) => {
    const { status, body } = await search(await aHome(), parameter)

    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: parameter.split('=')[0] }] })
  })

  it('leaves out records without posts and stories without articles', async () => {
    const home = await aHome()
    await home.stories(9, 'a', 'emptied', 'b')
    await home.received('unknown', {})
    await home.received('emptied', {})
    await home.received('a', {}, { comment_count_analyzed: 0, event_id: 'evt_none_left' })
    await home.received('b', {})
    await home.articles({
      ...aChange('merged', ['emptied', 'b'], ['emptied0', 'emptied1']),
      occurred_at: minutesAgo(1),
    })

    expect(keysIn(await search(home))).toEqual(['b reddit'])
    expect(keysIn(await search(home, 'as_of=2016-05-03T11:30:00Z'))).toEqual([])
  })

  it('returns what held at `as_of`', async () => {
    const home = await aHome()
    await home.stories(9, 'a')
    await home.articles(anArticle('late', 'late0', -1))
    await home.received(
      'a',
      { occurred_at: minutesAgo(240), controversy_score: 0.9 },
      { occurred_at: minutesAgo(60), controversy_score: 0.3 },
    )
    await home.received('late', { occurred_at: minutesAgo(240) })
    const at = async (query: string) =>
      rowsIn(await search(home, query)).map(({ story_id, controversy_score }) => [story_id, controversy_score])

    expect(await at('as_of=2016-05-03T10:59:59Z')).toEqual([['sto_a', 0.9]])
    expect(await at('as_of=2016-05-03T11:00:00Z')).toEqual([
      ['sto_late', 0.4],
      ['sto_a', 0.3],
    ])
    expect(await at('min_controversy=0.5')).toEqual([])
    expect(await at('as_of=2016-05-03T07:00:00Z')).toEqual([])
  })

  it('requires a professional key and returns only records of its namespace', async () => {
    const home = await aHome()
    await home.stories(2, 'a')
    await home.received('a', {})
    const other = await aHome()
    await other.stories(2, 'a')

    expect(keysIn(await search(other))).toEqual([])
    expect(await search(await aHome('starter'))).toMatchObject({ status: 403, body: { code: 'tier_restricted' } })
    expect(await search(await aHome('starter'), 'limit=0')).toMatchObject({ status: 403 })
  })
})

describe('GET /echo/v1/echo/trending', () => {
  const disputed = async (): Promise<EchoHome> => {
    const home = await aHome()
    await home.stories(2, 'a', 'b', 'c')
    await home.received('a', { controversy_score: 0.7 }, { platform: 'twitter', controversy_score: 0.599 })
    await home.received('b', { controversy_score: 0.9, counter_narrative_detected: true })
    await home.received('c', { controversy_score: 0.7 }, { platform: 'bluesky', controversy_score: 0.6 })
    return home
  }

  it.each([
    ['', ['b reddit', 'c reddit', 'a reddit', 'c bluesky']],
    ['min_controversy=0.7', ['b reddit', 'c reddit', 'a reddit']],
    ['min_controversy=0', ['b reddit', 'c reddit', 'a reddit', 'c bluesky', 'a twitter']],
    ['counter_narrative_only=true', ['b reddit']],
    ['counter_narrative_only=false&limit=2', ['b reddit', 'c reddit']],
    ['platform=bluesky', ['c bluesky']],
    ['limit=50', ['b reddit', 'c reddit', 'a reddit', 'c bluesky']],
  ])('sorted by controversy, then newest first: %s', async (query, expected) => {
    const answer = await trending(await disputed(), query)

    expect(answer).toMatchObject({ status: 200, body: { count: expected.length } })
    expect(keysIn(answer)).toEqual(expected)
    expect(Object.keys(rowsIn(answer)[0] ?? {}).toSorted()).toEqual(ROW.toSorted())
  })

  it('echoes its filters', async () => {
    const home = await aHome()

    expect((await trending(home)).body).toEqual({
      results: [],
      count: 0,
      filters: { min_controversy: 0.6, counter_narrative_only: false, platform: null, limit: 20 },
      next_cursor: null,
    })
    expect((await trending(home, 'platform=reddit&counter_narrative_only=true&limit=1')).body['filters']).toEqual({
      min_controversy: 0.6,
      counter_narrative_only: true,
      platform: 'reddit',
      limit: 1,
    })
  })

  it('continues after a cursor, also within equal controversy', async () => {
    const home = await disputed()

    expect(await allPages(home, '/echo/v1/echo/trending?limit=1')).toEqual([
      ['b reddit'],
      ['c reddit'],
      ['a reddit'],
      ['c bluesky'],
    ])
  })

  it.each([
    'platform=tiktok',
    'platform=reddit,bluesky',
    'limit=51',
    'limit=0',
    'min_controversy=2',
    'counter_narrative_only=1',
  ])('refuses %s', async (parameter) => {
    expect(await trending(await aHome(), parameter)).toMatchObject({
      status: 422,
      body: { errors: [{ path: parameter.split('=')[0] }] },
    })
  })

  it('requires a professional key', async () => {
    expect(await trending(await aHome('starter'))).toMatchObject({ status: 403, body: { code: 'tier_restricted' } })
  })
})

describe('pages of a search', () => {
  const STORIES = ['a', 'b', 'c', 'd', 'e'] as const
  interface SearchedPost {
    readonly story: string
    readonly platform: Platform
    readonly controversy: number
    readonly minutes: number
  }
  const record: fc.Arbitrary<SearchedPost> = fc.record({
    story: fc.constantFrom(...STORIES),
    platform: fc.constantFrom(...PLATFORMS),
    controversy: fc.constantFrom(0.2, 0.6, 0.9),
    minutes: fc.integer({ min: 1, max: 300 }),
  })
  const write = async (home: EchoHome, records: readonly SearchedPost[], round: string): Promise<void> => {
    for (const [i, { story, platform, controversy, minutes }] of records.entries()) {
      const event: Partial<StoryEnriched> = {
        platform,
        event_id: `evt_${round}_${i}`,
        controversy_score: controversy,
        occurred_at: minutesAgo(minutes),
      }
      await home.received(story, event)
    }
  }

  it('contain each row once and in order, whatever arrives meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 12 }),
        fc.array(record, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('search', 'trending?min_controversy=0', 'search?min_controversy=0.5'),
        async (records, news, limit, list) => {
          const home = await aHome()
          await home.stories(9, ...STORIES)
          await write(home, records, 'first')
          const path = `/echo/v1/echo/${list}${list.includes('?') ? '&' : '?'}`
          const whole = keysIn(await home.get(`${path}limit=50`))
          let round = 0

          const pages = await allPages(home, `${path}limit=${limit}`, () => write(home, news, `${round++}`))

          expect(pages.flat()).toEqual(whole)
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
        },
      ),
      { numRuns: sized(4, 12) },
    )
  })

  it('contain the same rows by offset', async () => {
    const home = await aHome()
    await home.stories(9, ...STORIES)
    for (const story of STORIES) await home.received(story, {}, { platform: 'twitter' })
    const whole = keysIn(await search(home))

    const pages = await Promise.all(
      [0, 3, 6, 9, 12].map(async (i) => keysIn(await search(home, `limit=3&offset=${i}`))),
    )

    expect(whole).toHaveLength(10)
    expect(pages.flat()).toEqual(whole)
  })

  it('continue only the query of their cursor', async () => {
    const home = await aHome()
    await home.stories(9, ...STORIES)
    for (const story of STORIES) await home.received(story, { controversy_score: 0.8 })
    const { next_cursor } = (await search(home, 'limit=2')).body
    const cursor = `cursor=${String(next_cursor)}`

    expect((await search(home, `limit=1&${cursor}`)).status).toBe(200)
    expect((await search(home, `topic=repairs&${cursor}`)).status).toBe(422)
    expect((await search(home, `as_of=2016-05-03&${cursor}`)).status).toBe(422)
    expect((await trending(home, cursor)).status).toBe(422)
    expect((await search(await aHome(), cursor)).status).toBe(422)
  })
})
