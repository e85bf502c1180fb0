import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import type { Shard } from '../../../src/config/stores.ts'
import { refreshAnalystViews } from '../../../src/engines/analysts/views.ts'
import { clickHouseEngine, storyUser } from '../../../src/engines/clickhouse.ts'
import { anyFreePort } from '../../../src/engines/free-port.ts'
import { supervise, type Supervised } from '../../../src/engines/supervise.ts'
import { migrateStore } from '../../../src/operations/stores/migrate-store.ts'
import { StoreUnreachable, type Store } from '../../../src/ports/store.ts'
import { byVector, nearestArticles, nearestTokens } from '../../../src/views/articles/nearest.ts'
import { SPREAD } from '../../../src/views/shards.ts'
import { anApi } from '../../builders/api.ts'
import { articlesScored } from '../../../src/events/articles.ts'
import { i8 } from '../../../src/events/vector.ts'
import { append } from '../../builders/plain-log.ts'
import { aScoredArticle, A_DAY, axisVector } from '../../builders/articles.ts'
import { publishArticle } from '../operations/rebuild-home.ts'
import { aStoresHome } from './stores-home.ts'

const folder = mkdtempSync(join(tmpdir(), 'story-shards-'))
const [password, analystPassword] = ['of the service', 'of the analyst']
let servers: readonly { readonly shard: Shard; readonly server: Supervised }[]
let home: Awaited<ReturnType<typeof aStoresHome>>

/** A server that is a shard and has what a store over shards needs. */
async function startServer(name: string) {
  const [port, nativePort] = [await anyFreePort(), await anyFreePort()]
  const at = { directory: join(folder, name), log: join(folder, `${name}.log`) }
  const engine = clickHouseEngine({ ...at, port, nativePort, database: 'story', password, analystPassword })
  const server = await supervise(engine, (line) => console.error(line))
  return { server, shard: { url: `http://127.0.0.1:${port}`, native: `127.0.0.1:${nativePort}` } }
}

const tokenOf = (text: string) =>
  ({ text, importance: 1, pos_tag: 'NOUN', entity_type: 'O', context_sentiment: 0 }) as const

/** Store `whole` has its tables on the shared engine; store `spread` has its largest on two shards, one of them itself. */
beforeAll(async () => {
  servers = [await startServer('one'), await startServer('two')]
  const shards = servers.map(({ shard }) => shard)
  const own = { url: shards[0]?.url ?? '', user: storyUser, password, database: 'story', shards }
  const all = { namespaces: null, except: [] }
  home = await aStoresHome({ name: 'whole', ...all }, { name: 'spread', ...all, ...own })
  for (let i = 0; i < 36; i++) await publishArticle(home.log, i, i % 3 === 0 ? 'acme' : 'shared')
  const tokens = [tokenOf('harbour'), tokenOf('bridge')]
  const token_vectors = i8('afdb6f1a0e45:term', 384, [axisVector(1), axisVector(2)])
  const withTokens = Array.from({ length: 8 }, (_, i) => `https://www.example.com/tokens/${i}`)
  await append(
    home.log,
    articlesScored,
    withTokens.map((url) => aScoredArticle({ url, tokens, token_vectors })),
  )
  await home.untilLevel()
}, 600_000)

afterAll(async () => {
  await home.close()
  await Promise.all(servers.map(({ server }) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
})

const Count = z.object({ n: z.number() })
const count = async (store: Store, sql: string): Promise<number> => {
  const [found] = await store.query({ name: 'test.count', sql, params: {}, parse: (row) => Count.parse(row) })
  return found?.n ?? NaN
}

const shardStore = ({ url }: Shard): Store =>
  clickhouseStore({ url, user: storyUser, password, database: 'story_shard' })

it('has a part of the rows on each shard, and all together what a whole store has', async () => {
  for (const table of SPREAD) {
    const parts = servers.map(({ shard }) => shardStore(shard))
    const rows = await Promise.all(parts.map((part) => count(part, `SELECT count() AS n FROM ${table} FINAL`)))
    const whole = await count(home.storeOf('whole'), `SELECT count() AS n FROM ${table} FINAL`)
    expect(Math.min(...rows)).toBeGreaterThan(0)
    expect(rows.reduce((sum, n) => sum + n, 0)).toBe(whole)
    await Promise.all(parts.map((part) => part.close()))
  }
  expect(await home.hashesOf('spread')).toEqual(await home.hashesOf('whole'))
})

it('answers as a whole store does', async () => {
  const answers = await Promise.all(
    ['whole', 'spread'].map(async (name) => {
      const store = home.storeOf(name)
      const params = { namespace: 'shared', as_of: A_DAY + 86_400_000, min_quality: 0, limit: 10 }
      const found = await nearestArticles(store, params, [byVector(axisVector(1))])
      const tokens = await nearestTokens(store, params, axisVector(2))
      const api = await anApi({ store })
      const key = await api.key({ namespace: 'shared', tier: 'professional' })
      const bodies: unknown[] = []
      for (const path of PATHS) {
        const response = await api.get(path, key)
        bodies.push([path, response.status, await response.json()])
      }
      await api.stop()
      return { found, tokens, bodies }
    }),
  )
  expect(answers[0]?.found.length).toBe(10)
  expect(answers[0]?.bodies.map((body) => (body as unknown[])[1])).toEqual(PATHS.map(() => 200))
  expect(answers[1]).toEqual(answers[0])
})

const PATHS = [
  '/v1/articles?limit=5',
  '/v1/clusters?time_range=7d&AS_OF',
  '/v1/clusters/sto_harbour',
  '/v1/entities?time_range=7d&AS_OF',
  '/v1/entities?time_range=30d&AS_OF',
  '/v1/entities?query=Bo&time_range=7d&AS_OF',
  '/v1/entities?time_range=7d&as_of=2016-05-03T21:34:56Z',
  '/v1/entities/Ada%20Quill/sentiment?AS_OF',
  '/v1/relationships?entity=Ada%20Quill&AS_OF',
  '/v1/relationships/network?entity=Ada%20Quill&AS_OF',
  '/v1/pipeline',
  '/v1/trends?AS_OF',
  '/v1/trends/entities?AS_OF',
].map((path) => path.replace('AS_OF', 'as_of=2016-05-04T00:00:00Z'))

it('shows an analyst the rows of the own namespace only', async () => {
  await refreshAnalystViews(home.storeOf('spread'), 'story')
  const ask = async (sql: string): Promise<string> => {
    const headers = { 'X-ClickHouse-User': 'analyst', 'X-ClickHouse-Key': analystPassword }
    const response = await fetch(`${servers[0]?.shard.url}/?wait_end_of_query=1`, {
      method: 'POST',
      headers,
      body: sql,
    })
    return (await response.text()).trim()
  }
  for (const view of ['mentions', 'article_entities']) {
    const rows = await ask(`SELECT uniqExact(article_id) FROM analyst.${view}`)
    expect([view, rows]).toEqual([view, '24'])
  }
  const joined =
    'SELECT uniqExact(article_id) FROM analyst.mentions WHERE article_id IN (SELECT article_id FROM analyst.articles)'
  expect(await ask(joined)).toBe('24')
  expect(await ask('SELECT count() FROM story.mentions')).toContain('Not enough privileges')
})

it('can be migrated again, but not with other shards', async () => {
  const [store, scope] = [home.storeOf('spread'), home.scopeOf('spread')]
  await expect(migrateStore(store, scope, () => undefined)).resolves.toEqual([])
  const reversed = { ...scope, shards: scope.shards.toReversed() }
  await expect(migrateStore(store, reversed, () => undefined)).rejects.toThrow('which cannot change')
  const [whole, ofWhole] = [home.storeOf('whole'), { ...home.scopeOf('whole'), shards: scope.shards }]
  await expect(migrateStore(whole, { ...ofWhole, ...scopeUser }, () => undefined)).rejects.toThrow('has rows')
})

const scopeUser = { user: storyUser, password }

it('is unreachable without a shard, and reads go to another store', async () => {
  await servers[1]?.server.stop()
  const query = { namespace: 'shared', as_of: A_DAY + 86_400_000, min_quality: 0, limit: 10 }
  const search = (store: Store) => nearestArticles(store, query, [byVector(axisVector(1))])

  await expect(search(home.storeOf('spread'))).rejects.toThrow(StoreUnreachable)
  expect(await search(home.reading.store)).toHaveLength(10)
})
