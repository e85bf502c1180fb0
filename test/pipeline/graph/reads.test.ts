import { describe, expect, it } from 'vitest'
import { storiesLinked } from '../../../src/events/graph.ts'
import { articlesAnalyzed } from '../../../src/events/articles.ts'
import { aChange, anArticle, at } from '../../builders/linked.ts'
import { aLink, anAnalyzedArticle, anEntity, aThreadPlace } from '../../builders/views.ts'
import { graphHomes, type GraphHome } from './graph-home.ts'
import { viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = graphHomes(store, writer)

const SAME = { names: 'p1 p2 o3' }

/** Hours after noon of `A_DAY`, the time of the request. */
const moment = (hours: number): string => new Date(Math.round(at(hours))).toISOString()

const relationships = async (home: GraphHome, story: string, as_of?: string) =>
  (await home.get(`/layer3/v1/graph/cluster/sto_${story}/relationships${as_of === undefined ? '' : `?as_of=${as_of}`}`))
    .body['relationships'] as { source: string; target: string; type: string; confidence: number; since: string }[]

const shared = async (home: GraphHome, story: string, as_of?: string) =>
  (await relationships(home, story, as_of))
    .filter(({ type }) => type === 'shared_entities')
    .map(({ source, target, confidence, since }) => [source, target, confidence, since])

interface Threads {
  readonly threads: {
    readonly id: string
    readonly title: string
    readonly status: string
    readonly cluster_ids: string[]
    readonly importance_score: number
    readonly confidence_score: number
    readonly top_entities: { readonly name: string; readonly cluster_count: number }[]
  }[]
  readonly total: number
  readonly next_cursor: string | null
}

const threads = async (home: GraphHome, query = ''): Promise<Threads> =>
  (await home.get(`/layer3/v1/graph/threads${query}`)).body as unknown as Threads

describe('GET /layer3/v1/graph/cluster/{cluster_id}/relationships', () => {
  it('returns outgoing and incoming relationships at a point in time', async () => {
    const home = await aHome()
    await home.live(
      anArticle('b', 'b1', { ...SAME, hours: -9 }),
      anArticle('a', 'a1', { ...SAME, hours: -8 }),
      anArticle('c', 'c1', { names: 'p1 p2 o3 p4 p5', hours: -7 }),
      anArticle('c', 'c2', { names: 'p1 p2 o3 p4 p5 p6 p7 p8', hours: -6 }),
    )

    expect(await shared(home, 'b')).toEqual([['sto_a', 'sto_b', 1, moment(-8)]])
    expect(await shared(home, 'b', moment(-6.5))).toEqual([
      ['sto_a', 'sto_b', 1, moment(-8)],
      ['sto_b', 'sto_c', 0.6, moment(-7)],
    ])
    expect(await shared(home, 'b', moment(-7.5))).toEqual([['sto_a', 'sto_b', 1, moment(-8)]])
    expect(await shared(home, 'b', moment(-8.5))).toEqual([])
    expect(await shared(home, 'c')).toEqual([])
  })

  it('resolves a merged id, and returns 404 for an unknown one', async () => {
    const home = await aHome()
    await home.live(
      anArticle('a', 'a1', { ...SAME, hours: -9 }),
      anArticle('b', 'b1', { ...SAME, hours: -8 }),
      aChange('merged', ['a', 'b'], ['a1'], -5),
    )
    const path = '/layer3/v1/graph/cluster/sto_a/relationships'

    expect((await home.get(path)).body).toMatchObject({
      cluster_id: 'sto_b', // as its relationships name it
      merged_into: 'sto_b',
      merged_at: moment(-5),
    })
    expect((await home.get(`${path}?as_of=${moment(-6)}`)).body).toMatchObject({ merged_into: null, merged_at: null })
    expect(await home.get(`${path}?as_of=${moment(-10)}`)).toMatchObject({
      status: 404,
      body: { code: 'cluster_not_found', detail: 'Cluster not found: sto_a' },
    })
    expect((await home.get('/layer3/v1/graph/cluster/sto_none/relationships')).status).toBe(404)
    expect((await home.get(`${path}?as_of=never`)).status).toBe(422)
  })

  it('applies the event with the latest cause, not the latest in the log', async () => {
    const home = await aHome()
    await home.live(anArticle('a', 'a1', SAME), anArticle('b', 'b1', { names: 'p7 p8 o9' }))
    const caused = (offset: number) => ({ topic: 'articles.clustered', partition: 0, offset })
    const word = { namespace: home.namespace, source: 'sto_a', target: 'sto_b' }

    await writer.linked(
      aLinkOf({ ...word, action: 'added', caused_by: caused(9) }),
      aLinkOf({ ...word, action: 'removed', caused_by: caused(7) }), // by a build at an earlier offset
    )

    expect(await shared(home, 'a')).toHaveLength(1)
  })
})

const aLinkOf = (over: Parameters<typeof aLink>[0]) => aLink({ occurred_at: Date.UTC(2016, 4, 3), ...over })

describe('GET /layer3/v1/graph/threads', () => {
  /** A thread of four stories from the first day, and one of three that is some hours old. */
  async function twoThreads(home: GraphHome): Promise<void> {
    const old = { names: 'p5 p6 o7 g8' }
    await home.live(
      ...['d', 'e', 'f', 'g'].map((story, i) => anArticle(story, `${story}1`, { ...old, hours: -240 + i })),
      ...['a', 'b', 'c'].map((story, i) => anArticle(story, `${story}1`, { ...SAME, hours: -9 + i })),
    )
  }

  it('returns the most important first, with the entities most of its stories name', async () => {
    const home = await aHome()
    await twoThreads(home)

    const { threads: found, total, next_cursor } = await threads(home)

    expect(found).toMatchObject([
      { cluster_ids: ['sto_d', 'sto_e', 'sto_f', 'sto_g'], status: 'concluded' },
      { cluster_ids: ['sto_a', 'sto_b', 'sto_c'], status: 'active', title: 'Harbour bridge to close' },
    ])
    // mean of its steps: log odds 7.02 + 7.13 - 3.79 for equal centres and titles, minus 0.02 to 0.05 for silence,
    // above the minimum of -0.8
    expect(found[0]?.confidence_score).toBeCloseTo(0.999985, 5)
    // one publisher, no country: 1 - exp(-(4 / 20 + 1 / 40))
    expect(found[0]?.importance_score).toBeCloseTo(1 - Math.exp(-0.225), 8)
    expect(found[1]?.top_entities.map(({ name, cluster_count }) => [name, cluster_count])).toEqual([
      ['o3', 3],
      ['p1', 3],
      ['p2', 3],
    ])
    expect([total, next_cursor]).toEqual([2, null])
  })

  it('pages by cursor or by offset', async () => {
    const home = await aHome()
    await twoThreads(home)
    const ids = (await threads(home)).threads.map(({ id }) => id)

    const first = await threads(home, '?limit=1')
    const second = await threads(home, `?limit=1&cursor=${first.next_cursor ?? ''}`)

    expect([...first.threads, ...second.threads].map(({ id }) => id)).toEqual(ids)
    expect([first.total, second.total, second.next_cursor]).toEqual([2, 2, null])
    expect((await threads(home, '?offset=1')).threads.map(({ id }) => id)).toEqual(ids.slice(1))
    expect((await threads(home, '?offset=9')).total).toBe(2)
    expect((await home.get('/layer3/v1/graph/threads?limit=101')).status).toBe(422)
    expect((await home.get('/layer3/v1/graph/threads?limit=1&cursor=x')).status).toBe(422)
    expect((await home.get(`/layer3/v1/graph/threads?status=active&cursor=${first.next_cursor ?? ''}`)).status).toBe(
      422,
    )
  })

  it('has the status active for 48 hours, dormant for 7 days, then concluded', async () => {
    const home = await aHome()
    await twoThreads(home)
    const newest = -240 + 3
    const state = async (hours: number) =>
      (await threads(home, `?as_of=${moment(newest + hours)}`)).threads.map(({ status }) => status)

    expect(await state(48)).toEqual(['active'])
    expect(await state(48.001)).toEqual(['dormant'])
    expect(await state(168)).toEqual(['dormant'])
    expect(await state(168.001)).toEqual(['concluded'])
    expect((await threads(home, '?status=active')).threads).toHaveLength(1)
    expect((await threads(home, '?status=concluded')).total).toBe(1)
    expect((await threads(home, '?status=dormant')).threads).toEqual([])
  })

  it('hides threads with fewer than three stories at that time, or with low confidence', async () => {
    const home = await aHome()
    await twoThreads(home)
    expect((await threads(home, `?as_of=${moment(-238)}`)).threads).toMatchObject([
      { cluster_ids: ['sto_d', 'sto_e', 'sto_f'] },
    ])
    expect((await threads(home, `?as_of=${moment(-238.5)}`)).threads).toEqual([])

    const loose = await aHome()
    await loose.unlinked(...['a', 'b', 'c'].map((story) => anArticle(story, `${story}1`, SAME)))
    await loose.plant(
      ...['a', 'b', 'c'].map((story) => aThreadPlace({ source: `sto_${story}`, thread_id: 'thr_loose' })),
    )
    expect((await threads(loose)).threads).toEqual([])
    expect((await loose.get('/layer3/v1/graph/stats')).body['narrative_threads']).toBe(1)
  })

  it('keeps its id while it grows', async () => {
    const home = await aHome()
    await twoThreads(home)
    const [, before] = (await threads(home)).threads
    const id = before?.id ?? ''

    const more = ['h1', 'h2', 'h3', 'h4'].map((article, i) => anArticle('h', article, { ...SAME, hours: i - 5 }))
    await home.live(...more, aChange('merged', ['a', 'b'], ['a1'], 0))

    const { status, body } = await home.get(`/layer3/v1/graph/threads/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      cluster_ids: ['sto_b', 'sto_c', 'sto_h'],
      chapters: [
        { cluster_id: 'sto_b', article_count: 2, first_seen: moment(-9), turning_point: false, why: null },
        { cluster_id: 'sto_c', article_count: 1, title: 'Harbour bridge to close', turning_point: false, why: null },
        {
          ...{ cluster_id: 'sto_h', article_count: 4, first_seen: moment(-5), turning_point: true },
          why: 'It has 4 articles; the median of the chapters before it is 1.5.',
        },
      ],
      graph_as_of: expect.any(String) as string,
    })
    expect(await home.get('/layer3/v1/graph/threads/thr_none')).toMatchObject({
      status: 404,
      body: { code: 'thread_not_found', detail: 'Thread not found: thr_none' },
    })
    expect((await home.get(`/layer3/v1/graph/threads/${id}?as_of=2001-01-01`)).status).toBe(404)
  })
})

describe('GET /layer3/v1/graph/stats', () => {
  const article = (home: GraphHome, id: string, names: readonly string[], over: object = {}) =>
    anAnalyzedArticle({
      namespace: home.namespace,
      article_id: `art_${id}`,
      content_hash: 'h1',
      event_id: `evt_${home.namespace}_${id}_1`,
      occurred_at: Date.UTC(2016, 4, 3, 9),
      entities: names.map((name) => anEntity(name, name === '2016' ? 'DATE' : 'PERSON')),
      ...over,
    })

  it('counts each pair of entities that an article names once, by its newest revision, without dates', async () => {
    const home = await aHome()
    const pairs = async (as_of = moment(0)) =>
      (await home.get(`/layer3/v1/graph/stats?as_of=${as_of}`)).body['entity_relationships']
    await writer.write(articlesAnalyzed, [
      article(home, 'a', ['Ada', 'Bo', '2016']),
      article(home, 'b', ['Bo', 'Ada']),
      article(home, 'c', ['Ada', 'Cy', 'Di']),
    ])
    expect(await pairs()).toBe(4) // Ada-Bo, Ada-Cy, Ada-Di, Cy-Di

    const revised = { content_hash: 'h2', event_id: `evt_${home.namespace}_c_2`, occurred_at: Date.UTC(2016, 4, 3, 11) }
    await writer.write(articlesAnalyzed, [article(home, 'c', ['Ada', 'Cy'], revised)])
    const direct = { direct: true, content_hash: 'h3', event_id: `evt_${home.namespace}_c_3` }
    await writer.write(articlesAnalyzed, [
      article(home, 'c', ['Ed', 'Flo', 'Gil'], direct), // replaced by the pipeline's own
      article(home, 'd', ['Ed', 'Flo'], direct),
    ])
    expect(await pairs()).toBe(3) // Ada-Bo, Ada-Cy, Ed-Flo
    expect(await pairs(moment(-2))).toBe(5) // Ada-Bo, Ada-Cy, Ada-Di, Cy-Di, Ed-Flo: before the revision
    expect(await pairs(moment(-4))).toBe(0)
  })

  it('counts each related pair of stories once, threads, and trending entities', async () => {
    const home = await aHome()
    const emitted = await home.live(
      ...['a', 'b', 'c'].map((story) => anArticle(story, `${story}1`, { ...SAME, hours: -2 })),
    )
    expect(emitted.filter(({ kind }) => kind === 'relationship').length).toBeGreaterThan(3)
    await writer.write(articlesAnalyzed, [
      ...[0, 1, 2].map((day) =>
        article(home, `d${day}`, ['Ada', 'Bo'], {
          occurred_at: Date.UTC(2016, 4, day),
          event_id: `evt_${home.namespace}_d${day}`,
        }),
      ),
      // Ada ten times as often as usual, by ten outlets; Bo twice as often, but with only two mentions.
      ...[...Array(10).keys()].map((i) =>
        article(home, `n${i}`, i < 2 ? ['Ada', 'Bo'] : ['Ada'], {
          ...{ event_id: `evt_${home.namespace}_n${i}`, source: `Outlet ${i}`, semantic_hash: `text ${i}` },
        }),
      ),
    ])

    expect((await home.get('/layer3/v1/graph/stats')).body).toEqual({
      entity_relationships: 1,
      cluster_relationships: 3,
      narrative_threads: 1,
      trending_entities: 1,
      graph_as_of: expect.any(String) as string,
    })
    expect((await home.get(`/layer3/v1/graph/stats?as_of=${moment(-3)}`)).body).toMatchObject({
      cluster_relationships: 0,
      narrative_threads: 0,
    })
  })

  it('`graph_as_of` exceeds neither `as_of` nor what its consumers have read', async () => {
    const home = await aHome()
    const upTo = async (as_of: string) => (await home.get(`/layer3/v1/graph/stats?as_of=${as_of}`)).body['graph_as_of']

    expect(await upTo(moment(-3))).toBe(moment(-3))
    await home.api.log.produce([{ topic: storiesLinked.name, key: 'x', value: Buffer.from('x'), partition: 0 }])
    await home.api.clock.advance(1_000)
    expect(await upTo(moment(-3))).toBe('1969-12-31T23:59:59.999Z') // this log's records are of 1970
  })
})
