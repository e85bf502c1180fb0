import { randomBytes } from 'node:crypto'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { z } from 'zod'
import { clickhouseStore } from '../../src/adapters/clickhouse/store.ts'
import { articlesScored } from '../../src/events/articles.ts'
import { nearestArticles } from '../../src/views/articles/nearest.ts'
import { articleRows } from '../../src/views/articles/project.ts'
import { NOW_AND_LATER } from '../../src/views/instant.ts'
import { migrate, migrations } from '../../src/views/migrate.ts'
import { anInput, aScoredArticle, axisVector } from '../builders/articles.ts'
import { soon } from '../builders/soon.ts'
import { f32 } from '../../src/events/vector.ts'

const database = `migrate_${randomBytes(6).toString('hex')}`
const store = clickhouseStore({ ...inject('engines').clickhouse, database })

afterAll(async () => {
  await store.command(`DROP DATABASE ${database}`)
  await store.close()
})

const FILL = '010-article-vectors'
const COUNT = 200
const NOON = '2026-11-23 12:00:00.000'

const articles = Array.from({ length: COUNT }, (_, i) =>
  aScoredArticle({ url: `https://www.example.com/${i}`, embedding: f32('test', axisVector(i)) }),
)

/** As a view of before wrote them. */
const write = async (some: typeof articles, from = 0) => {
  const rows = some.flatMap((event, i) => articleRows(anInput(event, { topic: articlesScored.name, offset: from + i })))
  await store.insert(
    'articles',
    rows.filter(({ table }) => table === 'articles').map(({ row }) => row),
  )
}

const vectors = async () => {
  const [found] = await store.query({
    name: 'test.vectors',
    sql: 'SELECT count() AS rows, uniqExact(article_id) AS articles FROM article_vectors',
    params: {},
    parse: (row) => z.object({ rows: z.number(), articles: z.number() }).parse(row),
  })
  return found
}

it('a database with articles from before there was a table of vectors is searched all the same', async () => {
  const before = migrations().slice(
    0,
    migrations().findIndex(({ name }) => name === FILL),
  )
  await migrate(store, { replicated: false }, before)
  await write(articles)

  expect(await migrate(store, { replicated: false })).toContain(FILL)
  expect(await vectors()).toEqual({ rows: COUNT, articles: COUNT })
  const wanted = { namespace: 'shared', vector: axisVector(7), as_of: NOW_AND_LATER, min_quality: 0, limit: 1 }
  expect(await nearestArticles(store, wanted)).toMatchObject([{ article_id: articles[7]?.article_id, distance: 0 }])

  // It broke off before it was recorded, and there is more to copy.
  await store.command(`DELETE FROM migrations WHERE name = '${FILL}' SETTINGS lightweight_deletes_sync = 2`)
  const late = aScoredArticle({ url: 'https://www.example.com/late' })
  await write([late], COUNT)

  expect(await migrate(store, { replicated: false })).toEqual([FILL])
  expect(await vectors()).toEqual({ rows: COUNT + 1, articles: COUNT + 1 })
})

it('a move that a wrong clock had evaluated ahead of the log holds from when the log took it', async () => {
  const own = `${database}_moves`
  const moves = clickhouseStore({ ...inject('engines').clickhouse, database: own })
  const name = '027-bound-transitions'
  const before = migrations().filter((one) => one.name < name)
  await migrate(moves, { replicated: false }, before)
  const row = { namespace: 'shared', lifecycle_state: 'concluded', rule: 'concluded', _partition: 0 }
  await moves.insert('transitions', [
    {
      ...row,
      cluster_id: 'sto_ahead',
      event_id: 'a',
      evaluated_at: '2027-11-23 12:00:00.000',
      _log_at: NOON,
      _offset: 0,
    },
    {
      ...row,
      cluster_id: 'sto_right',
      event_id: 'b',
      evaluated_at: '2026-11-23 11:59:00.000',
      _log_at: NOON,
      _offset: 1,
    },
  ])

  await migrate(moves, { replicated: false })

  await vi.waitFor(async () => {
    const found = await moves.query({
      name: 'test.moves',
      sql: 'SELECT cluster_id, toString(evaluated_at) AS evaluated_at FROM transitions ORDER BY cluster_id',
      params: {},
      parse: (one) => one,
    })
    expect(found).toEqual([
      { cluster_id: 'sto_ahead', evaluated_at: NOON },
      { cluster_id: 'sto_right', evaluated_at: '2026-11-23 11:59:00.000' },
    ])
  }, soon)
  await moves.command(`DROP DATABASE ${own}`)
  await moves.close()
})
