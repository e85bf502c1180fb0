import { readGenreModel } from '../../src/adapters/model-files.ts'
import { MemoryLog, type MemoryLogOptions } from '../../src/adapters/memory-log.ts'
import { PlainCodec } from '../../src/adapters/plain-codec.ts'
import { createApi } from '../../src/api/app.ts'
import type { AppApi } from '../../src/api/http/app.ts'
import type { Dependencies } from '../../src/api/http/dependencies.ts'
import { graphBuilds } from '../../src/api/graph/builds.ts'
import { createKey, publishKey } from '../../src/operations/keys/create-key.ts'
import { DEFAULT_SCOPES } from '../../src/api/http/keys/scopes.ts'
import { followKeys } from '../../src/api/http/keys/keyring.ts'
import { LIFECYCLE } from '../../src/domain/lifecycle/lifecycle.ts'
import type { KeyChanged, Tier } from '../../src/events/settings.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { type BoundQuery, type Store, StoreUnreachable } from '../../src/ports/store.ts'
import { channelLinks } from '../../src/state/settings/channel-links.ts'
import { sealing } from '../../src/state/settings/secrets.ts'
import { comparing } from '../../src/views/graph/compare.ts'
import { aReading } from './analyzed.ts'
import { axisVector } from './articles.ts'
import { aSummaryModel } from './summaries.ts'
import { anOutbound } from './webhooks.ts'

/** 3 May 2016, 12:00 UTC. */
export const A_NOON = Date.UTC(2016, 4, 3, 12)

/** What the API is given in place of Kafka and the registry. */
export const aLog = (options: MemoryLogOptions = {}): MemoryLog => new MemoryLog(options)
export const aCodec = (): PlainCodec => new PlainCodec()

export interface HandMovedClock extends Clock {
  /** Wakes who sleeps no longer, and waits until they have done what can be done without time. */
  advance(ms: number): Promise<void>
}

export function aHandMovedClock(start = A_NOON): HandMovedClock {
  let now = start
  const sleepers = new Map<() => void, number>()
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise<void>((resolve) => {
        const wake = (): void => {
          sleepers.delete(wake)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        sleepers.set(wake, now + ms)
        signal?.addEventListener('abort', wake)
        if (signal?.aborted) wake()
      }),
    advance: async (ms) => {
      now += ms
      for (const [wake, until] of sleepers) if (until <= now) wake()
      await settled()
    },
  }
}

/** Everything that waits for nothing but other code has run. */
export const settled = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}

type ApiRows = readonly unknown[] | ((params: Readonly<Record<string, unknown>>) => readonly unknown[])

/** The answer of a table of stored rows that was not filled yet: lists are computed from facts. */
const NOT_FILLED = [{ cluster_id: '' }]

/** A store that answers each query by its name with the rows a test gives, through the query's own row check. */
export class FakeStore implements Store {
  readonly queries: BoundQuery<unknown>[] = []
  readonly rows = new Map<string, ApiRows>([
    ['story_figures.outdated', NOT_FILLED],
    ['story_items.outdated', NOT_FILLED],
  ])
  away = false

  async query<Out>(query: BoundQuery<Out>): Promise<readonly Out[]> {
    if (this.away) throw new StoreUnreachable('connect ECONNREFUSED 127.0.0.1:8123: SELECT secret FROM table')
    this.queries.push(query)
    const rows = this.rows.get(query.name)
    if (rows === undefined) throw new Error(`the test gave no rows for ${query.name}`)
    return (typeof rows === 'function' ? rows(query.params) : rows).map((row) => query.parse(row))
  }
  async insert(): Promise<void> {
    await Promise.reject(new Error('the API writes to no table'))
  }
  async command(): Promise<void> {
    await Promise.reject(new Error('the API commands no table'))
  }
  async ping(): Promise<boolean> {
    return Promise.resolve(!this.away)
  }
  async close(): Promise<void> {
    await Promise.resolve()
  }
}

export interface TestApi {
  readonly app: AppApi
  readonly log: MemoryLog
  readonly codec: PlainCodec
  readonly store: FakeStore
  readonly clock: HandMovedClock
  /** One entry a log line of the API. */
  readonly lines: { readonly fields: unknown; readonly message: string }[]
  /** A key the API already knows. */
  key(over?: Partial<KeyChanged>): Promise<string>
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Response>
  post(path: string, body: unknown, key?: string): Promise<Response>
  stop(): Promise<void>
}

/** The API on a memory log, a fake store and a clock moved by hand; keys come to it as they do in production. */
export async function anApi(over: Partial<Dependencies> = {}): Promise<TestApi> {
  const [log, codec, store, clock] = [aLog(), aCodec(), new FakeStore(), aHandMovedClock()]
  const lines: TestApi['lines'] = []
  const write = (fields: unknown, message?: unknown): void =>
    void lines.push({ fields, message: typeof message === 'string' ? message : '' })
  const logger = { info: write, warn: write, error: write }
  const keys = followKeys({ log, codec, clock, logger })
  await settled()
  const used = {
    store: over.store ?? store,
    log: over.log ?? log,
    codec: over.codec ?? codec,
    clock: over.clock ?? clock,
  }
  const app = createApi({
    log,
    codec,
    store,
    clock,
    keys,
    logger,
    encoder: { sentences: (texts) => Promise.resolve(texts.map((_, i) => axisVector(i))) },
    crossEncoder: null,
    reading: () => Promise.resolve(aReading()),
    credibility: { domains: new Map(), names: new Map() },
    genres: readGenreModel(),
    summaryModel: aSummaryModel(),
    quality: {
      measured_at: '2016-05-01',
      models: ['encoder:words'],
      versions: { rules: 'clustered:1', weights: 'w' },
      sets: [{ name: 'stories/made-up.jsonl.gz', measure: 'b_cubed_f1', value: 0.9, n: 12 }],
    },
    lifecycle: LIFECYCLE,
    graph: graphBuilds({ ...used, memory: 200_000, compare: comparing(used.store) }),
    graphReads: 'answer',
    outbound: anOutbound(),
    webhooksPerNamespace: 1_000,
    monitorsPerNamespace: 10_000,
    feedFinder: {
      find: async (url) => ({ kind: 'feed', url }),
      test: async () => ({ kind: 'none', error: 'HTTP 404' }),
    },
    feedsPerNamespace: 2_000,
    webhookSeal: sealing(A_SECRET, 'webhooks'),
    monitorSeal: sealing(A_SECRET, 'monitors'),
    channelLinks: channelLinks(A_SECRET),
    publicUrl: 'https://news.example.com',
    sendsEmail: true,
    limits: LIMITS,
    cacheBytes: 0, // a test reads what it has just changed
    corsOrigins: [],
    version: '0.0.0',
    jobSecret: A_SECRET,
    ...over,
  })
  const auth = (key?: string): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` })

  return {
    ...{ app, log, codec, store, clock, lines },
    key: async (wish = {}) => {
      const tier: Tier = wish.tier ?? 'starter'
      const scopes = wish.curator === true ? [...DEFAULT_SCOPES, 'curate'] : DEFAULT_SCOPES
      const made = createKey({ tier, privateNamespace: null, scopes, name: '', expires_at: null }, clock.now())
      await publishKey({ ...made.event, ...wish }, { log, codec })
      await clock.advance(1_000)
      return made.key
    },
    get: async (path, key, headers = {}) => app.request(path, { headers: { ...auth(key), ...headers } }),
    post: async (path, body, key) =>
      app.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...auth(key) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    stop: () => keys.stop(),
  }
}

export const A_SECRET = 'a secret that every instance shares'

export const LIMITS = { starter: 120, professional: 1_200, enterprise: 12_000 }
