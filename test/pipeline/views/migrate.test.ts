import { randomBytes } from 'node:crypto'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { z } from 'zod'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { articlesScored } from '../../../src/events/articles.ts'
import { byVector, nearestArticles } from '../../../src/views/articles/nearest.ts'
import { articleRows } from '../../../src/views/articles/project.ts'
import { NOW_AND_LATER } from '../../../src/views/instant.ts'
import { migrate, migrations, type MigrateProgress } from '../../../src/views/migrate.ts'
import { anInput, aScoredArticle, axisVector } from '../../builders/articles.ts'
import { soon } from '../../builders/soon.ts'
import { bf16, f32 } from '../../../src/events/vector.ts'
import { seeded } from '../../../src/quality/seeded-random.ts'
import { earlierRows } from './earlier-rows.ts'

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

const write = (some: typeof articles, from = 0) => store.insert('articles', earlierRows(some, from))

function unitVector(seed: string): Float32Array {
  const random = seeded(seed)
  const components = Float32Array.from({ length: 384 }, () => random() - 0.5)
  return components.map((value) => value / Math.hypot(...components))
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

it('a database older than the table of vectors can be searched', async () => {
  const fill = migrations().findIndex(({ name }) => name === FILL)
  const upToFill = migrations().slice(0, fill + 1)
  await migrate(store, { replicated: false }, upToFill.slice(0, fill))
  await write(articles)

  expect(await migrate(store, { replicated: false }, upToFill)).toEqual([FILL])
  expect(await vectors()).toEqual({ rows: COUNT, articles: COUNT })

  // Interrupted before it was recorded, with more to copy.
  await store.command(`DELETE FROM migrations WHERE name = '${FILL}' SETTINGS lightweight_deletes_sync = 2`)
  const late = aScoredArticle({ url: 'https://www.example.com/late' })
  await write([late], COUNT)

  expect(await migrate(store, { replicated: false }, upToFill)).toEqual([FILL])
  expect(await vectors()).toEqual({ rows: COUNT + 1, articles: COUNT + 1 })

  await migrate(store, { replicated: false })
  const params = { namespace: 'shared', as_of: NOW_AND_LATER, min_quality: 0, limit: 1 }
  const [found] = await nearestArticles(store, params, [byVector(axisVector(7))])
  expect(found).toMatchObject({ article_id: articles[7]?.article_id, distance: 0, language: 'und' })
})

it('token vectors of two bytes per component become the same single bytes as a rebuild writes', async () => {
  const own = `${database}_tokens`
  const named = clickhouseStore({ ...inject('engines').clickhouse, database: own })
  const name = '031-token-components'
  await migrate(
    named,
    { replicated: false },
    migrations().filter((one) => one.name < name),
  )
  const token = { text: 'harbour', importance: 1, pos_tag: 'NOUN', entity_type: 'O', context_sentiment: 0 } as const
  const token_vectors = bf16('test:term', 384, [unitVector('a'), unitVector('b'), new Float32Array(384)])
  const event = aScoredArticle({ tokens: [token, token, token], token_vectors })
  const rebuilt = articleRows(anInput(event, { topic: articlesScored.name, offset: 0 }))
    .filter(({ table }) => table === 'tokens')
    .map(({ row }) => row)
  const halves = [0, 1, 2].map((i) => token_vectors.data.subarray(i * 768, (i + 1) * 768))
  await named.insert(
    'tokens',
    rebuilt.map((row, i) => ({
      ...Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'components')),
      vector: halves[i] ?? null,
    })),
  )

  const rows = async () =>
    named.query({
      name: 'test.components',
      sql: 'SELECT base64Encode(arrayStringConcat(arrayMap(x -> char(x), components))) AS bytes FROM tokens ORDER BY ordinal',
      params: {},
      parse: (row) => z.object({ bytes: z.string() }).parse(row).bytes,
    })
  const expected = rebuilt.map(({ components }) => Buffer.from(components as Uint8Array).toString('base64'))

  expect(await migrate(named, { replicated: false })).toContain(name)
  expect(await rows()).toEqual(expected)

  // Interrupted before it was recorded.
  await named.command(`DELETE FROM migrations WHERE name = '${name}' SETTINGS lightweight_deletes_sync = 2`)
  expect(await migrate(named, { replicated: false })).toEqual([name])
  expect(await rows()).toEqual(expected)
  await named.command(`DROP DATABASE ${own}`)
  await named.close()
})

it('a transition evaluated ahead of the log by a wrong clock holds from its log time', async () => {
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

it('a migration statement, and a read with its own time limit, may take longer than a request', async () => {
  const hurried = clickhouseStore({ ...inject('engines').clickhouse, database, timeoutMs: 1_000 })
  const slow =
    'SELECT sum(sleepEachRow(0.2)) AS slept FROM (SELECT number FROM numbers(10) SETTINGS max_block_size = 1)'
  const parse = (row: unknown) => z.object({ slept: z.number() }).parse(row)
  const read = (maxSeconds?: number) =>
    hurried.query({ name: 'test.slow', sql: slow, params: {}, parse, ...(maxSeconds && { maxSeconds }) })

  await hurried.command(`${slow} FORMAT Null`)

  expect(await read(60)).toEqual([{ slept: 0 }])
  await expect(read()).rejects.toThrow('the store did not answer')
  await hurried.close()
})

it('reports each statement before it runs, and resumes after an interruption', async () => {
  const own = `migrate_${randomBytes(6).toString('hex')}`
  const named = clickhouseStore({ ...inject('engines').clickhouse, database: own })
  const known = [
    { name: '001-a', sql: 'CREATE TABLE IF NOT EXISTS a (x String) ENGINE = MergeTree ORDER BY x;' },
    { name: '002-b', sql: "INSERT INTO a SELECT '{{each-32nd}}' WHERE '{{each-32nd}}' NOT IN (SELECT x FROM a);" },
  ]
  const seen: string[] = []
  const interrupted = {
    ...named,
    command: async (sql: string) => {
      if (sql.includes("'q'")) throw new Error('interrupted')
      await named.command(sql)
    },
  }
  const onProgress = ({ name, statement, of }: MigrateProgress) => void seen.push(`${name} ${statement}/${of}`)

  await expect(migrate(interrupted, { replicated: false, onProgress }, known)).rejects.toThrow('interrupted')
  expect(await migrate(named, { replicated: false }, known)).toEqual(['002-b'])

  expect(seen.slice(0, 3)).toEqual(['001-a 1/1', '002-b 1/32', '002-b 2/32'])
  expect(seen.at(-1)).toBe('002-b 17/32')
  const count = { name: 'test.a', sql: 'SELECT count() AS rows, uniqExact(x) AS different FROM a', params: {} }
  expect(await named.query({ ...count, parse: (row) => row })).toEqual([{ rows: 32, different: 32 }])
  await named.command(`DROP DATABASE ${own}`)
  await named.close()
})
