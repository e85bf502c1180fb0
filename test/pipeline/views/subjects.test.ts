import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { summaryModel } from '../../../src/wiring/summary-model.ts'
import type { ArticleClustered } from '../../../src/events/ledger.ts'
import { articleDetail } from '../../../src/views/articles/detail.ts'
import { clusterDetail } from '../../../src/views/clusters/detail.ts'
import { clusterList, type ClusterListQuery } from '../../../src/views/clusters/list.ts'
import { NOW_AND_LATER } from '../../../src/views/instant.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { VIEWS_DATABASE } from '../../engines.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aStoryChange, ViewWriter } from '../../builders/views.ts'

const HOUR_MS = 3_600_000
const store = clickhouseStore({ ...inject('engines').clickhouse, database: VIEWS_DATABASE })
const writer = new ViewWriter(store)
const aNamespace = () => `test-${randomBytes(8).toString('hex')}`
const model = summaryModel()

beforeAll(async () => {
  await migrate(store, { replicated: false })
})

afterAll(async () => {
  await store.close()
})

const article = (namespace: string, n: number, story: string, subject: string | null = null): ArticleClustered => ({
  ...aStoryArticle({ namespace, article_id: `art_${n}`, cluster_id: story, event_id: `evt_${namespace}_${n}` }),
  occurred_at: A_DAY + n * HOUR_MS,
  subject_id: subject,
  member: {
    ...aStoryArticle().member,
    title: `Dockers strike in Tamsin enters day ${n}`,
    semantic_hash: `hash ${n}`,
    source: `Outlet ${n}`,
  },
})

/** Three stories of six articles: a recluster lists five on a page, the sixth joins a story on it. */
async function aSubject(namespace: string): Promise<void> {
  const lists = (at: number, subject_id: string, article_ids: string[]) =>
    aStoryChange({
      ...{ namespace, action: 'rebuilt', to: '', occurred_at: A_DAY + at * HOUR_MS },
      subjects: [{ subject_id, article_ids }],
    })
  await writer.clustered(
    ...[1, 2, 3, 4, 5].map((n) => article(namespace, n, ['sto_a', 'sto_b', 'sto_c'][n % 3] ?? '')),
    lists(5, 'sub_old', ['art_1', 'art_2', 'art_3', 'art_4', 'art_5']),
    lists(6, 'sub_strike', ['art_1', 'art_2', 'art_3', 'art_4', 'art_5']),
    article(namespace, 7, 'sto_b', 'sub_strike'),
    article(namespace, 8, 'sto_alone'),
  )
}

const request: Omit<ClusterListQuery, 'namespace'> = {
  kind: 'subject',
  as_of: A_DAY + 10 * HOUR_MS,
  as_of_given: true,
  window_ms: 24 * HOUR_MS,
  topic: null,
  min_sources: 1,
  min_articles: 2,
  min_assignment_confidence: 0,
  membership: undefined,
  sort: 'recency',
  limit: 20,
  page: 1,
  cursor: undefined,
}

it('subject pages have their own list and a detail with stories, and stories have `subject_id`', async () => {
  const namespace = aNamespace()
  await aSubject(namespace)
  const at = { namespace, as_of: NOW_AND_LATER }

  const subjects = await clusterList(store, { ...request, namespace }, model)
  const stories = await clusterList(store, { ...request, namespace, kind: 'event' }, model)
  const page = await clusterDetail(store, { ...at, cluster_id: 'sub_strike' }, model)

  expect(subjects).toMatchObject({
    clusters: [{ id: 'sub_strike', kind: 'subject', article_count: 6, story_count: 3, source_count: 6 }],
    total: 1,
    next_cursor: null,
  })
  expect(subjects.clusters[0]?.title).toBe('Ada Quill: Dockers, Tamsin')
  expect(stories.clusters.map(({ id, kind }) => [id, kind])).toEqual([
    ['sto_b', 'event'],
    ['sto_c', 'event'],
  ])
  expect(page).toMatchObject({
    ...{
      id: 'sub_strike',
      kind: 'subject',
      subject_id: null,
      article_count: 6,
      story_count: 3,
      title: subjects.clusters[0]?.title,
    },
    ...{ summary: [], history: [], split_into: [], merged_into: null },
    stories: [
      { id: 'sto_b', article_count: 3 },
      { id: 'sto_c', article_count: 2 },
      { id: 'sto_a', article_count: 1 },
    ],
  })
  expect(page?.members.map(({ article_id }) => article_id)).toEqual([1, 2, 3, 4, 5, 7].map((n) => `art_${n}`))
  expect(await clusterDetail(store, { ...at, cluster_id: 'sto_b' }, model)).toMatchObject({
    ...{ kind: 'event', subject_id: 'sub_strike', article_count: 3 },
  })
  expect(await clusterDetail(store, { ...at, cluster_id: 'sto_alone' }, model)).toMatchObject({ subject_id: null })
})

it('a subject page accepts `as_of`, and is unknown once it is empty', async () => {
  const namespace = aNamespace()
  await aSubject(namespace)

  const ask = (cluster_id: string, hours: number) =>
    clusterDetail(store, { namespace, cluster_id, as_of: A_DAY + hours * HOUR_MS }, model)

  expect(await ask('sub_strike', 6.5)).toMatchObject({ article_count: 5 })
  expect(await ask('sub_strike', 5.5)).toBeNull()
  expect(await ask('sub_old', 5.5)).toMatchObject({ article_count: 5 })
  expect(await ask('sub_old', 6.5)).toBeNull()
})

it('subject pages are separate per namespace', async () => {
  const [namespace, other] = [aNamespace(), aNamespace()]
  await aSubject(other)

  expect(await clusterList(store, { ...request, namespace }, model)).toMatchObject({ clusters: [], total: 0 })
  expect(await clusterDetail(store, { namespace, as_of: NOW_AND_LATER, cluster_id: 'sub_strike' }, model)).toBeNull()
  expect(
    await articleDetail(store, { namespace, as_of: NOW_AND_LATER, article_id: 'art_1', include_embedding: false }),
  ).toBeUndefined()
})
