import { once } from 'node:events'
import { createServer } from 'node:http'
import { systemClock } from '../../adapters/clock.ts'
import { jsonLogger } from '../../adapters/logger.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { stubDependencies } from '../../api/described-routes.ts'
import { createKey, publishKey } from '../../operations/keys/create-key.ts'
import { followKeys } from '../../api/http/keys/keyring.ts'
import { serveApi } from '../../api/app.ts'
import type { ServerMessage } from './http.ts'
import type { BoundQuery, Store } from '../../ports/store.ts'

/** A server process of `story bench http`: the whole API on a store that returns fixed rows, or bare `node:http`. */

/** A request from the bench to a server process. */
export type BenchCommand =
  | { readonly kind: 'serve' }
  /** Bare `node:http` that sends the given headers and body. */
  | { readonly kind: 'serve bare'; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly kind: 'usage' }

/** A limit that the bench never reaches: it measures the cost of counting requests, not of rejecting them. */
const REQUESTS_PER_MINUTE = 1_000_000_000
const CACHE_BYTES = 64 * 1024 * 1024

async function serve(): Promise<ServerMessage> {
  const ports = { log: new MemoryLog(), codec: new PlainCodec(), clock: systemClock, logger: jsonLogger('info') }
  const made = createKey(
    { tier: 'enterprise', privateNamespace: null, scopes: ['read', 'write'], name: 'bench', expires_at: null },
    ports.clock.now(),
  )
  await publishKey(made.event, ports)
  const { url } = await serveApi(
    {
      ...stubDependencies('0.0.0'),
      ...ports,
      keys: followKeys(ports),
      store: servedStories,
      limits: { starter: 1, professional: 1, enterprise: REQUESTS_PER_MINUTE },
      cacheBytes: CACHE_BYTES,
    },
    { host: '127.0.0.1', port: 0 },
  )
  return { kind: 'serving', port: Number(new URL(url).port), key: made.key }
}

async function serveBare(headers: Readonly<Record<string, string>>, body: string): Promise<ServerMessage> {
  const bytes = Buffer.from(body)
  const server = createServer((_, response) => {
    response.writeHead(200, headers)
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return { kind: 'serving', port: address.port, key: '' }
}

async function execute(command: BenchCommand): Promise<ServerMessage> {
  switch (command.kind) {
    case 'serve':
      return serve()
    case 'serve bare':
      return serveBare(command.headers, command.body)
    case 'usage': {
      const { user, system } = process.cpuUsage()
      return { kind: 'usage', us: user + system }
    }
  }
}

/** A page with this many stories is 8 to 10 kB, about what a client requests. */
const STORIES = 9

/** A store that responds to the queries of the cluster list like ClickHouse with stored rows, and to nothing else. */
const servedStories: Store = {
  query: async <Out>({ name, parse }: BoundQuery<Out>) => {
    const rows = ROWS.get(name)
    if (rows === undefined) throw new Error(`the bench has no rows for ${name}`)
    return Promise.resolve(rows.map(parse))
  },
  insert: () => Promise.resolve(),
  command: () => Promise.resolve(),
  ping: () => Promise.resolve(true),
  close: () => Promise.resolve(),
}

const id = (prefix: string, of: number, length: number): string =>
  prefix + of.toString(32).replaceAll(/[01]/g, 'w').padStart(length, 'abcdefghijklmnopqrstuvwx')

const story = (n: number) => ({
  cluster_id: id('sto_', n, 26),
  headlines: Array.from({ length: 9 }, (_, i) => ({
    article_id: id('art_', n * 10 + i, 26),
    title: `Engineers find cracks in four of the twelve arches of harbour bridge number ${n}`,
    genre: 'report',
    language: 'en',
    similarity: 0.91 - i / 100,
  })),
  article_count: 9,
  source_count: 7,
  publisher_count: 6,
  texts: Array.from({ length: 9 }, (_, i) => [`o${i}`, '', 0.91 - i / 100]),
  is_settled: 1,
  languages: ['en'],
  created_at: '2016-05-03T08:12:00.000Z',
  updated_at: '2016-05-03T11:47:00.000Z',
  first_published: '2016-05-03T08:12:00.000Z',
  last_published: '2016-05-03T11:47:00.000Z',
  ...{ positive: 1, neutral: 5, negative: 3 },
  articles: Array.from({ length: 9 }, (_, i) => id('art_', n * 10 + i, 26)),
  entities: Array.from({ length: 5 }, (_, i) => ({
    id: id('ent_', n * 10 + i, 16),
    name: `Harbour Authority ${i}`,
    type: 'ORG',
    mention_count: 12,
    article_count: 6,
  })),
  geographic_spread: ['GB', 'NL'],
  categories: ['politics'],
})

const stories = Array.from({ length: STORIES }, (_, n) => story(n))
const ROWS = new Map<string, readonly unknown[]>([
  ['story_figures.outdated', []],
  ['story_items.outdated', []],
  [
    'clusters.page_stored',
    stories.map(({ cluster_id }, n) => ({ cluster_id, rank: 1 / (n + 1), second_rank: 0, total: 240 })),
  ],
  ['clusters.items_stored', stories],
])

process.on('message', (command) => void execute(command as BenchCommand).then((message) => process.send?.(message)))
process.on('disconnect', () => process.exit())
