import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { comparingApart } from '../../../src/operations/graph/graph-builds.ts'
import { storiesLinked } from '../../../src/events/graph.ts'
import { articlesClustered } from '../../../src/events/ledger.ts'
import { StoreUnavailable } from '../../../src/ports/store.ts'
import { comparing } from '../../../src/views/graph/compare.ts'
import { VIEWS_DATABASE } from '../../engines.ts'
import { ledgers } from '../../builders/ledgers.ts'
import { aChange, anArticle } from '../../builders/linked.ts'
import { sized } from '../../builders/sizes.ts'
import { aLink, aThreadPlace } from '../../builders/views.ts'
import { graphHomes, type GraphHome } from './graph-home.ts'
import { viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = graphHomes(store, writer)
/** Separate logs that contain the committed offsets of the stage and the views. */
const aFollowedHome = graphHomes(store, writer)
const aHomeBehind = graphHomes(store, writer)
const anUnreadHome = graphHomes(store, writer, { unread: true })
const aRefusingHome = graphHomes(store, writer, { graphReads: 'refuse' })

const SAME = { names: 'p1 p2 o3' }

/** Three stories about the same entities, one about others. */
const FOUR = [
  anArticle('a', 'a1', { ...SAME, hours: -9 }),
  anArticle('b', 'b1', { ...SAME, hours: -8 }),
  anArticle('c', 'c1', { ...SAME, hours: -7 }),
  anArticle('d', 'd1', { names: 'p7 p8 o9', hours: -6 }),
]

interface Stats {
  readonly clusters_processed: number
  readonly relationships_created: number
  readonly narrative_threads_built: number
  readonly differences: number
}

async function built(home: GraphHome): Promise<Stats> {
  const [answer] = await home.build()
  expect(answer?.status).toBe(200)
  return answer?.body['stats'] as Stats
}

const relationships = async (home: GraphHome, story: string): Promise<unknown> =>
  (await home.get(`/layer3/v1/graph/cluster/sto_${story}/relationships`)).body['relationships']

describe('POST /layer3/v1/graph/build', () => {
  it('returns its figures, and finds no difference in a maintained graph', async () => {
    const home = await aHome()
    await home.live(...FOUR)

    const [answer] = await home.build()

    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'complete',
        stats: {
          clusters_processed: 4,
          // two for each of three pairs: shared entities, and merged or evolved
          relationships_created: expect.any(Number) as number,
          entity_pairs_processed: 0, // articles.analyzed is empty
          narrative_threads_built: 1,
          differences: 0,
          beyond_memory: 0,
          kept: true,
        },
        graph_as_of: expect.any(String) as string,
      },
    })
    expect((answer?.body['stats'] as { duration_seconds: number }).duration_seconds).toBeGreaterThan(0)
  })

  it('builds a graph that was never maintained; a second build finds no difference', async () => {
    const home = await aHome()
    await home.unlinked(...FOUR)
    expect(await relationships(home, 'a')).toEqual([])

    const first = await built(home)

    expect(first.differences).toBe(first.relationships_created + 3)
    expect(await relationships(home, 'a')).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          source: 'sto_a',
          target: 'sto_b',
          type: 'shared_entities',
          confidence: 1,
          directed: false,
          since: '2016-05-03T04:00:00.000Z',
        }),
      ]) as unknown[],
    )
    expect((await home.get('/layer3/v1/graph/threads')).body['total']).toBe(1)
    expect(await built(home)).toEqual({ ...first, differences: 0, duration_seconds: expect.any(Number) as number })
  })

  it('corrects missing, wrong and superfluous relationships', async () => {
    const home = await aHome()
    const emitted = await home.live(...FOUR)
    const before = await relationships(home, 'a')
    const shared = emitted.filter(({ type }) => type === 'shared_entities')
    const [ab, ac, bc] = shared
    const place = emitted.find(({ kind }) => kind === 'thread')
    if (ab === undefined || ac === undefined || bc === undefined || place === undefined) throw new Error('nothing told')
    await home.plant(
      { ...ab, event_id: 'evt_gone', action: 'removed' },
      { ...ac, event_id: 'evt_weak', action: 'changed', confidence: 0.625 },
      aLink({ event_id: 'evt_odd', source: 'sto_a', target: 'sto_d', occurred_at: ab.occurred_at }),
      { ...place, event_id: 'evt_lost', action: 'removed' },
      aThreadPlace({ event_id: 'evt_other', source: 'sto_d', thread_id: 'thr_odd' }),
    )
    expect(await relationships(home, 'a')).not.toEqual(before)

    const { differences } = await built(home)

    expect(differences).toBe(5)
    expect(await relationships(home, 'a')).toEqual(before)
    expect((await home.get('/layer3/v1/graph/threads')).body['threads']).toMatchObject([
      { cluster_ids: ['sto_a', 'sto_b', 'sto_c'] },
    ])
    expect((await built(home)).differences).toBe(0)
  })

  it('concurrent builds share one result', async () => {
    const home = await aHome()
    await home.unlinked(...FOUR)

    const [one, other] = await home.build(2)

    expect(one?.status).toBe(200)
    expect(other?.body).toEqual(one?.body)
    const emitted = home.api.log.records(storiesLinked.name).length
    const [later] = await home.build()
    expect(later?.body['build_id']).not.toBe(one?.body['build_id'])
    expect(home.api.log.records(storiesLinked.name).length).toBe(emitted + 1) // its completion, and no repeated event
  })

  it('returns zeros for a namespace without stories', async () => {
    const home = await aHome()

    expect(await built(home)).toMatchObject({ clusters_processed: 0, relationships_created: 0, differences: 0 })
  })

  it('ignores other namespaces', async () => {
    const [home, other] = [await aHome(), await aHome()]
    await other.live(...FOUR)
    await home.live(anArticle('a', 'a1', SAME))

    expect(await built(home)).toMatchObject({ clusters_processed: 1, relationships_created: 0, differences: 0 })
    expect(await relationships(home, 'a')).toEqual([])
    expect((await home.get('/layer3/v1/graph/threads')).body['threads']).toEqual([])
  })

  it('needs a Professional key', async () => {
    const home = await aHome('starter')

    expect(await home.build()).toMatchObject([{ status: 403, body: { code: 'tier_restricted' } }])
    expect(await home.get('/layer3/v1/graph/stats')).toMatchObject({ status: 403, body: { code: 'tier_restricted' } })
  })
})

describe('a build compares at the ledger offset that the stage has reached', () => {
  it('and ignores later records', async () => {
    const home = await aFollowedHome()
    await home.live(...FOUR.slice(0, 3))
    home.api.log.commit('linked', { topic: articlesClustered.name, partition: 0, offset: 3 }, null)
    home.api.log.commit('view:clusters', { topic: articlesClustered.name, partition: 0, offset: 4 }, null)
    home.api.log.commit('view:graph', { topic: storiesLinked.name, partition: 0, offset: 1_000_000 }, null)
    await home.unlinked(anArticle('e', 'e1', SAME)) // not read by the stage

    expect(await built(home)).toMatchObject({ clusters_processed: 3, differences: 0 })

    home.api.log.commit('linked', { topic: articlesClustered.name, partition: 0, offset: 4 }, null)
    expect((await built(home)).differences).toBeGreaterThan(3)
  })

  it('and never outranks the future events of a stage that has read nothing yet', async () => {
    const home = await anUnreadHome()
    const emitted = await home.unlinked(...FOUR)
    const first = await built(home)
    expect(first).toMatchObject({ differences: first.relationships_created + 3, kept: false })
    const [ab] = emitted.filter(({ source, type }) => source === 'sto_a' && type === 'shared_entities')
    if (ab === undefined) throw new Error('nothing to tell')

    await home.say({ ...ab, confidence: 0.875 }, { ...ab, event_id: 'evt_other', target: 'sto_c', confidence: 0.75 })

    const shown = (await relationships(home, 'a')) as {
      readonly target: string
      readonly type: string
      readonly confidence: number
    }[]
    expect(shown.filter(({ type, confidence }) => type === 'shared_entities' && confidence < 1)).toMatchObject([
      { target: 'sto_b', confidence: 0.875 },
      { target: 'sto_c', confidence: 0.75 },
    ])
  })

  it('and returns 503 if a view does not catch up', async () => {
    const home = await aHomeBehind()
    await home.live(...FOUR)
    const unread = { topic: articlesClustered.name, key: 'x', value: Buffer.from('x'), partition: 0 }
    await home.api.log.produce([unread, unread, unread, unread])
    home.api.log.commit('linked', { topic: articlesClustered.name, partition: 0, offset: 4 }, null)
    home.api.log.commit('view:clusters', { topic: articlesClustered.name, partition: 0, offset: 3 }, null)

    const [answer] = await home.build(1, 500)

    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  })
})

describe('reads during a build', () => {
  const READS = [
    '/layer3/v1/graph/stats',
    '/layer3/v1/graph/cluster/sto_a/relationships',
    '/layer3/v1/graph/threads',
    '/layer3/v1/trends/entities',
  ]

  it('never fail, and never see an intermediate graph', async () => {
    const home = await aHome()
    await home.live(...FOUR, ...Array.from({ length: 60 }, (_, i) => anArticle(`s${i}`, `s${i}`, SAME)))
    const before = await relationships(home, 'a')
    const builds: Stats[] = []
    const building = (async () => {
      while (builds.length < 3) builds.push(await built(home))
    })()

    let reads = 0
    const wrong: unknown[] = []
    while (reads < sized(60, 200) || builds.length < 3) {
      const path = READS[reads++ % READS.length] ?? ''
      const { status, body } = await home.get(path)
      if (
        status !== 200 ||
        ('cluster_id' in body && JSON.stringify(body['relationships']) !== JSON.stringify(before))
      ) {
        wrong.push({ path, status, body })
      }
    }
    await building

    expect(wrong).toEqual([])
    expect(reads).toBeGreaterThanOrEqual(sized(60, 200))
  })

  it('are refused if so configured, builds are not', async () => {
    const home = await aRefusingHome()
    await home.unlinked(...FOUR)
    expect((await home.get(READS[0] ?? '')).status).toBe(200)

    const building = home.api.post('/layer3/v1/graph/build', '', home.key)
    const during = await Promise.all(READS.map((path) => home.api.get(path, home.key)))
    const elsewhere = await home.api.get('/v1/clusters', home.key)
    const [shared] = await home.build()
    expect((await building).status).toBe(200)

    expect(during.map(({ status }) => status)).toEqual(READS.map(() => 503))
    expect(during.map(({ headers }) => headers.get('retry-after'))).toEqual(READS.map(() => '2'))
    expect(await during[0]?.json()).toMatchObject({ code: 'graph_build_in_progress' })
    expect([elsewhere.status, shared?.status]).toEqual([200, 200])
    expect((await home.get(READS[0] ?? '')).status).toBe(200)
  })
})

it('for random ledgers, the graph built from the tables equals that of the stage', async () => {
  const kinds = new Set<string>()
  const some = fc.sample(ledgers, { numRuns: sized(8, 16), seed: 2 })
  for (const ledger of some) {
    const home = await aHome()
    // a repeated event has the offset of the first
    const lines = ledger.filter((line, i) => ledger[i - 1]?.event_id !== line.event_id)
    for (const { type } of await home.live(...lines)) kinds.add(type)

    const stats = await built(home)

    expect(stats.differences).toBe(0)
  }
  expect([...kinds]).toEqual(expect.arrayContaining(['shared_entities', 'thread', 'merged_with', 'split_from']))
})

it('a child process finds the same, and reports an unavailable store', async () => {
  const home = await aHome()
  await home.unlinked(...FOUR)
  const params = { namespace: home.namespace, position: FOUR.length, count: FOUR.length, memory: 100 }
  const { clickhouse } = inject('engines')
  const database = VIEWS_DATABASE

  const apartAt = (over: { readonly url?: string; readonly password?: string } = {}) =>
    comparingApart(() => Promise.resolve({ ...clickhouse, database, ...over }))
  const compare = apartAt()
  const apart = await compare(params)

  expect(apart.differences.length).toBeGreaterThan(3)
  expect(apart).toEqual(await comparing(store)(params))
  expect(await compare(params)).toEqual(apart) // the process is reused
  expect(await Promise.all([compare(params), compare(params)])).toEqual([apart, apart])
  await expect(apartAt({ url: 'http://127.0.0.1:1' })(params)).rejects.toThrow(StoreUnavailable)
  await expect(apartAt({ password: 'no' })(params)).rejects.toThrow(/graph comparison failed/)
})

it('a merged story resolves to the surviving story', async () => {
  const home = await aHome()
  await home.live(...FOUR, aChange('merged', ['a', 'd'], ['a1'], -5))

  const { status, body } = await home.get('/layer3/v1/graph/cluster/sto_a/relationships')

  expect(status).toBe(200)
  expect(body).toMatchObject({ cluster_id: 'sto_d', merged_into: 'sto_d', merged_at: '2016-05-03T07:00:00.000Z' })
  // first: relationships from the ledger have confidence 1
  expect((body['relationships'] as unknown[])[0]).toMatchObject({
    ...{ source: 'sto_a', target: 'sto_d', type: 'merged_with', confidence: 1, directed: false },
    since: '2016-05-03T07:00:00.000Z',
  })
  expect((await built(home)).differences).toBe(0)
})
