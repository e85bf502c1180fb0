import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describedRoutes } from '../../../src/api/described-routes.ts'
import { createKey, publishKey } from '../../../src/operations/keys/create-key.ts'
import { followKeys, type FollowingKeyring } from '../../../src/api/http/keys/keyring.ts'
import { apiDocument } from '../../../src/api/docs/openapi.ts'
import { systemClock } from '../../../src/adapters/clock.ts'
import { entityId } from '../../../src/events/ids.ts'
import { SHARED } from '../../../src/domain/intake/articles.ts'
import { A_NOON, aCodec, aHandMovedClock, aLog, anApi, LIMITS, type TestApi } from '../../builders/api.ts'
import { filled, operationsOf, withQuery, type Operation } from '../../builders/operations.ts'
import { A_WISH } from '../../builders/webhooks.ts'
import { aDeliveryOf, aMatchOf, aTenant, type Tenant } from './tenants.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

/**
 * Two private namespaces and the shared one, each with data of every kind: every route of the document is requested with every
 * kind of id, by its owner and by another tenant. A new route or kind of id without a value here fails.
 */
const operations = operationsOf(apiDocument(describedRoutes('0.0.0'), { version: '0.0.0', limits: LIMITS }))
const keyed = operations.filter(({ tier }) => tier !== 'open')
/** Streams do not end; they are tested separately below. */
const reads = keyed.filter(({ method, path }) => method === 'GET' && path !== '/v1/events')
const named = (some: readonly Operation[]) => some.map((operation) => [operation.name, operation] as const)

/** Routes whose responses contain no data of the namespace, at most counts. */
const OF_NOBODY = ['GET /v1/quality', 'GET /v1/pipeline']

interface IsolationWorld extends Tenant {
  readonly key: string
  readonly embedding: string
  readonly webhook: string
  readonly delivery: string
  readonly feed: string
  readonly monitor: string
  readonly channel: string
}

/** The value of a parameter in a request for data of this tenant. */
function valueOf(parameter: string, of: IsolationWorld): string {
  const name = `Ada ${of.word.charAt(0).toUpperCase()}${of.word.slice(1)}son`
  const values: Readonly<Record<string, string | undefined>> = {
    job_id: of.jobs[0],
    article_id: of.articles[0],
    embedding_id: of.embedding,
    cluster_id: of.stories[0],
    story_id: of.stories[0],
    correction_id: of.correction,
    entity_id: entityId('PERSON', name),
    entity_name: name,
    thread_id: of.thread,
    id: of.webhook,
    delivery_id: of.delivery,
    feed_id: of.feed,
    monitor_id: of.monitor,
    channel_id: of.channel,
    ids: of.stories.slice(0, 2).join(','),
    entity: name,
    query: name,
    topic: of.word,
    source: of.word,
  }
  const value = values[parameter]
  if (value === undefined) throw new Error(`{${parameter}} is a new kind of id: say what it is of a tenant`)
  return value
}

/** Unknown ids, of the same length and shape as real ones. */
const NOBODY: IsolationWorld = {
  ...{ namespace: 'nobody', word: 'xqzzyv', key: '' },
  articles: [`art_${'y'.repeat(26)}`, `art_${'z'.repeat(26)}`],
  stories: [`sto_${'y'.repeat(26)}`, `sto_${'z'.repeat(26)}`],
  jobs: ['01HZZZZZZZZZZZZZZZZZZZZZZZAAAAAAAAAAAAAAAA'],
  ...{ correction: `cor_${'z'.repeat(26)}`, thread: `thr_${'z'.repeat(26)}`, embedding: `emb_${'z'.repeat(26)}` },
  ...{ webhook: `whk_${'z'.repeat(16)}`, delivery: `dlv_${'z'.repeat(26)}`, feed: `fed_${'z'.repeat(16)}` },
  ...{ monitor: `mon_${'z'.repeat(16)}`, channel: `chn_${'z'.repeat(16)}` },
}

const A_CHANNEL = { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x' }

/** A parameter with an enum. */
const isWord = ({ schema }: Operation['parameters'][number]): boolean =>
  schema.type === 'string' && schema.enum === undefined && schema.format === undefined

/** Parameters without tenant data: positions in a list, or common names. */
const ABOUT_NOTHING = ['cursor', 'types', 'platform', 'languages']

const wordsOf = ({ parameters }: Operation): readonly string[] =>
  parameters
    .filter((one) => one.in === 'query' && isWord(one) && !ABOUT_NOTHING.includes(one.name))
    .map(({ name }) => name)

/** The URLs of a route for data of a tenant: at several points in time, and with each enum value. */
function addresses(operation: Operation, of: IsolationWorld): readonly string[] {
  const path = filled(operation.path, (parameter) => valueOf(parameter, of))
  const must = operation.parameters.filter((one) => one.in === 'query' && one.required === true)
  const given = Object.fromEntries(must.map(({ name }) => [name, valueOf(name, of)]))
  const moments = operation.parameters.some(({ name }) => name === 'as_of')
    ? [undefined, '2016-05-03T10:30:00Z']
    : [undefined]
  const words = wordsOf(operation).map((name) => ({ [name]: valueOf(name, of) }))
  const all = [...moments.map((as_of) => ({ as_of })), ...words].map((one) => withQuery(path, { ...given, ...one }))
  return [...new Set(all)]
}

const { store, writer } = viewsDatabase()
const [log, codec, clock] = [aLog(), aCodec(), aHandMovedClock()]
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
let keys: FollowingKeyring
/** One with a response cache, as in production, and one without. */
let keeping: TestApi
let plain: TestApi
let a: IsolationWorld
let b: IsolationWorld
let shared: IsolationWorld
/** The responses to `b` before `a` existed. */
const alone = new Map<string, string>()

interface RawAnswer {
  readonly status: number
  /** With the `Link` of a list. */
  readonly text: string
}

interface IsolatedRequest {
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function ask(
  api: TestApi,
  who: IsolationWorld,
  address: string,
  { headers, ...sent }: IsolatedRequest = {},
): Promise<RawAnswer> {
  const all = { authorization: `Bearer ${who.key}`, 'content-type': 'application/json', ...headers }
  const response = await api.app.request(address, { ...sent, headers: all })
  return { status: response.status, text: `${await response.text()}\n${response.headers.get('link') ?? ''}` }
}

const fieldsOf = ({ text }: RawAnswer): Readonly<Record<string, string | undefined>> =>
  JSON.parse(text.split('\n')[0] ?? '') as Record<string, string>

/** Without the requested ids: a problem may repeat them. */
const withoutRequestedIds = ({ status, text }: RawAnswer, of: IsolationWorld): RawAnswer => {
  const values = [
    'job_id',
    'article_id',
    'embedding_id',
    'correction_id',
    'entity_id',
    'thread_id',
    'id',
    'delivery_id',
    'feed_id',
    'monitor_id',
    'channel_id',
  ]
  const ids = [...values.map((parameter) => valueOf(parameter, of)), ...of.stories, ...of.articles]
  const said = [...ids, valueOf('entity_name', of), of.word]
  const forms = said.flatMap((one) => [one, encodeURIComponent(one), encodeURI(one)])
  const longestFirst = [...new Set(forms)].sort((x, y) => y.length - x.length)
  return { status, text: longestFirst.reduce((left, one) => left.replaceAll(one, '<it>'), text) }
}

/** Matches all data of a tenant: its word in names, titles, texts and URLs. */
function ownOf({ word, namespace, stories, articles, jobs, ...rest }: IsolationWorld): RegExp {
  const ids = [
    rest.correction,
    rest.thread,
    rest.embedding,
    rest.webhook,
    rest.delivery,
    rest.feed,
    rest.monitor,
    rest.channel,
  ]
  const name = namespace === SHARED ? [] : [namespace] // `shared_entities` is not a leak
  return new RegExp([word, ...name, ...stories, ...articles, ...jobs, ...ids].join('|'), 'i')
}

let loggedAt = 0
const into = () => ({ writer, store, api: { log, codec }, loggedAt: (loggedAt ||= systemClock.now()) })

async function aWorld(namespace: string, word: string): Promise<IsolationWorld> {
  const made = createKey(
    {
      tier: 'enterprise',
      privateNamespace: namespace,
      scopes: ['read', 'write', 'curate', 'sources'],
      name: word,
      expires_at: null,
    },
    A_NOON,
  )
  await publishKey(made.event, { log, codec })
  await clock.advance(1_000)
  const world = { ...NOBODY, ...(await aTenant(namespace, word, into())), key: made.key }
  const article = await ask(plain, world, `/layer0/v1/article/${world.articles[0] ?? ''}`)
  const wish = { ...A_WISH, url: `https://example.com/${word}`, description: `of ${word}` }
  const hook = await ask(plain, world, '/v1/webhooks', { method: 'POST', body: JSON.stringify(wish) })
  const webhook = fieldsOf(hook)['id'] ?? ''
  const offset = log.records('webhooks.delivered').length
  const delivery = await aDeliveryOf(world, webhook, { ...into(), offset })
  const watched = { url: `https://example.com/${word}/rss.xml`, source: word }
  const feed = await ask(plain, world, '/v1/feeds', { method: 'POST', body: JSON.stringify(watched) })
  const ids = { embedding: fieldsOf(article)['embedding_id'] ?? '', feed: fieldsOf(feed)['id'] ?? '' }
  return { ...world, ...ids, webhook, delivery, ...(await aMonitorOf(world)) }
}

/** A monitor with a channel and a match. */
async function aMonitorOf(world: IsolationWorld): Promise<Pick<IsolationWorld, 'monitor' | 'channel'>> {
  const wish = { name: `of ${world.word}`, conditions: { query: world.word }, channels: [A_CHANNEL] }
  const made = await ask(plain, world, '/v1/monitors', { method: 'POST', body: JSON.stringify(wish) })
  const monitor = fieldsOf(made)['id'] ?? ''
  await aMatchOf(world, monitor, into())
  return { monitor, channel: /chn_\w{16}/.exec(made.text)?.[0] ?? '' }
}

beforeAll(async () => {
  keys = followKeys({ log, codec, clock, logger: silent })
  const limits = { starter: 1e6, professional: 1e6, enterprise: 1e6 }
  plain = await anApi({ store, log, codec, keys, limits })
  keeping = await anApi({ store, log, codec, keys, limits, cacheBytes: 64 * 1024 * 1024 })
  shared = await aWorld(SHARED, 'wombat')
  b = await aWorld(aNamespace(), 'narwhal')
  for (const operation of reads) {
    for (const address of addresses(operation, b)) alone.set(address, (await ask(plain, b, address)).text)
  }
  a = await aWorld(aNamespace(), 'quokka')
})
afterAll(async () => {
  await Promise.all([plain.stop(), keeping.stop(), keys.stop()])
})

describe('data of a tenant', () => {
  it.each(named(reads))('%s returns it to its owner (a precondition of the other tests)', async (_, operation) => {
    const [address = ''] = addresses(operation, a)
    const { status, text } = await ask(plain, a, address)

    expect({ address, status }).toEqual({ address, status: 200 })
    if (OF_NOBODY.includes(operation.name)) expect(text).not.toMatch(ownOf(a))
    else expect(text).toMatch(operation.path.endsWith('/graph/stats') ? /"total_relationships":[1-9]|[1-9]/ : ownOf(a))
  })

  it.each(named(reads))(
    '%s returns the same to another tenant as without that data, also from the response cache',
    async (_, operation) => {
      for (const address of addresses(operation, b)) {
        await ask(keeping, a, address) // its cached response must not be returned to others
        for (const moment of ['made', 'kept']) {
          const { text } = await ask(keeping, b, address)
          expect({ address, moment, text }).toEqual({ address, moment, text: alone.get(address) })
        }
      }
    },
  )

  it.each(named(reads))('%s never returns data of other tenants', async (_, operation) => {
    const answers = addresses(operation, b).map((address) => [b, alone.get(address) ?? ''] as const)
    for (const who of [a, shared]) {
      for (const address of addresses(operation, who)) answers.push([who, (await ask(plain, who, address)).text])
    }
    for (const [who, text] of answers) {
      for (const other of [a, b, shared].filter((one) => one !== who)) expect(text).not.toMatch(ownOf(other))
    }
  })
})

describe('requests by another tenant', () => {
  it.each(named(reads))('%s responds as for an unknown id', async (_, operation) => {
    const [theirs, nobodys] = [addresses(operation, a), addresses(operation, NOBODY)]
    for (const [i, address] of theirs.entries()) {
      if (address === nobodys[i]) continue // it contains no id of a tenant
      await ask(keeping, a, address)
      for (const who of i === 0 ? [b, shared] : [b]) {
        const nothing = withoutRequestedIds(await ask(plain, who, nobodys[i] ?? ''), NOBODY)
        expect({ address, ...withoutRequestedIds(await ask(keeping, who, address), a) }).toEqual({
          address,
          ...nothing,
        })
      }
    }
  })

  it.each(named(reads.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'))))(
    '%s does not apply the cursor of another tenant',
    async (_, operation) => {
      const [address = ''] = addresses(operation, a)
      const page = await ask(plain, a, withQuery(address, { limit: '1' }))
      const cursor = fieldsOf(page)['next_cursor']
      if (typeof cursor !== 'string') return
      const [own = ''] = addresses(operation, b)
      const { text } = await ask(plain, b, withQuery(own, { limit: '1', cursor }))
      expect(text).not.toMatch(ownOf(a))
    },
  )
})

/** Bodies with ids of another tenant; the path has the caller's own ids where possible. */
const BODIES: Readonly<Record<string, (of: IsolationWorld) => readonly unknown[]>> = {
  'POST /layer0/v1/process': () => [],
  'POST /layer0/v1/process/batch': () => [],
  'POST /layer1/v1/process': (of) => [
    { article_id: of.articles[0], content: 'Nobody said anything in Oslo on Monday, and it was said twice.' },
  ],
  'POST /layer1/v1/process/batch': (of) => [
    { articles: [{ article_id: of.articles[1], content: 'Nobody said anything in Oslo on Monday, and twice.' }] },
  ],
  'POST /v1/clusters/{cluster_id}/corrections': (of) => [
    { action: 'merge', other_cluster_id: of.stories[0] },
    { action: 'keep_apart', other_cluster_id: of.stories[0] },
    { action: 'move', article_id: of.articles[0], to_cluster_id: of.stories[1] },
    { action: 'split', article_ids: [of.articles[0]] },
  ],
  'POST /v1/feeds': () => [],
  'POST /v1/feeds/test': () => [],
  'PATCH /v1/feeds/{feed_id}': () => [{ status: 'paused' }],
  'POST /v1/monitors': () => [],
  'POST /v1/monitors/test': () => [{ conditions: { min_origins: 1 } }],
  'PATCH /v1/monitors/{monitor_id}': () => [{ name: 'mine now' }],
  'POST /v1/monitors/{monitor_id}/channels': () => [A_CHANNEL],
  'PATCH /v1/monitors/{monitor_id}/channels/{channel_id}': () => [{ status: 'active' }],
  'POST /v1/webhooks': () => [],
  'PATCH /v1/webhooks/{id}': () => [{ description: 'mine now' }],
  'POST /v1/webhooks/{id}/rotate': () => [{}],
}

describe('writes by another tenant', () => {
  /** The owner's responses before. */
  const before = new Map<string, RawAnswer>()
  beforeAll(async () => {
    for (const operation of reads) {
      const [address = ''] = addresses(operation, a)
      before.set(address, await ask(plain, a, address))
    }
  })

  const writes = keyed.filter(({ method, path }) => method !== 'GET' && path !== '/layer3/v1/graph/build')
  const bodies = (operation: Operation, of: IsolationWorld): readonly unknown[] => {
    if (!operation.takesBody) return [undefined]
    const made = BODIES[operation.name]
    if (made === undefined) throw new Error(`${operation.name} takes a body: say which ids it may name`)
    return made(of)
  }
  const write = async (operation: Operation, path: IsolationWorld, body: unknown): Promise<RawAnswer> => {
    const address = filled(operation.path, (parameter) => valueOf(parameter, path))
    const sent = { method: operation.method, ...(body !== undefined && { body: JSON.stringify(body) }) }
    return ask(plain, b, address, sent)
  }
  /** Without ids and times that differ each time. */
  const timeless = ({ status, text }: RawAnswer): RawAnswer => ({
    status,
    text: text.replace(/"(processing_time_ms|instance)":[^,}]*/g, '').replaceAll(/cor_\w{26}/g, '<new>'),
  })

  it.each(named(writes.filter(({ path }) => path.includes('{'))))(
    '%s to an id of another tenant responds as for an unknown id',
    async (_, operation) => {
      for (const [i, body] of bodies(operation, a).entries()) {
        const nothing = await write(operation, NOBODY, bodies(operation, NOBODY)[i])
        expect(withoutRequestedIds(await write(operation, a, body), a)).toEqual(withoutRequestedIds(nothing, NOBODY))
        expect(nothing.status).toBe(404)
      }
    },
  )

  it.each(named(writes.filter(({ takesBody }) => takesBody)))(
    '%s with ids of another tenant in the body responds as for unknown ids',
    async (_, operation) => {
      for (const [i, body] of bodies(operation, a).entries()) {
        const other = bodies(operation, NOBODY)[i]
        if (JSON.stringify(body) === JSON.stringify(other)) continue // it contains no id of a tenant
        const nothing = await write(operation, b, other)
        const theirs = await write(operation, b, body)
        expect(timeless(withoutRequestedIds(theirs, a))).toEqual(timeless(withoutRequestedIds(nothing, NOBODY)))
      }
    },
  )

  it('the same Idempotency-Key of two tenants is independent', async () => {
    const text = 'The mayor of Oslo opened a bridge on Monday, and everybody was there to see it open. '.repeat(3)
    const headers = { 'idempotency-key': 'the same for both' }
    const submit = (who: IsolationWorld, given: string) =>
      ask(plain, who, '/layer0/v1/process', { method: 'POST', headers, body: JSON.stringify({ text: given }) })
    const [first, second, other] = [await submit(a, text), await submit(b, text), await submit(b, `${text} More.`)]

    expect([first.status, second.status, other.status]).toEqual([202, 202, 422])
    const job = (said: RawAnswer) => fieldsOf(said)['job_id'] ?? 'none'
    expect(job(second)).not.toBe(job(first))
    expect((await ask(plain, b, `/layer0/v1/status/${job(first)}`)).status).toBe(404)
    expect((await ask(plain, b, `/layer0/v1/status/${job(second)}`)).status).toBe(200)
  })

  it.each(named(reads))('%s returns the same to its owner afterwards', async (_, operation) => {
    const [address = ''] = addresses(operation, a)
    expect(await ask(plain, a, address)).toEqual(before.get(address))
  })
})

describe('the stream', () => {
  it('GET /v1/events sends each tenant only its own changes', async () => {
    const open = async (cursor: string | undefined) =>
      plain.app.request(withQuery('/v1/events', { cursor }), { headers: { authorization: `Bearer ${b.key}` } })
    const cursorOf = async (who: IsolationWorld) =>
      fieldsOf(await ask(plain, who, '/v1/changes?limit=1'))['next_cursor']
    expect((await open(await cursorOf(a))).status).toBe(422) // the cursor belongs to another feed

    const response = await open(await cursorOf(b))
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    let seen = ''
    while (!seen.includes(b.stories[2] ?? '')) {
      const chunk: unknown = (await reader?.read())?.value
      seen += chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : ''
    }
    await reader?.cancel()

    expect(seen.split('event: cluster.grown')).toHaveLength(b.stories.length) // the first was polled
    for (const other of [a, shared]) expect(seen).not.toMatch(ownOf(other))
  })
})
