import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import type { ArticleClustered, Member } from '../../../src/events/ledger.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { liveQuality } from '../../../src/views/clusters/live-quality.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { ViewWriter } from '../../builders/views.ts'

const HOUR_MS = 3_600_000
const store = clickhouseStore({ ...inject('engines').clickhouse, database: 'quality_test' })
const writer = new ViewWriter(store)
const aNamespace = () => `test-${randomBytes(8).toString('hex')}`

beforeAll(async () => {
  await migrate(store, { replicated: false })
})

afterAll(async () => {
  await store.close()
})

const joins = (
  namespace: string,
  [cluster_id, article_id, hours]: readonly [string, string, number],
  member: Partial<Member> = {},
): Partial<ArticleClustered> => ({
  namespace,
  cluster_id,
  article_id,
  occurred_at: A_DAY + hours * HOUR_MS,
  action: 'joined',
  member: { ...aStoryArticle().member, semantic_hash: article_id, source: article_id, ...member },
})

it('counts stories, sources and origins of the last seven days in one namespace', async () => {
  const namespace = aNamespace()
  await writer.clustered(
    joins(namespace, ['sto_long_ago', 'art_0', -200]),
    joins(namespace, ['sto_two', 'art_1', 0]),
    joins(namespace, ['sto_two', 'art_2', 10]),
    joins(namespace, ['sto_copied', 'art_3', 0], { semantic_hash: 'same' }),
    joins(namespace, ['sto_copied', 'art_4', -60], { semantic_hash: 'same' }),
    joins(namespace, ['sto_one_outlet', 'art_5', -70], { source: 'Times' }),
    joins(namespace, ['sto_one_outlet', 'art_6', -70], { source: 'times' }),
    joins(namespace, ['sto_alone', 'art_7', -80]),
    joins(aNamespace(), ['sto_other', 'art_8', 0]),
  )

  expect(await liveQuality(store, { namespace, as_of: A_DAY + 11 * HOUR_MS })).toEqual({
    window_days: 7,
    stories: 4,
    stories_last_24h: 2,
    articles_per_day: 1,
    multi_source_share: 0.5,
    single_origin_share: 0.333333,
    id_churn_per_day: 0,
  })
})

it('counts each reassigned article once, without corrections', async () => {
  const namespace = aNamespace()
  const ids = Array.from({ length: 14 }, (_, i) => `art_${i}`)
  const change = (action: 'merged' | 'moved' | 'corrected', article_ids: string[]): Partial<ArticleClustered> => ({
    ...{ namespace, action, cluster_id: 'sto_a', article_id: '', occurred_at: A_DAY },
    change: {
      ...{ from_cluster_id: 'sto_b', article_ids, rebuild_day: '2016-05-03', rebuilt_from: null },
      subjects: [],
      correction: null,
    },
  })
  await writer.clustered(
    ...ids.map((id) => joins(namespace, ['sto_b', id, 0])),
    change('merged', ids.slice(0, 7)),
    change('moved', ids.slice(5, 7)),
    change('corrected', ids.slice(7)),
  )

  expect(await liveQuality(store, { namespace, as_of: A_DAY + HOUR_MS })).toMatchObject({ id_churn_per_day: 1 })
  expect(await liveQuality(store, { namespace, as_of: A_DAY + 200 * HOUR_MS })).toMatchObject({
    ...{ id_churn_per_day: 0, stories: 0, multi_source_share: null },
  })
})
