import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { type ArticleClustered, type Member, articlesClustered } from '../../../src/events/ledger.ts'
import { entityId } from '../../../src/events/ids.ts'
import { f32 } from '../../../src/events/vector.ts'
import { byVector, nearestArticles } from '../../../src/views/articles/nearest.ts'
import { articleOrigin, articleCounts, article } from '../../../src/views/articles/queries.ts'
import { memberWhy } from '../../../src/views/clusters/decisions.ts'
import { clusterDetail } from '../../../src/views/clusters/detail.ts'
import { clusterEvolution } from '../../../src/views/clusters/evolution.ts'
import { clusterChanges } from '../../../src/views/clusters/feed.ts'
import { clusterHistory } from '../../../src/views/clusters/history.ts'
import { clusterItem } from '../../../src/views/clusters/item.ts'
import { clusterItems, clusterMembers } from '../../../src/views/clusters/items.ts'
import { clusterPage } from '../../../src/views/clusters/list.ts'
import { storyEnrichments } from '../../../src/views/echo/queries.ts'
import { entityArticles, entityPortrait, relatedEntities } from '../../../src/views/entities/detail.ts'
import { entitiesNamed, entityBuckets, entityFigures } from '../../../src/views/entities/queries.ts'
import { entityPage } from '../../../src/views/entities/page.ts'
import { entityItems } from '../../../src/views/entities/page-items.ts'
import { ALWAYS, NOW_AND_LATER } from '../../../src/views/instant.ts'
import { jobStatuses } from '../../../src/views/jobs/queries.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { VIEWS_DATABASE } from '../../engines.ts'
import { A_DAY, axisVector } from '../../builders/articles.ts'
import { aStoryArticle } from '../../builders/discourse.ts'
import { aSummaryModel } from '../../builders/summaries.ts'
import { aClusteredArticle, anEntity, ViewWriter } from '../../builders/views.ts'

const HOUR_MS = 3_600_000
const store = clickhouseStore({ ...inject('engines').clickhouse, database: VIEWS_DATABASE })
const writer = new ViewWriter(store)
const aNamespace = () => `test-${randomBytes(8).toString('hex')}`

beforeAll(async () => {
  await migrate(store, { replicated: false })
})

afterAll(async () => {
  await store.close()
})

/** Article `id` of cluster `cluster`, `hours` after noon, with its own body. */
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

const wide = {
  from: ALWAYS,
  as_of: A_DAY + 100 * HOUR_MS,
  words: [],
  min_sources: 1,
  min_articles: 1,
  min_assignment_confidence: 0,
  membership: '' as const,
  languages: [],
  sort: 'recency' as const,
  after_rank: Number.MAX_VALUE,
  after_second_rank: 0,
  after_id: '',
  limit: 20,
  offset: 0,
}
type PageParams = Omit<typeof wide, 'words' | 'languages' | 'sort' | 'membership'> & {
  languages: string[]
  words: string[]
  sort: 'relevance' | 'recency' | 'coverage'
  membership: '' | 'settled'
}

const page = async (namespace: string, over: Partial<PageParams> = {}) =>
  (await clusterPage(store)({ namespace, ...wide, ...over })).map(({ cluster_id }) => cluster_id)

describe('the list of clusters', () => {
  it('contains stories with articles in the window, in the requested order', async () => {
    const namespace = aNamespace()
    await writer.clustered(
      joins(namespace, ['sto_old', 'art_1', 0]),
      joins(namespace, ['sto_old', 'art_2', 1]),
      joins(namespace, ['sto_old', 'art_3', 2]),
      joins(namespace, ['sto_new', 'art_4', 50]),
      joins(namespace, ['sto_new', 'art_5', 51]),
      joins(namespace, ['sto_copied', 'art_6', 52], { semantic_hash: 'same' }),
      joins(namespace, ['sto_copied', 'art_7', 52], { semantic_hash: 'same' }),
      joins(namespace, ['sto_copied', 'art_8', 52], { semantic_hash: 'same' }),
    )

    expect(await page(namespace)).toEqual(['sto_copied', 'sto_new', 'sto_old'])
    expect(await page(namespace, { sort: 'coverage' })).toEqual(['sto_old', 'sto_new', 'sto_copied'])
    expect(await page(namespace, { sort: 'relevance' })).toEqual(['sto_old', 'sto_new', 'sto_copied'])
    expect(await page(namespace, { sort: 'relevance', from: A_DAY })).toEqual(['sto_new', 'sto_copied', 'sto_old'])
    expect(await page(namespace, { from: A_DAY + 10 * HOUR_MS })).toEqual(['sto_copied', 'sto_new'])
    expect(await page(namespace, { as_of: A_DAY + 20 * HOUR_MS })).toEqual(['sto_old'])
    expect(await page(namespace, { min_articles: 3 })).toEqual(['sto_copied', 'sto_old'])
  })

  it('matches topic words in titles and entity names, and sources by name or domain', async () => {
    const namespace = aNamespace()
    await writer.clustered(
      joins(namespace, ['sto_a', 'art_1', 0], { title: 'Floods in OSLO', entities: [] }),
      joins(namespace, ['sto_b', 'art_2', 1], { title: null, source: null, url: 'https://a.example/x' }),
      joins(namespace, ['sto_b', 'art_3', 1], { title: null, source: 'A.example', url: null }),
      joins(namespace, ['sto_b', 'art_4', 1], { title: null, source: null, url: 'https://b.example/x' }),
    )

    expect(await page(namespace, { words: ['oslo'] })).toEqual(['sto_a'])
    expect(await page(namespace, { words: ['oslo', 'quill'] })).toEqual([])
    expect(await page(namespace, { words: ['quill', 'ada'] })).toEqual(['sto_b'])
    expect(await page(namespace, { min_sources: 2 })).toEqual(['sto_b'])
    expect(await page(namespace, { min_sources: 3 })).toEqual([])
  })

  it.each(['relevance', 'recency', 'coverage'] as const)('pages without gaps, by %s', async (sort) => {
    const namespace = aNamespace()
    await writer.clustered(...['d', 'a', 'c', 'b'].map((name) => joins(namespace, [`sto_${name}`, `art_${name}`, 1])))
    await writer.clustered(joins(namespace, ['sto_a', 'art_e', 2]))
    const all = await page(namespace, { sort })

    const seen: string[] = []
    let after = {}
    for (;;) {
      const [row] = await clusterPage(store)({ namespace, ...wide, sort, ...after, limit: 1 })
      if (row === undefined) break
      expect(row.total).toBe(4)
      seen.push(row.cluster_id)
      after = { after_rank: row.rank, after_second_rank: row.second_rank, after_id: row.cluster_id }
    }

    expect(all).toHaveLength(4)
    expect(seen).toEqual(all)
    expect(await page(namespace, { sort, limit: 2, offset: 2 })).toEqual(all.slice(2))
  })
})

describe('a cluster', () => {
  const item = async (namespace: string, id: string, as_of = NOW_AND_LATER) =>
    (await clusterItems(store)({ namespace, ids: [id], as_of, max_entities: 10 }))[0]
  const standing = (row: Awaited<ReturnType<typeof item>>) => {
    if (row === undefined) throw new Error('there is no such cluster')
    const { origin_count, confidence } = clusterItem(row)
    return { origin_count, confidence }
  }
  const members = (namespace: string, id: string, as_of = NOW_AND_LATER) =>
    clusterMembers(store)({ namespace, ids: [id], as_of })

  it('has the figures of its members', async () => {
    const namespace = aNamespace()
    const entity = (name: string, type: 'PERSON' | 'GPE' | 'DATE', mention_count: number) => ({
      entity_id: `ent_${name}`,
      name,
      type,
      mention_count,
      country: null,
      sentiment_score: null,
    })
    const [ada, oslo, may] = [entity('ada', 'PERSON', 1), entity('oslo', 'GPE', 5), entity('may', 'DATE', 9)]
    const on = (axis: number) => f32('test', axisVector(axis))
    await writer.clustered(
      {
        ...joins(namespace, ['sto_1', 'art_1', 0], { vector: on(1), title: 'Near', entities: [ada, oslo] }),
        action: 'opened',
      },
      joins(namespace, ['sto_1', 'art_2', 1], {
        vector: on(1),
        title: null,
        sentiment_label: 'negative',
        entities: [ada, may],
      }),
      joins(namespace, ['sto_1', 'art_3', 2], { vector: on(2), title: 'Far', semantic_hash: 'art_1', entities: [] }),
    )

    const found = await item(namespace, 'sto_1')
    expect(found).toMatchObject({
      title: 'Near',
      representative_article_id: 'art_1',
      article_count: 3,
      source_count: 3,
      created_at: '2016-05-03T12:00:00.000Z',
      updated_at: '2016-05-03T14:00:00.000Z',
      positive: 0,
      neutral: 2,
      negative: 1,
      articles: ['art_1', 'art_2', 'art_3'],
      entities: [
        { id: 'ent_ada', name: 'ada', type: 'PERSON', mention_count: 2, article_count: 2 },
        { id: 'ent_oslo', name: 'oslo', type: 'GPE', mention_count: 5, article_count: 1 },
      ],
    })
    await writer.clustered(
      joins(namespace, ['sto_2', 'art_4', 0], { vector: on(1), title: 'Bridge is a disgrace', genre: 'opinion' }),
      joins(namespace, ['sto_2', 'art_5', 1], { vector: on(1), title: 'Bridge must go at last', genre: 'opinion' }),
      joins(namespace, ['sto_2', 'art_6', 2], { vector: on(2), title: 'Council of Oslo closes harbour bridge' }),
    )
    expect(await item(namespace, 'sto_2')).toMatchObject({
      title: 'Council of Oslo closes harbour bridge',
      representative_article_id: 'art_6',
    })

    await writer.clustered(
      joins(namespace, ['sto_3', 'art_7', 0], { vector: on(1), title: 'Hafenbrücke gesperrt', language: 'de' }),
      joins(namespace, ['sto_3', 'art_8', 1], { vector: on(1), title: 'Hafenbrücke wird gesperrt', language: 'de' }),
      joins(namespace, ['sto_3', 'art_9', 2], { vector: on(2), title: 'Harbour bridge closed', language: 'en' }),
    )
    expect(await item(namespace, 'sto_3')).toMatchObject({ title: 'Harbour bridge closed' })

    const [near, far] = [Math.sqrt(4 / 5), Math.sqrt(1 / 5)] // the third reprints the first
    expect(standing(found).origin_count).toBe(2)
    expect(standing(found).confidence).toBeCloseTo((near + (near + far) / 2) / 2, 5)
    expect(await members(namespace, 'sto_1')).toMatchObject([
      { article_id: 'art_1', is_duplicate_of: null },
      { article_id: 'art_2', is_duplicate_of: null },
      { article_id: 'art_3', is_duplicate_of: 'art_1' },
    ])
    expect(await clusterHistory(store)({ namespace, cluster_id: 'sto_1', as_of: NOW_AND_LATER })).toMatchObject([
      { type: 'opened', at: '2016-05-03T12:00:00.000Z', article_id: 'art_1', other_cluster_id: null, articles: 1 },
    ])
    expect(await item(namespace, 'sto_none')).toBeUndefined()
  })

  it('counts its members by their texts, consistently with the article route', async () => {
    const namespace = aNamespace()
    const of = (syndication_group: string, duplicate_of: string | null = null) => ({
      origin: {
        syndication_group,
        duplicate_of,
        derived_from: null,
        translation: null,
        containment: duplicate_of === null ? 0 : 0.9,
      },
    })
    await writer.clustered(
      { ...joins(namespace, ['sto_1', 'art_y', 1]), ...of('syn_b') },
      { ...joins(namespace, ['sto_1', 'art_c', 1]), ...of('syn_b', 'art_y') },
      { ...joins(namespace, ['sto_1', 'art_d', 3], { semantic_hash: 'old' }), origin: null },
      { ...joins(namespace, ['sto_1', 'art_e', 4], { semantic_hash: 'old' }), origin: null },
      { ...joins(namespace, ['sto_2', 'art_a', 5]), ...of('syn_a') },
    )
    const copies = async (as_of = NOW_AND_LATER) =>
      (await members(namespace, 'sto_1', as_of)).map(({ article_id, is_duplicate_of }) => [article_id, is_duplicate_of])

    expect(await copies()).toEqual([
      ['art_c', 'art_y'], // published at the same time: the first to arrive is the original
      ['art_y', null],
      ['art_d', null],
      ['art_e', 'art_d'],
    ])
    expect(standing(await item(namespace, 'sto_1'))).toMatchObject({ origin_count: 2 })
    expect(await page(namespace, { sort: 'coverage' })).toEqual(['sto_1', 'sto_2'])

    // An earlier copy in another story, then a revision that is no longer a copy.
    await writer.clustered({ ...joins(namespace, ['sto_2', 'art_0', 0]), ...of('syn_b', 'art_y') })
    expect((await copies()).slice(0, 2)).toEqual([
      ['art_c', 'art_0'],
      ['art_y', 'art_0'],
    ])
    await writer.clustered({
      ...joins(namespace, ['sto_1', 'art_c', 6]),
      ...of('syn_c'),
      ...{ action: 'revised', content_hash: 'second' },
    })
    expect(await copies()).toEqual([
      ['art_y', 'art_0'],
      ['art_d', null],
      ['art_e', 'art_d'],
      ['art_c', null],
    ])
    expect(standing(await item(namespace, 'sto_1'))).toMatchObject({ origin_count: 3 })
    for (const [article_id, is_duplicate_of] of (await copies(A_DAY + 5 * HOUR_MS)).slice(0, 2)) {
      const params = { namespace, article_id: article_id ?? '', as_of: A_DAY + 5 * HOUR_MS }
      expect(await articleOrigin(store)(params)).toMatchObject([{ is_duplicate_of }])
    }
  })

  it('contains each article once, by its newest decision at a point in time', async () => {
    const namespace = aNamespace()
    const stays = joins(namespace, ['sto_1', 'art_1', 0])
    const first = aClusteredArticle(joins(namespace, ['sto_1', 'art_2', 1]))
    await writer.clustered(stays, first, joins(namespace, ['sto_2', 'art_2', 5]))
    await writer.clustered(first) // the log repeats a superseded event

    expect(await members(namespace, 'sto_1')).toMatchObject([{ article_id: 'art_1' }])
    expect(await members(namespace, 'sto_2')).toMatchObject([{ article_id: 'art_2' }])
    expect(await members(namespace, 'sto_1', A_DAY + 2 * HOUR_MS)).toHaveLength(2)
    expect(await item(namespace, 'sto_2', A_DAY + 2 * HOUR_MS)).toBeUndefined()
    expect(await page(namespace)).toEqual(['sto_2', 'sto_1'])
  })

  it('contains a revised member once, as revised', async () => {
    const namespace = aNamespace()
    await writer.clustered(joins(namespace, ['sto_1', 'art_1', 0], { title: 'Before' }))
    await writer.clustered({
      ...joins(namespace, ['sto_1', 'art_1', 0], { title: 'After' }),
      action: 'revised',
      content_hash: 'second',
    })

    expect(await item(namespace, 'sto_1')).toMatchObject({ article_count: 1, title: 'After' })
  })

  it('returns the current decision as the reason', async () => {
    const namespace = aNamespace()
    const chosen = { cluster_id: 'sto_1', score: 1.25, features: { lead: 0.8 } }
    const decision = { rule: 'link' as const, chosen, runner_up: null, threshold: 0.75, versions: { weights: 'abc' } }
    await writer.clustered(
      { ...joins(namespace, ['sto_1', 'art_1', 0]), decision },
      joins(namespace, ['sto_2', 'art_1', 5]),
    )
    const why = (cluster_id: string, as_of: number) =>
      memberWhy(store, { namespace, cluster_id, article_id: 'art_1', as_of })

    expect(await why('sto_1', A_DAY)).toMatchObject({
      ...{ action: 'joined', rule: 'link', articles: 1, correction_id: null, rebuild_day: null },
      ...{ chosen, runner_up: null, threshold: 0.75, versions: { weights: 'abc' } },
    })
    expect(await why('sto_2', A_DAY)).toBe('no story')
    expect(await why('sto_2', NOW_AND_LATER)).toMatchObject({ cluster_id: 'sto_2' })
    expect(await why('sto_1', NOW_AND_LATER)).toMatchObject({ cluster_id: 'sto_2' }) // the current story of the article
  })

  it('is unchanged if every event is written again at its offset', async () => {
    const namespace = aNamespace()
    const events = [1, 2, 3].map((n) => aClusteredArticle(joins(namespace, ['sto_1', `art_${n}`, n])))
    await writer.write(articlesClustered, events, 500)
    const before = await item(namespace, 'sto_1')

    await writer.write(articlesClustered, events, 500)

    expect(await item(namespace, 'sto_1')).toEqual(before)
  })
})

const aPageRow = (entity_id: string) => ({
  ...{ entity_id, mention_count: 1, article_count: 1, total: 1 },
})

it('no query shows a namespace the rows of another', async () => {
  const [theirs, namespace] = [aNamespace(), aNamespace()]
  await writer.scored({ namespace: theirs, article_id: 'art_1', job_id: 'job_1', semantic_hash: 'same' })
  await writer.analyzed({
    ...{ namespace: theirs, article_id: 'art_1' },
    entities: [anEntity('Ada Quill'), anEntity('Oslo', 'GPE')],
  })
  await writer.clustered({ ...joins(theirs, ['sto_1', 'art_1', 0]), action: 'opened' })
  await writer.enriched({ namespace: theirs, cluster_id: 'sto_1' })
  await writer.scored({ namespace, article_id: 'art_mine', semantic_hash: 'same', occurred_at: A_DAY + 1 })
  /** One row if something was found. */
  const listed = async (answer: Promise<object | string | null>) =>
    [await answer].filter((found) => typeof found === 'object' && found !== null)
  const params = (whose: string) => {
    const at = { namespace: whose, as_of: NOW_AND_LATER }
    const page = { types: ['PERSON'], query: '', min_mentions: 1, after_count: 1e9, after_id: '', limit: 9, offset: 0 }
    const named = { ...at, from: ALWAYS, ids: [entityId('PERSON', 'Ada Quill')] }
    return [
      jobStatuses(store, { namespace: whose, job_ids: ['job_1'] }).then((found) => [...found.values()]),
      article(store)({ ...at, article_id: 'art_1', include_embedding: false }),
      entityPage(store, { ...at, ...page, from: ALWAYS }).then(({ rows }) => rows),
      entitiesNamed(store)({ namespace: whose, name: 'ADA QUILL', types: ['PERSON'] }),
      entityItems({ ...named, max_articles: 9 }, { store, rows: named.ids.map(aPageRow), analyses: null }),
      entityFigures(store)(named),
      entityBuckets(store)({ ...named, bucket_ms: HOUR_MS, feels: 0.15, max_articles: 9 }),
      entityPortrait(store)({ ...named, feels: 0.15, max_written: 20, max_aliases: 9 }),
      entityArticles(store)({ ...named, limit: 9 }),
      relatedEntities(store)({ ...named, limit: 9 }),
      clusterPage(store)({ ...wide, namespace: whose }),
      clusterItems(store)({ ...at, ids: ['sto_1'], max_entities: 9 }),
      clusterMembers(store)({ ...at, ids: ['sto_1'] }),
      clusterHistory(store)({ ...at, cluster_id: 'sto_1' }),
      listed(memberWhy(store, { ...at, cluster_id: 'sto_1', article_id: 'art_1' })),
      listed(clusterDetail(store, { ...at, cluster_id: 'sto_1' }, aSummaryModel())),
      listed(clusterEvolution(store, { ...at, cluster_id: 'sto_1', resolution: '1d' })),
      clusterChanges(store, { namespace: whose, as_of: null, cursor: undefined, limit: 9 }).then(
        ({ changes }) => changes,
      ),
      storyEnrichments(store)({ ...at, ids: ['sto_1'] }),
    ]
  }

  const seenByThem = await Promise.all(params(theirs))
  const seenByUs = await Promise.all(params(namespace))

  expect(seenByThem.map((rows) => rows.length)).toEqual(seenByThem.map(() => 1))
  expect(seenByUs.map((rows) => rows.length)).toEqual(seenByUs.map(() => 0))
  const mine = { namespace, as_of: NOW_AND_LATER }
  expect(await articleCounts(store)(mine)).toMatchObject([{ articles: 1 }])
  expect(await nearestArticles(store, { ...mine, min_quality: 0, limit: 9 }, [byVector(axisVector(0))])).toMatchObject([
    { article_id: 'art_mine' },
  ])
  expect(await article(store)({ ...mine, article_id: 'art_mine', include_embedding: false })).toMatchObject([
    { first_alike: null },
  ])
})
