import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { articlesIngested, articlesScored } from '../../../src/events/articles.ts'
import { f32 } from '../../../src/events/vector.ts'
import { StoreUnavailable, type Store } from '../../../src/ports/store.ts'
import { articleDetail } from '../../../src/views/articles/detail.ts'
import { byVector, nearestArticles } from '../../../src/views/articles/nearest.ts'
import { article, articleCounts } from '../../../src/views/articles/queries.ts'
import { storyEnrichments } from '../../../src/views/echo/queries.ts'
import { hashView, type ViewName } from '../../../src/views/hash.ts'
import { NOW_AND_LATER } from '../../../src/views/instant.ts'
import { jobStatuses } from '../../../src/views/jobs/queries.ts'
import { migrate, migrations, pendingMigrations } from '../../../src/views/migrate.ts'
import { VIEWS_DATABASE } from '../../engines.ts'
import { A_DAY, anIngestedArticle, aScoredArticle, axisVector } from '../../builders/articles.ts'
import { ViewWriter } from '../../builders/views.ts'

const VIEW_NAMES: readonly ViewName[] = ['jobs', 'articles', 'entities', 'clusters', 'echo']
const DAY_MS = 86_400_000
const store = clickhouseStore({ ...inject('engines').clickhouse, database: VIEWS_DATABASE })
const writer = new ViewWriter(store)
const aNamespace = () => `test-${randomBytes(8).toString('hex')}`

beforeAll(async () => {
  await migrate(store, { replicated: false })
})

afterAll(async () => {
  await store.close()
})

describe('migrations', () => {
  it('create the database, apply once, and reject an edited file', async () => {
    const database = `views_${randomBytes(6).toString('hex')}`
    const fresh = clickhouseStore({ ...inject('engines').clickhouse, database })
    const all = migrations().map(({ name }) => name)

    expect(await migrate(fresh, { replicated: false })).toEqual(all)
    expect(await migrate(fresh, { replicated: false })).toEqual([])
    expect(await pendingMigrations(fresh)).toEqual([])
    const edited = migrations().map((one) => ({ ...one, sql: one.sql.replace('Whose data', 'Who has') }))
    await expect(migrate(fresh, { replicated: false }, edited)).rejects.toThrow(/001-jobs.sql.* was edited/)

    await fresh.command(`DROP DATABASE ${database}`)
    await fresh.close()
  })
})

describe('the store', () => {
  it('reports that it is unavailable if nothing responds', async () => {
    const away = clickhouseStore({ url: 'http://127.0.0.1:9', user: 'a', password: 'b', database: 'c' })

    await expect(away.command('SELECT 1')).rejects.toBeInstanceOf(StoreUnavailable)
    expect(await away.ping()).toBe(false)
    await away.close()
  })

  it('does not report our own errors as unavailability', async () => {
    const wrong = store.insert('articles', [{ namespace: 'a', no_such_column: 1 }])

    await expect(wrong).rejects.toThrow('Table articles has no column no_such_column')
    await expect(wrong).rejects.not.toBeInstanceOf(StoreUnavailable)
  })

  it('stores any text that a batch can contain', async () => {
    const namespace = aNamespace()
    const title = `quotes ' " \\ tab\t newline\n nul\0 שלום 🎉 and half a pair \ud83d`

    await writer.scored({ namespace, article_id: 'art_odd', title })

    const [found] = await article(store)({
      namespace,
      article_id: 'art_odd',
      as_of: NOW_AND_LATER,
      include_embedding: false,
    })
    expect(found?.title).toBe(title.replace('\ud83d', '\ufffd'))
  })
})

describe('a job', () => {
  const statusOf = async (namespace: string, job_id: string) =>
    (await jobStatuses(store, { namespace, job_ids: [job_id] })).get(job_id) ?? null

  it('goes from unknown through processing to completed', async () => {
    const namespace = aNamespace()
    const status = () => statusOf(namespace, 'job1')

    const before = await status()
    await writer.write(articlesIngested, [anIngestedArticle({ namespace, job_id: 'job1' })])
    const meanwhile = await status()
    await writer.write(articlesScored, [aScoredArticle({ namespace, job_id: 'job1', article_id: 'art_1' })])
    const after = await status()

    expect(before).toBeNull()
    expect(meanwhile).toMatchObject({ status: 'processing', article_id: null, reason: null, gate_reason: null })
    expect(after).toMatchObject({ status: 'completed', article_id: 'art_1', reason: null, gate_reason: 'passed' })
  })

  it('is read together with others, each by its own events', async () => {
    const namespace = aNamespace()
    const submitted = ['job1', 'job2', 'job3'].map((job_id) => anIngestedArticle({ namespace, job_id }))
    const [first = null, second = null] = submitted
    const letter = { stage: 'scored', attempts: 1, original: { topic: 'articles.ingested', partition: 0, offset: 0 } }
    await writer.write(articlesIngested, submitted)
    await writer.dead([
      { ...letter, reason: 'text_too_short', resolved: null, event: first },
      { ...letter, reason: 'text_too_long', resolved: null, event: second },
      { ...letter, reason: 'text_too_long', resolved: 'retried', event: second },
    ])
    await writer.write(articlesScored, [aScoredArticle({ namespace, job_id: 'job3', article_id: 'art_3' })])
    const found = await jobStatuses(store, { namespace, job_ids: ['job1', 'job2', 'job3', 'job4'] })

    expect([...found.values()]).toMatchObject([
      { job_id: 'job1', status: 'failed', reason: 'text_too_short', gate_reason: null },
      { job_id: 'job2', status: 'processing', reason: null, gate_reason: null },
      { job_id: 'job3', status: 'completed', article_id: 'art_3', gate_reason: 'passed' },
    ])
  })

  it('fails with its reason, is processing if retried, and then fails or completes', async () => {
    const namespace = aNamespace()
    const event = anIngestedArticle({ namespace, job_id: 'job1' })
    const original = { topic: 'articles.ingested', partition: 0, offset: 0 }
    const status = () => statusOf(namespace, 'job1')

    const letter = { stage: 'scored', reason: 'text_too_short', attempts: 1, original, resolved: null, event }

    await writer.write(articlesIngested, [event])
    await writer.dead([letter, { ...letter, reason: 'malformed_avro', event: null }])
    const failed = await status()
    await writer.dead([{ ...letter, resolved: 'retried' }])
    const meanwhile = await status()
    await writer.dead([{ ...letter, attempts: 2, reason: 'text_too_long' }])
    const failedAgain = await status()
    await writer.dead([{ ...letter, attempts: 2, resolved: 'dropped' }])
    const dropped = await status()
    await writer.dead([{ ...letter, attempts: 2, resolved: 'retried' }])
    await writer.write(articlesScored, [aScoredArticle({ namespace, job_id: 'job1', article_id: 'art_1' })])

    expect(failed).toMatchObject({ status: 'failed', article_id: null, reason: 'text_too_short', gate_reason: null })
    expect(meanwhile).toMatchObject({ status: 'processing', article_id: null, reason: null, gate_reason: null })
    expect(failedAgain).toMatchObject({
      status: 'failed',
      article_id: null,
      reason: 'text_too_long',
      gate_reason: null,
    })
    expect(dropped).toEqual(failedAgain)
    expect(await status()).toMatchObject({ status: 'completed' })
  })
})

describe('an article', () => {
  const read = (namespace: string, as_of = NOW_AND_LATER) =>
    articleDetail(store, { namespace, article_id: 'art_1', as_of, include_embedding: true })

  it('is returned with all fields', async () => {
    const namespace = aNamespace()
    const embedding = Float32Array.from({ length: 384 }, (_, i) => Math.fround(Math.sin(i) / 14))

    await writer.scored({ namespace, article_id: 'art_1', author: null, embedding: f32('test', embedding) })

    expect(await read(namespace)).toMatchObject({
      article_id: 'art_1',
      title: 'Harbour bridge to close for two years',
      source: 'Example Times',
      author: null,
      published_date: '2016-05-03T12:00:00.000Z',
      quality_score: 0.72,
      revision: 1,
      forwarded: true,
      is_duplicate_of: null,
    })
    expect(Float32Array.from((await read(namespace))?.embedding ?? [])).toEqual(embedding)
  })

  it('counts revisions in log order and returns the newest; repeated content is not a revision', async () => {
    const namespace = aNamespace()
    const revision = (content_hash: string, title: string) => ({ namespace, article_id: 'art_1', content_hash, title })

    await writer.scored(revision('a', 'first'), revision('b', 'second'))
    await writer.scored(revision('a', 'first, sent again'))

    expect(await read(namespace)).toMatchObject({ revision: 2, content_hash: 'b', title: 'second' })
    expect(await articleCounts(store)({ namespace, as_of: NOW_AND_LATER })).toEqual([
      { articles: 1, revisions: 2, forwarded: 1 },
    ])
  })

  it('is returned as of a point in time', async () => {
    const namespace = aNamespace()
    await writer.scored(
      { namespace, article_id: 'art_1', content_hash: 'a', occurred_at: A_DAY },
      { namespace, article_id: 'art_1', content_hash: 'b', occurred_at: A_DAY + DAY_MS },
    )

    expect(await read(namespace, A_DAY - 1)).toBeUndefined()
    expect(await read(namespace, A_DAY)).toMatchObject({ revision: 1, content_hash: 'a' })
    expect(await read(namespace, A_DAY + DAY_MS)).toMatchObject({ revision: 2, content_hash: 'b' })
  })

  it('returns the earliest article with the same body', async () => {
    const namespace = aNamespace()
    await writer.scored(
      { namespace, article_id: 'art_1', semantic_hash: 'same', occurred_at: A_DAY + 1 },
      { namespace, article_id: 'art_0', semantic_hash: 'same', occurred_at: A_DAY },
    )

    expect((await read(namespace))?.is_duplicate_of).toBe('art_0')
  })

  it('is found by its vector once, in its newest revision', async () => {
    const namespace = aNamespace()
    const on = (axis: number) => f32('test', axisVector(axis))
    await writer.scored(
      { namespace, article_id: 'art_1', content_hash: 'a', embedding: on(1) },
      { namespace, article_id: 'art_1', content_hash: 'b', embedding: on(2) },
      { namespace, article_id: 'art_2', embedding: on(1), quality_score: 0.4 },
    )
    const near = (axis: number, min_quality: number) =>
      nearestArticles(store, { namespace, as_of: NOW_AND_LATER, min_quality, limit: 10 }, [byVector(axisVector(axis))])

    expect(await near(1, 0)).toMatchObject([
      { article_id: 'art_2', distance: 0 },
      { article_id: 'art_1', distance: 1 },
    ])
    expect(await near(1, 0.5)).toMatchObject([{ article_id: 'art_1' }])
  })
})

describe('echo', () => {
  it('returns the newest record of each platform at `as_of`', async () => {
    const namespace = aNamespace()
    await writer.enriched(
      { namespace, comment_count_analyzed: 5 },
      { namespace, comment_count_analyzed: 9, occurred_at: A_DAY + DAY_MS },
      { namespace, platform: 'bluesky' },
    )
    const read = (as_of: number) => storyEnrichments(store)({ namespace, ids: ['sto_bridge'], as_of })

    expect(await read(NOW_AND_LATER)).toMatchObject([
      { platform: 'bluesky', evidence_novel_entities: { 'Bo Reed': ['https://reddit.example/1'] } },
      { platform: 'reddit', comment_count_analyzed: 9, counter_narrative_summary: null },
    ])
    expect(await read(A_DAY)).toMatchObject([{ platform: 'bluesky' }, { comment_count_analyzed: 5 }])
    expect(await read(A_DAY - 1)).toEqual([])
  })

  it('hides a platform whose last post was deleted, at any time', async () => {
    const namespace = aNamespace()
    await writer.enriched(
      { namespace },
      { namespace, platform: 'bluesky' },
      {
        namespace,
        comment_count_analyzed: 0,
        occurred_at: 0,
        sample: { posts: 0, authors: 0, window_start: 0, window_end: 0 },
      },
    )
    const read = (as_of: number) => storyEnrichments(store)({ namespace, ids: ['sto_bridge'], as_of })

    expect(await read(NOW_AND_LATER)).toMatchObject([{ platform: 'bluesky' }])
    expect(await read(A_DAY)).toMatchObject([{ platform: 'bluesky' }])
  })
})

describe('the hash of a view', () => {
  const fresh = async () => {
    const database = `views_${randomBytes(6).toString('hex')}`
    const own = clickhouseStore({ ...inject('engines').clickhouse, database })
    await migrate(own, { replicated: false })
    return {
      own,
      writer: new ViewWriter(own),
      drop: async () => {
        await own.command(`DROP DATABASE ${database}`)
        await own.close()
      },
    }
  }
  const hashes = (of: Store) => Promise.all(VIEW_NAMES.map(async (view) => (await hashView(of, view)).hash))

  it('is equal for equal content, however often and at which offset it was written, and differs for other content', async () => {
    const [calm, stormy] = [await fresh(), await fresh()]
    const undated = { article_id: 'art_2', published_date: null }

    await calm.writer.scored({ article_id: 'art_1', job_id: 'job_1' }, undated)
    await calm.writer.analyzed({ article_id: 'art_1' }, undated)
    await calm.writer.enriched({ comment_count_analyzed: 7 })
    await stormy.writer.enriched(
      { platform: 'twitter' },
      { platform: 'twitter', comment_count_analyzed: 0, occurred_at: 0 },
    )
    await stormy.writer.enriched(
      { comment_count_analyzed: 3, occurred_at: A_DAY - 1 },
      { comment_count_analyzed: 7, fetched_at: 5 },
    )
    await stormy.writer.analyzed({ article_id: 'art_1', event_id: 'evt_other' }, { ...undated, occurred_at: A_DAY + 9 })
    await stormy.writer.scored({ ...undated, occurred_at: A_DAY + 9 }, { article_id: 'art_1', job_id: 'job_1' })
    await stormy.writer.scored(undated)

    const before = await hashes(calm.own)
    expect(await hashes(stormy.own)).toEqual(before)
    await stormy.writer.scored({ article_id: 'art_1', content_hash: 'new', title: null })
    expect(await hashes(stormy.own)).not.toEqual(before)
    await Promise.all([calm.drop(), stormy.drop()])
  })
})
