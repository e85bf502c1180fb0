import { randomBytes } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { HOUR_MS } from '../../../src/domain/days.ts'
import type { ArticleAnalyzed, Entity } from '../../../src/events/articles.ts'
import { entityId } from '../../../src/events/ids.ts'
import type { Store } from '../../../src/ports/store.ts'
import { entityDetail } from '../../../src/views/entities/detail.ts'
import { listEntities } from '../../../src/views/entities/list.ts'
import { hashView } from '../../../src/views/hash.ts'
import { NOW_AND_LATER } from '../../../src/views/instant.ts'
import { migrate, migrations } from '../../../src/views/migrate.ts'
import { A_DAY } from '../../builders/articles.ts'
import { anEntity, ViewWriter } from '../../builders/views.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()

const NAMED = ['PERSON', 'ORG', 'GPE', 'LOC', 'EVENT']
const everything = {
  ...{ as_of: NOW_AND_LATER, as_of_given: true, window_ms: null, query: null, types: NAMED, min_mentions: 1 },
  ...{ limit: 20, offset: 0, cursor: undefined, max_article_ids: 9 },
}
const list = async (namespace: string) => (await listEntities(store, { namespace, ...everything })).entities

const knownOf = (of: Store, namespace: string) =>
  of.query({
    name: 'test.entities',
    sql: 'SELECT * FROM entities WHERE namespace = {namespace: String} ORDER BY name',
    params: { namespace },
    parse: (row) => z.record(z.string(), z.unknown()).parse(row),
  })

it('a list reads the stored sums of the whole days and hours in its window', async () => {
  const namespace = aNamespace()
  await writer.analyzed({ namespace, occurred_at: A_DAY, entities: [anEntity('Ada Quill')] })
  const planOf = async (window: { readonly as_of: number; readonly window_ms: number | null }) => {
    const plan: string[] = []
    const explaining: Store = {
      ...store,
      query: async (query) => {
        const parse = (row: unknown): string => z.object({ explain: z.string() }).parse(row).explain
        if (query.name === 'entities.page_by_sums')
          plan.push(...(await store.query({ ...query, sql: `EXPLAIN ${query.sql}`, parse })))
        return store.query(query)
      },
    }
    expect((await listEntities(explaining, { namespace, ...everything, ...window })).total).toBe(1)
    return plan.join('\n')
  }

  expect(await planOf({ as_of: NOW_AND_LATER, window_ms: null })).toContain('(by_day_and_type)')
  expect(await planOf({ as_of: A_DAY + 2 * HOUR_MS, window_ms: 4 * HOUR_MS })).toContain('(by_hour_and_type)')
})

describe('analyses of an article', () => {
  const named = (namespace: string, content_hash: string, name: string): Partial<ArticleAnalyzed> => ({
    ...{ namespace, article_id: 'art_1', content_hash, entities: [anEntity(name)] },
  })

  it("the newest revision counts, the pipeline's analysis before a direct one", async () => {
    const namespace = aNamespace()

    await writer.analyzed({ ...named(namespace, 'a', 'By Hand'), direct: true })
    const direct = await list(namespace)
    await writer.analyzed(named(namespace, 'a', 'First'))
    const own = await list(namespace)
    await writer.analyzed(named(namespace, 'b', 'Second'), { ...named(namespace, 'c', 'By Hand'), direct: true })

    expect([direct, own, await list(namespace)]).toMatchObject([
      [{ name: 'By Hand' }],
      [{ name: 'First' }],
      [{ name: 'Second' }],
    ])
  })

  it('a repeat changes nothing, even with other names', async () => {
    const namespace = aNamespace()

    await writer.analyzed(named(namespace, 'a', 'First'), named(namespace, 'a', 'Found Later'))
    await writer.analyzed(named(namespace, 'a', 'First'))

    expect(await list(namespace)).toMatchObject([{ name: 'First', mention_count: 1, article_count: 1 }])
  })
})

describe('the table of entities', () => {
  it('has the details from the newest article that provides them', async () => {
    const namespace = aNamespace()
    const oslo = (wikidata_id: string | null, latitude: number | null): Entity => ({
      ...anEntity('Oslo', 'GPE'),
      wikidata_id,
      place: latitude === null ? null : { country: 'NO', latitude, longitude: 10.7, within: ['Norway'] },
    })
    const friday = (day: string): Entity => ({ ...anEntity('Friday', 'DATE'), time: { start: day, end: day } })
    const may = { ...anEntity('May 2016', 'DATE'), time: { start: '2016-05-01', end: '2016-05-31' } }
    const cost = { ...anEntity('$5', 'MONEY'), money: { amount: 5, currency: 'USD' } }

    await writer.analyzed(
      { namespace, article_id: 'art_1', entities: [oslo('Q1', 1), friday('2016-05-06'), may] },
      { namespace, article_id: 'art_2', entities: [oslo('Q585', 59.9), friday('2016-05-13'), cost] },
      { namespace, article_id: 'art_3', entities: [oslo(null, null), may] },
    )

    const unknown = { wikidata_id: null, country: null, latitude: null, longitude: null, within: [] }
    const none = { time_start: null, time_end: null, money_amount: null, money_currency: null }
    expect(await knownOf(store, namespace)).toMatchObject([
      { name: '$5', type: 'MONEY', ...unknown, ...none, money_amount: 5, money_currency: 'USD' },
      { name: 'Friday', type: 'DATE', ...unknown, ...none },
      { name: 'May 2016', type: 'DATE', ...unknown, ...none, time_start: '2016-05-01', time_end: '2016-05-31' },
      {
        ...{ name: 'Oslo', type: 'GPE', entity_id: entityId('GPE', 'Oslo'), wikidata_id: 'Q585', country: 'NO' },
        ...{ latitude: 59.9, longitude: 10.7, within: ['Norway'], ...none },
      },
    ])
  })

  it('has a comment for each column, like the aggregates', async () => {
    const columns = await store.query({
      name: 'test.columns',
      sql: `SELECT table, countIf(comment = '') AS silent FROM system.columns
        WHERE database = currentDatabase() AND table IN ('entities', 'entity_days', 'entity_hours', 'current_analyses', 'entity_articles')
        GROUP BY table ORDER BY table`,
      params: {},
      parse: (row) => z.object({ table: z.string(), silent: z.number() }).parse(row),
    })

    expect(columns.map(({ table }) => table)).toEqual([
      ...['current_analyses', 'entities', 'entity_articles', 'entity_days', 'entity_hours'],
    ])
    expect(columns.filter(({ silent }) => silent > 0)).toEqual([])
  })
})

it('any name that an article can contain is stored, even an unpaired surrogate', async () => {
  const namespace = aNamespace()
  const surface = `__proto__ ' " \\ \n half \ud83d`
  const odd = { ...anEntity('__proto__', 'ORG'), mentions: [{ ...anEntity('x').mentions[0], surface }] }

  await writer.analyzed({ namespace, entities: [odd as Entity] })

  const params = { namespace, entity: '__PROTO__', type: null, types: NAMED, as_of: NOW_AND_LATER }
  expect(await entityDetail(store, params)).toMatchObject({
    name: '__proto__',
    aliases: [surface.replace('\ud83d', '\ufffd')],
  })
})

/** An earlier version of the view did not write these rows. */
const asOfOld = (of: Store): Store => ({
  ...of,
  insert: async (table, rows) => {
    if (table !== 'entity_articles') await of.insert(table, rows)
  },
})

it('the migration fills the table of entities of an older database as if written today', async () => {
  const databases = ['before', 'after'].map((name) => `entities_${name}_${randomBytes(6).toString('hex')}`)
  const [before, after] = databases.map((database) =>
    clickhouseStore({ ...inject('engines').clickhouse, database }),
  ) as [Store, Store]
  const oslo = { ...anEntity('Oslo', 'GPE', [9]), mentions: [{ ...anEntity('x').mentions[0], sentiment_score: 0.4 }] }
  const events: Partial<ArticleAnalyzed>[] = [
    { article_id: 'art_aaa', entities: [anEntity('Ada Quill', 'PERSON', [0, 20, 40]), oslo as Entity] },
    { article_id: 'art_bbb', entities: [anEntity('Ada Quill')] },
    { article_id: 'art_bbb', content_hash: 'second', entities: [anEntity('Oslo', 'GPE')] },
  ]
  const known = migrations()
  const old = known.slice(
    0,
    known.findIndex(({ name }) => name === '011-entity-articles'),
  )

  await migrate(before, { replicated: false }, old)
  await migrate(after, { replicated: false })
  await new ViewWriter(asOfOld(before)).analyzed(...events)
  await new ViewWriter(after).analyzed(...events)
  await migrate(before, { replicated: false })

  const [migrated, written] = [await hashView(before, 'entities'), await hashView(after, 'entities')]
  expect(migrated.tables.find(({ table }) => table === 'entity_articles')?.rows).toBe(4)
  expect(migrated).toEqual(written)
  for (const [i, one] of [before, after].entries()) {
    await one.command(`DROP DATABASE ${databases[i] ?? ''}`)
    await one.close()
  }
})
