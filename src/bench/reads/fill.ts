import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { recomputeDerived } from '../../views/clusters/refresh-derived.ts'
import { BASE, COPIED, copies, lookups, wholeStories, type Generated } from './recombine.ts'

/** Copies of 600 base articles per statement. An article has 24 tokens with a vector each, which limit memory. */
const copiesAtOnce = (table: string): number => (table === 'tokens' ? 5 : 20)

interface FillRequest {
  /** Articles to generate, at least. */
  readonly articles: number
  /** End of the event times of a fill that begins now. */
  readonly now: number
  readonly onProgress: (line: string) => void
}

/** Records each statement that is done, so that an interrupted fill goes on from there. */
const DONE = `
  CREATE TABLE IF NOT EXISTS bench_fill (ends_at Int64, table String, first UInt32)
  ENGINE = MergeTree ORDER BY (table, first)`

/** Fills the views with generated articles, or goes on with a fill that was interrupted. Returns what they are. */
export async function fillReads(store: Store, { articles, now, onProgress }: FillRequest): Promise<Generated> {
  await store.command(DONE)
  for (const statement of lookups()) await store.command(statement)
  const done = await statementsDone(store)
  const baseArticles = await baseCount(store)
  const of = { baseArticles, copies: Math.ceil(articles / baseArticles), endsAt: done.endsAt ?? now }
  const record = (table: string, first: number) =>
    store.command(`INSERT INTO bench_fill VALUES (${of.endsAt}, '${table}', ${first})`)

  for (const table of COPIED) {
    const atOnce = copiesAtOnce(table)
    for (let from = 0; from < of.copies; from += atOnce) {
      if (done.statements.has(`${table} ${from}`)) continue
      const to = Math.min(from + atOnce, of.copies)
      await store.command(copies(table, { from, to }, of))
      await record(table, from)
      onProgress(`${table}: ${to * baseArticles} of ${of.copies * baseArticles} articles`)
    }
  }
  const once = async (part: string, fill: () => Promise<void>): Promise<void> => {
    if (done.statements.has(`${part} 0`)) return
    onProgress(`${part} ...`)
    await fill()
    await record(part, 0)
  }
  await once('whole stories', async () => {
    for (const statement of wholeStories(of)) await store.command(statement)
  })
  await once('figures and items of stories', () => recomputeDerived(store)) // as the view does in the background
  return of
}

async function statementsDone(store: Store) {
  const rows = await store.query({
    name: 'bench.fill',
    sql: 'SELECT ends_at, table, first FROM bench_fill',
    params: {},
    parse: (row) => z.object({ ends_at: z.number(), table: z.string(), first: z.number() }).parse(row),
  })
  return { endsAt: rows[0]?.ends_at, statements: new Set(rows.map(({ table, first }) => `${table} ${first}`)) }
}

async function baseCount(store: Store): Promise<number> {
  const [row] = await store.query({
    name: 'bench.base',
    sql: `SELECT uniqExact(article_id) AS articles FROM members WHERE namespace = '${BASE}'`,
    params: {},
    parse: (found) => z.object({ articles: z.number().positive() }).parse(found),
  })
  return row?.articles ?? 0
}
