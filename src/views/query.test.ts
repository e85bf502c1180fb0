import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { BoundQuery, Store } from '../ports/store.ts'
import { query } from './query.ts'

const row = z.object({ n: z.number() })
const held = 'namespace = {namespace: String}'

const storeThatFinds = (found: unknown, queries: BoundQuery<unknown>[] = []): Store => ({
  insert: () => Promise.resolve(),
  query: (bound) => {
    queries.push(bound)
    return Promise.resolve([bound.parse(found)])
  },
  command: () => Promise.resolve(),
  ping: () => Promise.resolve(true),
  close: () => Promise.resolve(),
})

describe('what cannot be defined', () => {
  it('a query without the namespace', () => {
    expect(() => query({ name: 'all', sql: 'SELECT 1 AS n FROM articles', params: z.object({}), row })).toThrow(
      /Query all reads articles/,
    )
  })

  it('a query that holds only one of its two tables to the namespace', () => {
    const sql = `SELECT 1 AS n FROM articles WHERE ${held} AND id IN (SELECT id FROM mentions)`

    expect(() => query({ name: 'half', sql, params: z.object({}), row })).toThrow(/articles, mentions/)
  })

  it('a query whose text and parameters do not agree', () => {
    const sql = `SELECT 1 AS n FROM articles WHERE ${held} AND id = {id: String}`

    expect(() => query({ name: 'less', sql, params: z.object({}), row })).toThrow(/do not agree on id/)
    expect(() => query({ name: 'more', sql, params: z.object({ id: z.string(), no: z.string() }), row })).toThrow(/no$/)
  })
})

describe('a defined query', () => {
  const sql = `WITH known AS (SELECT id FROM articles WHERE ${held}) SELECT count() AS n FROM known WHERE id = {id: String}`
  const count = query({ name: 'count', sql, params: z.object({ id: z.string() }), row })

  it('sends parameters beside the text, never in it', async () => {
    const queries: BoundQuery<unknown>[] = []
    const id = "' OR 1 = 1 --"

    await count(storeThatFinds({ n: 1 }, queries))({ namespace: 'acme', id })

    expect(queries).toMatchObject([{ name: 'count', sql, params: { namespace: 'acme', id } }])
  })

  it('throws when a row does not fit', async () => {
    await expect(count(storeThatFinds({ n: 'one' }))({ namespace: 'acme', id: 'a' })).rejects.toThrow()
  })
})
