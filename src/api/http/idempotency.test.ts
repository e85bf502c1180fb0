import { EventEmitter, once } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { aLog, anApi, FakeStore, type TestApi } from '../../../test/builders/api.ts'
import { A_REPORT } from '../../../test/builders/articles.ts'
import { articlesIngested, type ArticleIngested } from '../../events/articles.ts'
import type { Dependencies } from './dependencies.ts'
import { keyedRequest, IdempotencyKeys, type First } from './idempotency.ts'

const HOUR_MS = 3_600_000
const ONE = '/layer0/v1/process'
const MANY = '/layer0/v1/process/batch'

/** Keys that every instance knows. */
const CALLERS = new Map(
  [
    { key_id: 'key_a', namespace: 'shared', owner: 'key_a' },
    { key_id: 'key_a2', namespace: 'shared', owner: 'key_a' },
    { key_id: 'key_b', namespace: 'shared', owner: 'key_b' },
    { key_id: 'key_c', namespace: 'acme', owner: 'key_c' },
  ].map((caller) => [caller.key_id, { ...caller, tier: 'starter', scopes: ['read', 'write'] } as const]),
)
const keys: Dependencies['keys'] = { find: (key) => CALLERS.get(key) ?? null, notReady: () => null }

let log: ReturnType<typeof aLog>
let store: FakeStore
let api: TestApi

beforeEach(async () => {
  log = aLog()
  store = new FakeStore()
  store.rows.set('jobs.submissions', [])
  api = await anApi({ keys, log, store })
})

const another = (): Promise<TestApi> => anApi({ keys, log, store })

async function events(): Promise<readonly ArticleIngested[]> {
  return Promise.all(
    log.records(articlesIngested.name).map(async ({ value }) => {
      const decoded = await api.codec.decode(articlesIngested, value ?? Buffer.alloc(0))
      if (decoded.kind === 'malformed') throw new Error(decoded.reason)
      return decoded.event
    }),
  )
}

const VIEW = 'view:jobs'

/** Lets the view catch up: it returns what is in the log now, by key. */
async function viewCatchesUp(most = Infinity): Promise<void> {
  const all = (await events()).slice(0, most)
  for (const [partition, offset] of (await log.ends(articlesIngested.name)).entries())
    log.commit(VIEW, { topic: articlesIngested.name, partition, offset }, null)
  store.rows.set('jobs.submissions', ({ key_hash }) =>
    all
      .flatMap(({ job_id, request }) => (request === null ? [] : [{ job_id, ...request }]))
      .filter((row) => row.key_hash === key_hash)
      .map(({ job_id, body_hash }) => ({ job_id, body_hash })),
  )
}

interface Sending {
  readonly path?: string
  readonly caller?: string
  readonly to?: TestApi
}

async function send(key: string, body: unknown, { path = ONE, caller = 'key_a', to = api }: Sending = {}) {
  const response = await to.app.request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const article = { text: A_REPORT, metadata: { url: 'https://www.example.com/a' } }
const REUSED = { status: 422, body: { code: 'idempotency_key_reused', status: 422 } }

describe('the same key with the same request', () => {
  it('gives the same answer and goes to the log once', async () => {
    const first = await send('k', article)
    const again = await send('k', article)

    expect(first.status).toBe(202)
    expect(again).toEqual(first)
    expect(await events()).toHaveLength(1)
  })

  it('is the same request when only ignored fields differ', async () => {
    const first = await send('k', article)

    expect(await send('k', { note: 'again', ...article })).toEqual(first)
  })

  it('asked at once shares one submission', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('k', article)))

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await events()).toHaveLength(1)
  })

  it('with the key that was rotated from the first is still one submission, here and elsewhere', async () => {
    const first = await send('k', article)
    const here = await send('k', article, { caller: 'key_a2' })
    await viewCatchesUp()

    expect([here, await send('k', article, { caller: 'key_a2', to: await another() })]).toEqual([first, first])
    expect(await events()).toHaveLength(1)
  })

  it('on another instance, or after a restart, gives the same answer too', async () => {
    const first = await send('k', article)
    await viewCatchesUp()
    const other = await another()

    expect(await send('k', article, { to: other })).toEqual(first)
    expect(await events()).toHaveLength(1)
  })

  it('as a batch gets the ids of its refused items again as well', async () => {
    const articles = [{ text: 'short' }, article, { text: A_REPORT, metadata: { url: 'nowhere' } }]
    const first = await send('k', { articles }, { path: MANY })
    await viewCatchesUp()
    const other = await another()

    expect(first).toMatchObject({ status: 202, body: { total: 3 } })
    expect(await send('k', { articles }, { path: MANY, to: other })).toEqual(first)
    expect(await events()).toHaveLength(1)
  })

  it('fills up what an append that broke half way has left out', async () => {
    const articles = [0, 1, 2].map((i) => ({ text: `${A_REPORT} ${i}` }))
    const first = await send('k', { articles }, { path: MANY })
    await viewCatchesUp(2)
    const other = await another()

    expect(await send('k', { articles }, { path: MANY, to: other })).toEqual(first)
    const [one, two, three, again] = await events()
    expect(again).toEqual(three)
    expect(new Set([one, two, three].map((event) => event?.event_id)).size).toBe(3)
  })

  it('after a submission that failed is the same events again', async () => {
    const broken = { produce: () => Promise.reject(new Error('half of it was written')) }
    let away = true
    const produce = log.produce.bind(log)
    log.produce = async (records) => {
      const loggedAt = await produce(records)
      if (away) await broken.produce()
      return loggedAt
    }

    expect((await send('k', article)).status).toBe(503)
    await api.clock.advance(5_000)
    away = false
    expect((await send('k', article)).status).toBe(202)
    const [before, after] = await events()
    expect(after).toEqual(before)
  })

  it('is forgotten after 24 hours', async () => {
    const first = await send('k', article)
    await viewCatchesUp()
    await api.clock.advance(24 * HOUR_MS - 1)
    const late = await send('k', article)
    await api.clock.advance(1)
    const later = await send('k', article)

    expect(late).toEqual(first)
    expect(later.status).toBe(202)
    expect(later.body['job_id']).not.toBe(first.body['job_id'])
    expect(later.body['article_id']).toBe(first.body['article_id'])
  })

  it('with the view away is 503, and the key stays free', async () => {
    store.away = true
    const refused = await send('k', article)
    store.away = false

    expect(refused.status).toBe(503)
    expect(await send('k', { text: `${A_REPORT} More.` })).toMatchObject({ status: 202 })
  })
})

describe('an instance that starts while the view is behind', () => {
  let first: Awaited<ReturnType<typeof send>>
  let late: TestApi

  beforeEach(async () => {
    first = await send('k', article)
    late = await another()
  })

  it('waits for what the log held, and gives the first answer', async () => {
    const pending = [send('k', article, { to: late }), send('k', article, { to: late })]
    await late.clock.advance(1_000)
    await viewCatchesUp()
    await late.clock.advance(1_000)

    expect(await Promise.all(pending)).toEqual([first, first])
    expect(await events()).toHaveLength(1)
  })

  it('submits nothing when that takes too long: 503, and the key stays as it was', async () => {
    const pending = send('k', article, { to: late })
    for (let second = 0; second < 6; second++) await late.clock.advance(1_000)

    expect(await pending).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await events()).toHaveLength(1)
    await viewCatchesUp()
    expect(await send('k', article, { to: late })).toEqual(first)
  })

  it('does not wait for what came later, nor for markers that no reader sees', async () => {
    await viewCatchesUp()
    const writer = await log.writer('a foreign producer')
    const [record] = log.records(articlesIngested.name)
    if (record === undefined) throw new Error('the log is empty')
    await writer.write([{ ...record, value: null }], { group: 'its own', next: [] })
    log.commit(VIEW, { topic: articlesIngested.name, partition: 0, offset: 2 }, null)
    const pending = send('k', article, { to: late })
    for (let second = 0; second < 6; second++) await late.clock.advance(1_000)

    expect(await pending).toEqual(first)
    await log.produce([{ topic: articlesIngested.name, key: null, value: null }])
    expect((await send('another', article, { to: late })).status).toBe(202)
  })
})

describe('the same key with another request', () => {
  it('is 422: another body, another path', async () => {
    await send('k', article)

    expect(await send('k', { ...article, text: `${A_REPORT} More.` })).toMatchObject(REUSED)
    expect(await send('k', { articles: [article] }, { path: MANY })).toMatchObject(REUSED)
    expect(await events()).toHaveLength(1)
  })

  it('on another instance is 422 as well', async () => {
    await send('k', article)
    await viewCatchesUp()

    expect(await send('k', { text: `${A_REPORT} More.` }, { to: await another() })).toMatchObject(REUSED)
  })

  it('is another key in another namespace or with another API key', async () => {
    const answers = [
      await send('k', article),
      await send('k', { text: `${A_REPORT} More.` }, { caller: 'key_b' }),
      await send('k', { text: `${A_REPORT} Most.` }, { caller: 'key_c' }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  })

  it('is fine when the first was refused: a 422 consumes no key', async () => {
    expect((await send('k', { text: 'short' })).status).toBe(422)
    expect((await send('k', article)).status).toBe(202)
  })
})

describe('the key itself', () => {
  it.each(['', 'x'.repeat(256), 'naïve', 'a\tb'])('%j is refused by name', async (key) => {
    expect(await send(key, article)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ path: 'Idempotency-Key' }] },
    })
  })

  it.each(['x', 'x'.repeat(255), '"0f8fad5b-d9cb"', 'two words ~'])('%j is good', async (key) => {
    expect((await send(key, article)).status).toBe(202)
  })

  it('stands in no log, only its hash does', async () => {
    await send('a key that is secret', article)
    const [event] = await events()

    expect(event?.request?.key_hash).toMatch(/^[0-9a-f]{32}$/)
    expect(event?.request?.body_hash).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify([event, api.lines])).not.toContain('a key that is secret')
  })
})

describe('what is read in the log', () => {
  const caller = {
    key_id: 'key_a',
    namespace: 'shared',
    tier: 'starter',
    scopes: ['read', 'write'],
    owner: 'me',
  } as const
  const given = { key: '1', path: ONE, body: article, now: 0 }

  it('tells neither key nor body to who can guess them but has not the secret', () => {
    const ours = keyedRequest(caller, given, 'a secret of the service')

    expect(keyedRequest(caller, given, 'a secret of the service')).toEqual(ours)
    const guessed = keyedRequest(caller, given, 'another secret')
    expect(guessed.key_hash).not.toBe(ours.key_hash)
    expect(guessed.body_hash).not.toBe(ours.body_hash)
  })
})

describe('the keys remembered', () => {
  const pending = (owner: string, key_hash: string) => ({
    namespace: 'shared',
    owner,
    key_hash,
    body_hash: 'b',
    now: 0,
  })
  /** Submits nothing; returns the logged jobs of the first request. */
  const logged = (first: First) => Promise.resolve(first.logged)
  const submitted: First['logged'] = new Set()
  const TWO_OF_EACH = { ofOwner: 2, inAll: 1_000, idleMs: 3_600_000 }

  it('are so many of each caller, whatever another caller sends', async () => {
    const keys = new IdempotencyKeys<First['logged']>(() => Promise.resolve(null), TWO_OF_EACH)
    for (const key_hash of ['1', '2', '3']) await keys.once(pending('key_a', key_hash), logged)
    for (const key_hash of ['4', '5', '6', '7']) await keys.once(pending('key_b', key_hash), logged)

    expect(await keys.once(pending('key_a', '3'), logged)).toBe('all')
    expect(await keys.once(pending('key_a', '2'), logged)).toBe('all')
    expect(await keys.once(pending('key_a', '1'), logged)).toEqual(submitted)
  })

  it('are not forgotten while they are being submitted', async () => {
    const keys = new IdempotencyKeys<First['logged']>(() => Promise.resolve(null), TWO_OF_EACH)
    const end = new EventEmitter()
    const slow = keys.once(pending('key_a', 'slow'), async () => {
      await once(end, 'end')
      return 'all'
    })
    for (const key_hash of ['1', '2', '3']) await keys.once(pending('key_a', key_hash), logged)
    const shared = keys.once(pending('key_a', 'slow'), logged)
    end.emit('end')

    expect(await Promise.all([slow, shared])).toEqual(['all', 'all'])
  })
})
