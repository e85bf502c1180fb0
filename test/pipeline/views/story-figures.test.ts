import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import type { ArticleClustered } from '../../../src/events/ledger.ts'
import { FIGURES, ITEMS } from '../../../src/views/clusters/derived-rows.ts'
import { clusterItems } from '../../../src/views/clusters/items.ts'
import { clusterPage, ranked, type ClusterListQuery } from '../../../src/views/clusters/list.ts'
import { recomputeDerived, refreshDerived } from '../../../src/views/clusters/refresh-derived.ts'
import { membersOfFacts, storyMembers, timesOfWindow } from '../../../src/views/stories/members.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { storyCounts, storyCountsOfFacts } from '../../../src/views/trends/story-trends.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aStoryChange, ViewWriter } from '../../builders/views.ts'
import { VIEWS_DATABASE } from '../../engines.ts'

const HOUR_MS = 3_600_000
const store = clickhouseStore({ ...inject('engines').clickhouse, database: `${VIEWS_DATABASE}_figures` })
const writer = new ViewWriter(store)

beforeAll(async () => {
  await migrate(store, { replicated: false })
})
afterAll(() => store.close())

const NOW = A_DAY + 100 * HOUR_MS
const list: Omit<ClusterListQuery, 'namespace' | 'as_of'> = {
  ...{ kind: 'event', as_of_given: false, window_ms: 2_000 * HOUR_MS, topic: null, min_sources: 1, min_articles: 1 },
  ...{ min_assignment_confidence: 0, sort: 'recency', page: 1, limit: 50, cursor: undefined },
}
const FIRST = { after: { rank: Number.MAX_VALUE, second_rank: 0, id: '' }, limit: 50, offset: 0 }

type ListOver = Partial<
  Pick<
    ClusterListQuery,
    | 'sort'
    | 'topic'
    | 'membership'
    | 'languages'
    | 'min_articles'
    | 'min_sources'
    | 'min_assignment_confidence'
    | 'window_ms'
  >
>

/** Lists with each filter and order. */
const LISTS: readonly ListOver[] = [
  {},
  { sort: 'relevance', topic: 'bridge two' },
  { sort: 'coverage', min_articles: 2 },
  { membership: 'settled' },
  { min_sources: 2 },
  { min_assignment_confidence: 0.5 },
  { languages: ['de'] },
  { window_ms: 3 * HOUR_MS },
]

const POINTS = [NOW, A_DAY + 20.5 * HOUR_MS, A_DAY + 2.5 * HOUR_MS]

/** Each list at each point in time, from stored figures and from facts. */
async function bothWays(namespace: string) {
  const requests = POINTS.flatMap((as_of) =>
    LISTS.map((over): ClusterListQuery => ({ ...list, ...over, namespace, as_of })),
  )
  return Promise.all(
    requests.map(async (request) => ({
      stored: await ranked(store, request, FIRST),
      facts: (
        await clusterPage(store)({
          ...request,
          from: request.as_of - request.window_ms,
          words: request.topic?.split(' ') ?? [],
          membership: request.membership ?? '',
          languages: [...(request.languages ?? [])],
          ...{ after_rank: Number.MAX_VALUE, after_second_rank: 0, after_id: '', offset: 0 },
        })
      ).map(({ cluster_id: id, ...row }) => ({ id, ...row })),
    })),
  )
}

/** Counts of trends with each filter at each point in time, from stored figures and from facts. */
async function countsBothWays(namespace: string) {
  const filters = [
    { min_articles: 1, min_assignment_confidence: 0, membership: '', category: '' },
    { min_articles: 1, min_assignment_confidence: 0, membership: '', category: 'politics' },
    { min_articles: 2, min_assignment_confidence: 0.5, membership: '', category: 'health' },
  ] as const
  const requests = POINTS.flatMap((as_of) =>
    filters.map((filter) => ({
      ...{ ...filter, namespace, as_of },
      ...{ from: as_of - 98 * HOUR_MS, earlier: as_of - 99.5 * HOUR_MS },
    })),
  )
  return Promise.all(
    requests.map(async (request) => ({
      stored: byId(await storyCounts(store)(request)),
      facts: byId(await storyCountsOfFacts(store)(request)),
    })),
  )
}

/** More entities than stored rows have, so that items are computed from facts. */
const ALL_ENTITIES = 2_000
const STORIES = ['sto_a', 'sto_b', 'sto_c', 'sto_none']

/** What lists show of each story at each point in time, and its members, from stored rows and from facts. */
async function itemsBothWays(namespace: string) {
  const itemsWith = async (request: { namespace: string; as_of: number; ids: string[] }, max_entities: number) =>
    byId(await clusterItems(store)({ ...request, max_entities }))
  return Promise.all(
    POINTS.map(async (as_of) => {
      const request = { namespace, as_of, ids: STORIES }
      const members = membersById(await membersOfFacts(store)(request))
      return {
        stored: {
          items: await itemsWith(request, 10),
          members: membersById(await storyMembers(store)(request)),
          times: byId(await timesOfWindow(store)({ namespace, as_of, from: 0 })),
        },
        facts: { items: await itemsWith(request, ALL_ENTITIES), members, times: timesOf(members) },
      }
    }),
  )
}

const byId = <Row extends { readonly cluster_id: string }>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => one.cluster_id.localeCompare(other.cluster_id))
const timesOf = (rows: RowsOfMembers) =>
  rows.map(({ cluster_id, members }) => ({
    cluster_id,
    times: members.map(([time]) => time).toSorted((a, b) => a - b),
  }))
const membersById = (rows: RowsOfMembers) =>
  byId(rows).map(({ cluster_id, members }) => ({ cluster_id, members: members.toSorted() }))

type RowsOfMembers = Awaited<ReturnType<ReturnType<typeof membersOfFacts>>>

async function expectSame(namespace: string): Promise<void> {
  const items = await itemsBothWays(namespace)
  expect(items.map(({ stored }) => stored)).toEqual(items.map(({ facts }) => facts))
  expect(items[0]?.facts.items.length).toBeGreaterThan(1)

  const counts = await countsBothWays(namespace)
  expect(counts.map(({ stored }) => stored)).toEqual(counts.map(({ facts }) => facts))
  expect(counts.filter(({ facts }) => facts.length > 0).length).toBeGreaterThan(2)

  const pages = await bothWays(namespace)
  expect(pages.map(({ stored }) => stored)).toEqual(pages.map(({ facts }) => facts))
  expect(pages.filter(({ facts }) => facts.length > 0).length).toBeGreaterThan(10)
}

const outdated = (namespace: string) =>
  Promise.all([FIGURES, ITEMS].map((rows) => rows.outdated(store, { namespace, as_of: NOW })))

const joins = (
  namespace: string,
  [cluster_id, article_id, hours]: readonly [string, string, number],
): Partial<ArticleClustered> => ({
  ...{ namespace, cluster_id, article_id, occurred_at: A_DAY + hours * HOUR_MS, action: 'joined' as const },
  assignment_confidence: cluster_id === 'sto_a' ? 0.9 : null,
  origin: {
    ...{ syndication_group: `syn_${article_id}`, duplicate_of: null, translation: null, containment: 0.4 },
    derived_from: article_id === 'art_2' ? 'art_1' : null,
  },
  member: {
    ...aStoryArticle().member,
    semantic_hash: article_id,
    source: article_id,
    sentiment_score: hours / 100,
    categories: article_id === 'art_3' ? ['politics'] : ['health'],
    title: `Bridge ${cluster_id === 'sto_b' ? 'two' : 'one'}`,
    language: article_id === 'art_5' ? 'de' : 'en',
  },
})

it('lists of stored figures are those of the facts, as of now and of the past, while facts arrive', async () => {
  const namespace = `test-${randomBytes(8).toString('hex')}`
  await writer.clustered(
    joins(namespace, ['sto_a', 'art_1', 0]),
    joins(namespace, ['sto_a', 'art_2', 1]),
    joins(namespace, ['sto_b', 'art_3', 2]),
    joins(namespace, ['sto_c', 'art_4', 3]),
  )

  expect(await outdated(namespace)).toEqual([null, null])
  await expectSame(namespace)

  await refreshDerived(store, { namespace, partition: 0, from: 0, upTo: 3 })
  expect(await outdated(namespace)).toEqual([[], []])
  await expectSame(namespace)

  await writer.clustered(
    joins(namespace, ['sto_b', 'art_5', 20]),
    aStoryChange({
      ...({ namespace, action: 'merged', to: 'sto_a', occurred_at: A_DAY + 21 * HOUR_MS } as const),
      ...{ from_cluster_id: 'sto_c', article_ids: ['art_4'] },
    }),
    aStoryChange({
      ...({ namespace, action: 'rebuilt', to: '', occurred_at: A_DAY + 22 * HOUR_MS } as const),
      ...{ rebuild_day: '2016-05-03', rebuilt_from: '2016-05-03' },
    }),
  )
  expect((await outdated(namespace)).map((ids) => ids?.toSorted())).toEqual([
    ['sto_a', 'sto_b', 'sto_c'],
    ['sto_a', 'sto_b', 'sto_c'],
  ])
  await expectSame(namespace)

  await refreshDerived(store, { namespace, partition: 0, from: 4, upTo: 6 })
  await refreshDerived(store, { namespace, partition: 0, from: 4, upTo: 6 })
  expect(await outdated(namespace)).toEqual([[], []])
  await expectSame(namespace)
  // as after a rebuild whose facts differ
  await store.insert('story_figures', [
    {
      namespace,
      cluster_id: 'sto_gone',
      changed_at: '2016-05-03 00:00:00',
      updated_at: '2016-05-03 00:00:00',
      articles: 9,
      sources: 9,
    },
  ])
  expect((await ranked(store, { ...list, namespace, as_of: NOW }, FIRST)).map(({ id }) => id)).toContain('sto_gone')
  await store.insert('story_items', [
    {
      ...{ namespace, cluster_id: 'sto_a', changed_at: '2016-05-03 00:00:00', updated_at: '2016-05-03 00:00:00' },
      members: [{ occurred_at: '2016-05-03 00:00:00', article_id: 'art_gone', origin: 'syn_gone', similarity: 1 }],
      _offset: 99,
    },
  ])
  expect((await itemsBothWays(namespace))[0]?.stored).toMatchObject({
    items: [{ articles: ['art_gone'] }, { cluster_id: 'sto_b' }],
    members: [{ members: [[Date.UTC(2016, 4, 3), 'syn_gone', '']] }, { cluster_id: 'sto_b' }],
  })

  await recomputeDerived(store)
  expect(await outdated(namespace)).toEqual([[], []])
  await expectSame(namespace)
})
