import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { instant } from '../../../src/views/instant.ts'
import { aChange, anArticle } from '../../builders/transitioned.ts'
import { ViewWriter } from '../../builders/views.ts'
import { echoHomes, minutesAgo, type EchoHome } from './echo-home.ts'
import { viewsDatabase, type ViewsDatabaseAnswer } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = echoHomes(store, writer)

const NOON = '2016-05-03T12:00:00.000Z'

interface PlatformRecord {
  readonly platform: string
  readonly [name: string]: unknown
}
const recordsIn = ({ body }: ViewsDatabaseAnswer) => body['enrichments'] as PlatformRecord[]

const story = (home: EchoHome, id: string, query = ''): Promise<ViewsDatabaseAnswer> =>
  home.get(`/echo/v1/echo/story/sto_${id}${query}`)

/** `source_status` and age of the reddit record. */
const freshness = async (home: EchoHome, as_of = NOON) => {
  const [record] = recordsIn(await story(home, 'a', `?as_of=${as_of}`)).filter(({ platform }) => platform === 'reddit')
  return [record?.['source_status'], record?.['age_seconds']]
}

describe('GET /echo/v1/echo/story/{story_id}', () => {
  it("returns every field of each platform's record", async () => {
    const home = await aHome()
    await home.stories(2, 'a')
    await home.received('a', { platform: 'twitter' })
    await home.received('a', {
      counter_narrative_detected: true,
      counter_narrative_summary: 'It never closed.',
      counter_narrative_confidence: 0.75,
      evidence: { novel_entities: { 'Bo Reed': ['https://r.example/1'] }, counter_narrative: ['https://r.example/2'] },
    })

    const answer = await story(home, 'a', `?as_of=${NOON}`)

    expect(answer).toMatchObject({ status: 200, link: null })
    expect(answer.body).toMatchObject({ story_id: 'sto_a', count: 2, merged_into: null, merged_at: null })
    expect(recordsIn(answer).map(({ platform }) => platform)).toEqual(['reddit', 'twitter'])
    // this record is of 2016 in the log; the next test covers how long a quote is kept
    const [{ updated_at, counter_narrative_summary, ...record } = { platform: '' }] = recordsIn(answer)
    expect([null, 'It never closed.']).toContain(counter_narrative_summary)
    expect(updated_at).toMatch(/^2016-05-03T12:00:00\.\d{3}Z$/)
    expect(record).toEqual({
      platform: 'reddit',
      thread_urls: ['https://reddit.example/1'],
      fetched_at: NOON,
      comment_count_analyzed: 12,
      sentiment_score: -0.2,
      sentiment_label: 'negative',
      controversy_score: 0.4,
      dominant_themes: ['repairs'],
      editorial_entities: ['Ada Quill'],
      public_entities: ['Ada Quill', 'Bo Reed'],
      novel_entities: ['Bo Reed'],
      counter_narrative_detected: true,
      counter_narrative_confidence: 0.75,
      evidence: { novel_entities: { 'Bo Reed': ['https://r.example/1'] }, counter_narrative: ['https://r.example/2'] },
      sample: { posts: 12, authors: 9, window: { start: '2016-05-03T11:59:59.000Z', end: NOON } },
      source_status: 'live',
      age_seconds: 0,
    })
  })

  it('quotes a post only while its text may be kept', async () => {
    /** The quote of a record that was logged this many days ago. */
    const receivedDaysAgo = async (daysAgo: number): Promise<() => Promise<unknown>> => {
      const home = await aHome()
      await home.stories(2, 'a')
      const _log_at = instant(Date.now() - daysAgo * 86_400_000)
      const insert: Store['insert'] = (table, rows) =>
        store.insert(
          table,
          rows.map((row) => ({ ...row, _log_at })),
        )
      const summary = { counter_narrative_detected: true, counter_narrative_summary: 'It never closed.' }
      await new ViewWriter({ ...store, insert }).enriched({
        ...summary,
        namespace: home.namespace,
        cluster_id: 'sto_a',
      })
      return async () => recordsIn(await story(home, 'a', `?as_of=${NOON}`))[0]?.['counter_narrative_summary']
    }
    const [today, before] = [await receivedDaysAgo(0), await receivedDaysAgo(9)]
    await store.command('OPTIMIZE TABLE enrichments FINAL') // otherwise the server does it later

    expect(await today()).toBe('It never closed.')
    await expect.poll(before, { timeout: 30_000 }).toBe(null)
  })

  it('returns the record that held at `as_of`, also if several were emitted at once', async () => {
    const home = await aHome()
    await home.stories(9, 'a')
    await home.received('a', { occurred_at: minutesAgo(60), controversy_score: 0.9, event_id: 'evt_before' })
    await home.received(
      'a',
      { occurred_at: minutesAgo(240), controversy_score: 0.1 },
      { occurred_at: minutesAgo(120), controversy_score: 0.2 },
      { occurred_at: minutesAgo(60), controversy_score: 0.3 },
    )
    const at = async (time: string) =>
      recordsIn(await story(home, 'a', `?as_of=2016-05-03T${time}Z`)).map((record) => record['controversy_score'])

    expect(await at('11:00:00')).toEqual([0.3])
    expect(await at('10:59:59')).toEqual([0.2])
    expect(await at('10:00:00')).toEqual([0.2])
    expect(await at('08:00:00')).toEqual([0.1])
    expect(await story(home, 'a', '?as_of=2016-05-03T07:59:59Z')).toMatchObject({ status: 404 })
  })

  it('returns 404 for a story without posts, with only deleted posts, and for an unknown story', async () => {
    const home = await aHome()
    await home.stories(2, 'quiet', 'gone')
    await home.received('gone', {}, { comment_count_analyzed: 0, occurred_at: minutesAgo(0), event_id: 'evt_empty' })
    await home.received('unknown', {})

    for (const id of ['quiet', 'gone', 'unknown', 'none']) {
      expect(await story(home, id), id).toMatchObject({
        status: 404,
        body: { code: 'no_enrichment', detail: expect.any(String) as string, status: 404 },
      })
    }
  })

  it("returns the surviving story's record for a merged id, and its own at a time before the merge", async () => {
    const home = await aHome()
    await home.stories(5, 'a', 'b')
    await home.received('b', { occurred_at: minutesAgo(300), controversy_score: 0.2 })
    await home.articles({ ...aChange('merged', ['b', 'a'], ['b0', 'b1']), occurred_at: minutesAgo(60) })
    await home.received('a', { occurred_at: minutesAgo(60), controversy_score: 0.7 })
    await home.received('b', { occurred_at: minutesAgo(60), comment_count_analyzed: 0 })

    expect((await story(home, 'b')).body).toMatchObject({
      story_id: 'sto_a',
      merged_into: 'sto_a',
      merged_at: '2016-05-03T11:00:00.000Z',
      enrichments: [{ controversy_score: 0.7 }],
    })
    expect((await story(home, 'b', '?as_of=2016-05-03T10:59:00Z')).body).toMatchObject({
      story_id: 'sto_b',
      merged_into: null,
      enrichments: [{ controversy_score: 0.2 }],
    })
  })

  it('requires a professional key and returns only records of its namespace', async () => {
    const home = await aHome()
    await home.stories(2, 'a')
    await home.received('a', {})
    const other = await aHome()
    await other.stories(2, 'a')

    expect(await story(await aHome('starter'), 'a')).toMatchObject({ status: 403, body: { code: 'tier_restricted' } })
    expect(await story(other, 'a')).toMatchObject({ status: 404 })
    expect(await story(home, 'a', '?as_of=soon')).toMatchObject({ status: 422, body: { errors: [{ path: 'as_of' }] } })
  })
})

describe('`source_status` and `age_seconds`', () => {
  const withRecord = async (minutes = 600): Promise<EchoHome> => {
    const home = await aHome()
    await home.stories(9, 'a')
    await home.received('a', { fetched_at: minutesAgo(minutes) })
    return home
  }

  it('depends on the polls of the platform: an outage makes it degraded and leaves the record unchanged', async () => {
    const home = await withRecord()
    await home.polled({ polled_at: minutesAgo(20) })
    expect(await freshness(home)).toEqual(['live', 0])

    for (const [i, outcome] of (['failed', 'refused'] as const).entries()) {
      await home.polled({ polled_at: minutesAgo(9 - i), outcome, detail: 'http_503' })
      expect(await freshness(home), outcome).toEqual(['degraded', 0])
    }
    await home.polled({ polled_at: minutesAgo(6), outcome: 'limited', detail: 'rate_limit' })
    expect(await freshness(home), 'to wait for a rate is no outage').toEqual(['live', 0])
    expect(recordsIn(await story(home, 'a'))).toMatchObject([{ controversy_score: 0.4, comment_count_analyzed: 12 }])
    await home.polled({ polled_at: minutesAgo(1) })
    expect(await freshness(home)).toEqual(['live', 0])
  })

  it('is degraded after two rounds without a poll, stale after eight without a successful one', async () => {
    for (const [minutes, status] of [
      [30, 'live'],
      [31, 'degraded'],
      [120, 'degraded'],
      [121, 'stale'],
    ] as const) {
      const home = await withRecord()
      await home.polled({ polled_at: minutesAgo(minutes) })
      expect(await freshness(home), `${minutes} minutes`).toEqual([status, 0])
    }
  })

  it('depends on the arrival of posts if no poll ever succeeded', async () => {
    const home = await withRecord(0)
    await home.polled(
      { polled_at: minutesAgo(3), outcome: 'refused' },
      { platform: 'bluesky', polled_at: minutesAgo(9) },
    )

    expect(await freshness(home)).toEqual(['degraded', 0])
  })

  it('ignores later polls at a past `as_of`, and counts the age from the newest post', async () => {
    const home = await withRecord()
    await home.received('a', {
      occurred_at: minutesAgo(300),
      sample: { posts: 12, authors: 9, window_start: minutesAgo(310), window_end: minutesAgo(300) },
    })
    await home.polled({ polled_at: minutesAgo(250) }, { polled_at: minutesAgo(100), outcome: 'failed' })

    expect(await freshness(home, '2016-05-03T08:00:00Z')).toEqual(['live', 3_600])
    expect(await freshness(home, '2016-05-03T07:31:00Z')).toEqual(['degraded', 1_860])
    expect(await freshness(home, '2016-05-03T10:20:00Z')).toEqual(['stale', 12_000])
  })

  it('is separate per namespace and platform', async () => {
    const home = await withRecord(0)
    await (await aHome()).polled({ polled_at: minutesAgo(1), outcome: 'failed' })
    await home.polled({ platform: 'twitter', polled_at: minutesAgo(1), outcome: 'failed' })

    expect(await freshness(home)).toEqual(['live', 0])
  })
})

describe('GET /echo/v1/echo/stories', () => {
  const stories = (home: EchoHome, query: string): Promise<ViewsDatabaseAnswer> =>
    home.get(`/echo/v1/echo/stories?${query}`)

  it("returns each story's records under the requested id, and lists missing ids", async () => {
    const home = await aHome()
    await home.stories(5, 'a', 'b', 'quiet')
    await home.received('a', {}, { platform: 'bluesky' })
    await home.received('b', { platform: 'twitter' })

    const { status, body } = await stories(home, 'ids=sto_a,sto_none,sto_b,sto_a,%20sto_quiet,missing')

    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(['missing', 'sto_a', 'sto_b'])
    expect(body['missing']).toEqual(['sto_none', 'sto_quiet', 'missing'])
    expect(body).toMatchObject({
      sto_a: [{ platform: 'bluesky' }, { platform: 'reddit', source_status: 'live' }],
      sto_b: [{ platform: 'twitter' }],
    })
    expect(body['sto_a']).toEqual((await story(home, 'a')).body['enrichments'])
    expect((await stories(home, 'ids=sto_a,sto_b&platform=bluesky')).body).toMatchObject({
      sto_a: [{ platform: 'bluesky' }],
      missing: ['sto_b'],
    })
    expect((await stories(await aHome(), 'ids=sto_a')).body).toEqual({ missing: ['sto_a'] })
  })

  it("returns the surviving story's records under a merged id", async () => {
    const home = await aHome()
    await home.stories(5, 'a', 'b')
    await home.articles(aChange('merged', ['b', 'a'], ['b0', 'b1']))
    await home.received('a', {})

    const { body } = await stories(home, 'ids=sto_b,sto_a')

    expect(body).toMatchObject({ sto_a: [{ platform: 'reddit' }], missing: [] })
    expect(body['sto_b']).toEqual(body['sto_a'])
  })

  it('accepts 1 to 50 distinct ids', async () => {
    const home = await aHome()
    await home.stories(5, 'a')
    await home.received('a', {})
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `sto_${i}`).join(',')

    expect(await stories(home, `ids=${ids(50)},sto_0`)).toMatchObject({ status: 200 })
    for (const query of [`ids=${ids(51)}`, 'ids=', 'ids=,', '']) {
      expect(await stories(home, query), query).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ path: 'ids' }] },
      })
    }
    for (const platform of ['tiktok', 'reddit,bluesky', '']) {
      expect(await stories(home, `ids=sto_a&platform=${platform}`), platform).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'platform' }] },
      })
    }
    expect(await stories(await aHome('starter'), 'ids=sto_a')).toMatchObject({ status: 403 })
  })
})

describe('GET /echo/health', () => {
  it('responds without a key, for the shared namespace', async () => {
    const home = await aHome()
    await home.polled({ polled_at: minutesAgo(1), outcome: 'failed' })
    await writer.polled(
      { platform: 'bluesky', polled_at: minutesAgo(10) },
      { platform: 'bluesky', polled_at: minutesAgo(5) },
    )
    await writer.polled({ platform: 'twitter', polled_at: minutesAgo(400) })
    await writer.polled({ platform: 'twitter', polled_at: minutesAgo(40), outcome: 'failed' })

    const { status, body } = await home.get('/echo/health')

    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'degraded',
      platforms: {
        bluesky: { status: 'live', last_success_at: '2016-05-03T11:55:00.000Z' },
        twitter: { status: 'degraded', last_success_at: '2016-05-03T05:20:00.000Z' },
      },
    })
    expect(Object.keys(body['platforms'] as object)).toEqual(['reddit', 'bluesky', 'twitter'])
  })
})

it('a story whose articles were moved one by one resolves to their new story', async () => {
  const home = await aHome()
  await home.stories(5, 'a', 'b')
  await home.articles(
    aChange('moved', ['b', 'a'], ['b0']),
    aChange('moved', ['b', 'a'], ['b1']),
    anArticle('c', 'c0', -3),
  )
  await home.received('a', {})

  expect((await story(home, 'b')).body).toMatchObject({ story_id: 'sto_a', merged_into: 'sto_a', count: 1 })
})
