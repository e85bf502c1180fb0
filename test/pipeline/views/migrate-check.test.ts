import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../src/adapters/clock.ts'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { checkMigrations, copyNameOf, MARK } from '../../../src/views/migrate-check.ts'
import { migrate, migrations, pendingMigrations, type Migration } from '../../../src/views/migrate.ts'
import { aScoredArticle } from '../../builders/articles.ts'
import { earlierRows } from './earlier-rows.ts'

const database = `checked_${randomBytes(6).toString('hex')}`
const copyName = copyNameOf(database)
const connection = inject('engines').clickhouse
const store = clickhouseStore({ ...connection, database })
const copy = clickhouseStore({ ...connection, database: copyName })
const of = { database, store, copy, copyName, clock: systemClock }

const FILL = '010-article-vectors'
const known = migrations()
const since = known.findIndex(({ name }) => name === FILL)

const number = async (sql: string): Promise<number> => {
  const parse = (row: unknown) => z.object({ n: z.number() }).parse(row)
  const [found] = await store.query({ name: 'test.number', sql, params: {}, parse })
  return found?.n ?? NaN
}

const copies = () => number(`SELECT count() AS n FROM system.databases WHERE name = '${copyName}'`)

/** A migration that fails if the copy has another number of rows than the original. */
const aMigration = (sql: string): Migration[] => [...known, { name: '999-tried', sql }]

/** A database of an older release, with rows without the columns of later migrations. */
beforeAll(async () => {
  await migrate(store, { replicated: false }, known.slice(0, since))
  const articles = Array.from({ length: 50 }, (_, i) => aScoredArticle({ url: `https://www.example.com/${i}` }))
  await store.insert('articles', earlierRows(articles))
})
afterAll(async () => {
  await store.command(`DROP DATABASE IF EXISTS ${database} SYNC`)
  await Promise.all([store.close(), copy.close()])
})

it('tries each new migration on a copy, reports how long each took, and changes nothing', async () => {
  await store.command(`CREATE DATABASE ${copyName} ENGINE = Atomic COMMENT '${MARK}'`) // left by a killed check
  const counting = aMigration(
    `CREATE TABLE counted ENGINE = MergeTree ORDER BY n AS SELECT throwIf(count() != 50, 'not all rows') AS n FROM article_vectors`,
  )

  const checked = await checkMigrations(of, { replicated: false }, counting)

  expect(checked.map(({ name }) => name)).toEqual([...known.slice(since).map(({ name }) => name), '999-tried'])
  expect(checked.every(({ seconds }) => seconds > 0)).toBe(true)
  expect(await copies()).toBe(0)
  expect(await pendingMigrations(store)).toEqual(known.slice(since).map(({ name }) => name))
  expect(await number('SELECT count() AS n FROM articles')).toBe(50)
})

it('names a migration that would fail on these rows, and cleans up', async () => {
  const broken = aMigration(
    `CREATE TABLE counted ENGINE = MergeTree ORDER BY n AS SELECT throwIf(count() = 50, 'fifty are too many') AS n FROM articles`,
  )

  await expect(checkMigrations(of, { replicated: false }, broken)).rejects.toThrow(
    /999-tried fails on a copy of the database; nothing was changed/,
  )

  expect(await copies()).toBe(0)
})

it('does not drop a database of that name that it did not create', async () => {
  await store.command(`CREATE DATABASE ${copyName} ENGINE = Atomic`)
  await store.command(`CREATE TABLE ${copyName}.kept ENGINE = MergeTree ORDER BY n AS SELECT 7 AS n`)

  await expect(checkMigrations(of, { replicated: false })).rejects.toThrow(/is no copy of a check/)

  expect(await number(`SELECT toUInt32(n) AS n FROM ${copyName}.kept`)).toBe(7)
  await store.command(`DROP DATABASE ${copyName} SYNC`)
})

it('copies the current database, including its views', async () => {
  await migrate(store, { replicated: false })
  const reading = aMigration('CREATE VIEW tried AS SELECT namespace FROM current_stories')

  expect((await checkMigrations(of, { replicated: false }, reading)).map(({ name }) => name)).toEqual(['999-tried'])
  expect(await checkMigrations(of, { replicated: false }, known)).toEqual([])
})
