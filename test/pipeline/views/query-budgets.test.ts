import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { QueryTooLarge, QueryTooSlow, type Store } from '../../../src/ports/store.ts'
import { anApi, type TestApi } from '../../builders/api.ts'

/** Each exceeds one limit of a read. */
const BREAKS = {
  'rows in the answer': ['SELECT number FROM numbers(300000)', QueryTooLarge],
  'bytes in the answer': [
    'SELECT repeat(toString(number % 10), 1000000) AS text FROM numbers(1000) SETTINGS max_block_size = 16',
    QueryTooLarge,
  ],
  'bytes to read': ['SELECT sum(number) FROM numbers(2000000000)', QueryTooLarge],
  time: ['SELECT sum(sleepEachRow(0.5)) FROM numbers(10) SETTINGS max_block_size = 1', QueryTooSlow],
  memory: ['SELECT length(arrayResize([toUInt64(0)], 400000000))', QueryTooLarge],
} as const

let store: Store
let api: TestApi
let sql = ''
beforeAll(async () => {
  const real = clickhouseStore({ ...inject('engines').clickhouse, database: 'default' })
  store = {
    ...real,
    query: (query) => real.query({ ...query, sql, params: {}, maxSeconds: sql.includes('sleep') ? 1 : 10 }),
  }
  api = await anApi({ store })
})
afterAll(async () => {
  await api.stop()
  await store.close()
})

it.each(Object.entries(BREAKS))('a read over its limit of %s fails with its error class', async (_, [broken, kind]) => {
  sql = broken

  await expect(store.query({ name: 'broken', sql, params: {}, parse: (row) => row })).rejects.toBeInstanceOf(kind)
})

it.each(Object.entries(BREAKS))('and returns the matching problem: %s', async (_, [broken, kind]) => {
  sql = broken
  const response = await api.get('/v1/clusters', await api.key())
  const text = await response.text()

  if (kind === QueryTooSlow) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(JSON.parse(text)).toMatchObject({
      code: 'unavailable',
      detail: expect.stringMatching(/took too long: narrow time_range.* or try again in 5 s/) as unknown,
    })
  } else {
    expect(response.status).toBe(422)
    expect(JSON.parse(text)).toMatchObject({
      code: 'query_too_large',
      detail: expect.stringContaining('time_range') as unknown,
    })
  }
  expect(text).not.toMatch(/SELECT|numbers|Code:|ClickHouse/)
})
