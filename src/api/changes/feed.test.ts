import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { A_NOON, aCodec, aHandMovedClock, aLog, FakeStore, LIMITS } from '../../../test/builders/api.ts'
import {
  aPublished,
  FeedStore,
  idsIn,
  listen,
  publish,
  systemClock,
  viewReads,
  type Client,
} from '../../../test/builders/feed.ts'
import { soon } from '../../../test/builders/soon.ts'
import { changesPublished } from '../../events/changes.ts'
import { writeCursor } from '../../views/changes/position.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { stubDependencies } from '../described-routes.ts'
import type { Caller } from '../http/keys/caller.ts'
import { serveApi } from '../app.ts'
import type { ServedApi } from '../http/serve.ts'

const caller = (over: Partial<Caller> = {}): Caller => ({
  ...{ key_id: 'k', tier: 'professional', namespace: 'shared', scopes: ['read', 'write'], owner: 'me' },
  ...over,
})

const log = aLog({ now: () => A_NOON })
let store: FeedStore
let callers: Map<string, Caller>
let lines: string[]
let dropped: number
let running: ServedApi[]
let clients: Client[]
let offset0 = 0

async function start(over: Partial<Dependencies> = {}): Promise<string> {
  const write = (_: unknown, message?: unknown): void => void lines.push(String(message))
  const served = await serveApi(
    {
      ...stubDependencies('0.0.0'),
      ...{ log, codec: aCodec(), store, clock: systemClock, limits: LIMITS },
      keys: { find: (key) => callers.get(key) ?? null, notReady: () => null },
      logger: { info: write, warn: write, error: write },
      onSlowReader: () => dropped++,
      ...over,
    },
    { host: '127.0.0.1', port: 0 },
  )
  running.push(served)
  return served.url
}

const hear = async (url: string, key = 'pro', lastId: string | null = null): Promise<Client> => {
  const client = await listen(url, key, lastId)
  clients.push(client)
  await vi.waitFor(() => expect(client.lastId).not.toBeNull(), soon)
  return client
}
const get = async (url: string, key = 'pro', headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers } })
  return { status: response.status, headers: response.headers, body: (await response.json()) as FeedAnswer }
}
interface FeedAnswer {
  readonly changes: { readonly id: string; readonly type: string }[]
  readonly next_cursor: string
  readonly has_more: boolean
  readonly code?: string
  readonly detail?: string
}
const untilHeard = async (client: Client, ids: readonly string[]) => {
  await vi.waitFor(() => expect(idsIn(client)).toEqual(ids), soon)
}
/** The in-memory log is shared by all tests: each starts after the existing records, with a view that has them. */
const stories = (name: string, many: number) => Array.from({ length: many }, (_, i) => aPublished(name, i))
const names = (name: string, many: number) => Array.from({ length: many }, (_, i) => `shared ${name} ${i}`)

beforeEach(async () => {
  store = new FeedStore()
  callers = new Map([
    ['pro', caller()],
    ['rival', caller({ key_id: 'r', owner: 'rival' })],
    ['starter', caller({ key_id: 's', tier: 'starter' })],
    ['theirs', caller({ key_id: 't', namespace: 'theirs' })],
  ])
  ;[lines, dropped, running, clients] = [[], 0, [], []]
  await viewReads(log, store)
  offset0 = log.records(changesPublished.name).length
})
afterEach(async () => {
  for (const client of clients) client.leave()
  await Promise.all(running.map((served) => served.stop()))
})

describe('GET /v1/events', () => {
  it('tells what happens from now on, to who may know it, in the words of the feed', async () => {
    const url = await start()
    await publish(log, [aPublished('before', 0)])
    const [ours, theirs] = [await hear(`${url}/v1/events`), await hear(`${url}/v1/events`, 'theirs')]
    await publish(log, [aPublished('x', 1), aPublished('x', 2, { namespace: 'theirs' })])

    await untilHeard(ours, ['shared x 1'])
    await untilHeard(theirs, ['theirs x 2'])
    expect(ours.events[0]?.event).toBe('cluster.grown')
    expect(JSON.parse(ours.events[0]?.data ?? '')).toEqual({
      ...{ id: 'shared x 1', type: 'cluster.grown', occurred_at: '2016-05-03T12:00:00.001Z' },
      data: JSON.parse(aPublished('x', 1).data) as unknown,
    })
    expect(Object.fromEntries(ours.response.headers)).toMatchObject({
      ...{ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      ratelimit: expect.stringContaining('r=1199') as string,
    })
    expect(ours.response.headers.has('content-encoding')).toBe(false)
  })

  it('goes on behind the last id wherever the client was cut off, after a restart and while the view is behind too', async () => {
    const url = await start()
    const first = await hear(`${url}/v1/events`)
    await publish(log, stories('cut', 3))
    await untilHeard(first, names('cut', 3))
    first.leave()
    await running[0]?.stop()
    await publish(log, stories('gone', 1_000))
    await viewReads(log, store, offset0 + 400)

    const again = await hear(`${await start()}/v1/events`, 'pro', first.events[1]?.id)

    await untilHeard(again, ['shared cut 2', ...names('gone', 1_000)])
    again.leave()
  })

  it('gives what is for one owner to its keys only, and to all keys of a private namespace', async () => {
    const url = await start()
    const [mine, rival] = [await hear(`${url}/v1/events`), await hear(`${url}/v1/events`, 'rival')]
    const theirs = await hear(`${url}/v1/events`, 'theirs')
    const own = { owner: 'me', type: 'monitor.matched' } as const
    await publish(log, [aPublished('own', 1, own), aPublished('own', 2, { ...own, namespace: 'theirs' })])
    await publish(log, [aPublished('own', 3)])

    await untilHeard(mine, ['shared own 1', 'shared own 3'])
    await untilHeard(rival, ['shared own 3'])
    await untilHeard(theirs, ['theirs own 2'])
    expect(rival.events[0]?.data).not.toContain('"owner"')
  })

  it('gives only the types that are asked for, and Echo to no starter', async () => {
    const url = await start()
    const some = await hear(`${url}/v1/events?types=trend.detected,cluster.merged`)
    const starter = await hear(`${url}/v1/events`, 'starter')
    await publish(log, [
      aPublished('t', 1),
      aPublished('t', 2, { type: 'story.enriched' }),
      aPublished('t', 3, { type: 'trend.detected' }),
    ])

    await untilHeard(some, ['shared t 3'])
    await untilHeard(starter, ['shared t 1', 'shared t 3'])
  })

  it('refuses before it begins', async () => {
    const url = `${await start()}/v1/events`
    const foreign = writeCursor({ after: 1, partition: 0, had: systemClock.now() }, 'theirs')

    expect(await get(url, 'nobody')).toMatchObject({ status: 401 })
    expect(await get(`${url}?types=story.enriched`, 'starter')).toMatchObject({
      ...{ status: 403, body: { code: 'tier_restricted' } },
    })
    const late = writeCursor({ after: 1, partition: 0, had: systemClock.now() - 31 * 86_400_000 }, 'shared')
    const expired = await get(url, 'pro', { 'last-event-id': late })
    expect(expired).toMatchObject({ status: 410, body: { code: 'cursor_expired' } })
    expect(expired.body.detail).toContain('start again without a cursor')
    const strange = await get(url, 'pro', { 'last-event-id': foreign })
    expect(strange).toMatchObject({ status: 422, body: { errors: [{ path: 'Last-Event-ID' }] } })
    expect(await get(`${url}?cursor=nonsense`)).toMatchObject({ status: 422, body: { errors: [{ path: 'cursor' }] } })
    const unknown = await get(`${url}?types=cluster.grown,story.sung`)
    expect(unknown.status).toBe(422)
    expect(unknown.body.detail).toContain('article.scored')
  })

  it('gives a key so many streams and no more, and a place again when one leaves', async () => {
    const url = `${await start()}/v1/events`
    const five = await Promise.all(Array.from({ length: 5 }, () => hear(url, 'starter')))

    const refused = await get(url, 'starter')
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers.get('retry-after')).toBe('5')
    five[0]?.leave()
    await vi.waitFor(async () => {
      const sixth = await listen(url, 'starter')
      clients.push(sixth)
      expect(sixth.response.status).toBe(200)
    }, soon)
  })

  it('says 503 where the log is away at the beginning, and goes on where it comes back', async () => {
    let away = true
    const failing = () => Promise.reject(new Error('the log is away'))
    const url = await start({
      log: { ...logPorts, ends: async (topic) => (away ? failing() : log.ends(topic)) },
    })
    expect(await get(`${url}/v1/events`)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    away = false
    const client = await vi.waitFor(async () => {
      const opened = await listen(`${url}/v1/events`, 'pro')
      clients.push(opened)
      expect(opened.response.status).toBe(200)
      return opened
    }, soon)
    away = true
    await publish(log, stories('away', 2))
    await vi.waitFor(() => expect(lines.filter((line) => line === 'feed_not_readable')).toHaveLength(2), soon)
    away = false

    await untilHeard(client, names('away', 2))
  })

  it('ends all streams with a word when the process stops, at once', async () => {
    const client = await hear(`${await start()}/v1/events`)
    const begun = performance.now()
    await running[0]?.stop()
    await client.ended

    expect(performance.now() - begun).toBeLessThan(3_000)
    expect(client.comments).toEqual(['going down: come again'])
  })

  it('ends the streams of a key within five seconds of its revocation', async () => {
    const client = await hear(`${await start()}/v1/events`, 'starter')
    callers.delete('starter')
    const begun = performance.now()
    await client.ended

    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(client.comments).toEqual(['the key has ended'])
  })

  it('says something every 15 seconds of silence, with an id that is not older', async () => {
    const clock = aHandMovedClock()
    const client = await hear(`${await start({ clock })}/v1/events`)
    const first = client.lastId
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect(client.comments).toEqual(['still here'])
    }, soon)

    expect(client.lastId).not.toBe(first)
    expect(clock.now() - A_NOON).toBeGreaterThanOrEqual(15_000)
  })

  it('drops a client that takes nothing for half a minute, and holds no more than a page for it', async () => {
    const clock = aHandMovedClock()
    const url = await start({ clock })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('GET /v1/events HTTP/1.1\r\nhost: a\r\nauthorization: Bearer pro\r\n\r\n')
    await new Promise((resolve) => socket.once('readable', resolve)) // the client reads nothing after this
    const data = JSON.stringify({ text: 'x'.repeat(40_000) })
    await publish(
      log,
      Array.from({ length: 600 }, (_, i) => aPublished('large', i, { data })),
    ) // 24 MB
    const before = process.memoryUsage().arrayBuffers
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect(dropped).toBe(1)
    }, soon)

    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000)
    expect(lines).toContain('slow_reader_dropped')
    socket.destroy()
  })

  it('answers HEAD without a stream', async () => {
    const url = `${await start()}/v1/events`
    for (let i = 0; i < 8; i++) {
      const response = await fetch(url, { method: 'HEAD', headers: { authorization: 'Bearer starter' } })
      expect(response.status).toBe(200)
    }
  })
})

const logPorts = {
  produce: (records: Parameters<typeof log.produce>[0]) => log.produce(records),
  committed: (group: string, topic: string) => log.committed(group, topic),
  read: (topic: string, partition: number, from: number) => log.read(topic, partition, from),
  partitionOf: (key: string, partitions: number) => log.partitionOf(key, partitions),
}

describe('GET /v1/changes', () => {
  it('pages through what is kept and goes on from its cursor for ever', async () => {
    const url = `${await start({ clock: aHandMovedClock() })}/v1/changes`
    await publish(log, stories('page', 5))
    await viewReads(log, store)
    const newest = writeCursor({ after: offset0 - 1, partition: 0, had: A_NOON }, 'shared')

    const first = await get(`${url}?limit=3&cursor=${newest}`)
    const second = await get(`${url}?limit=3&cursor=${first.body.next_cursor}`)
    const third = await get(`${url}?limit=3&cursor=${second.body.next_cursor}`)

    const ids = ({ body }: typeof first) => [body.changes.map(({ id }) => id), body.has_more]
    expect(ids(first)).toEqual([names('page', 5).slice(0, 3), true])
    expect(ids(second)).toEqual([names('page', 5).slice(3), false])
    expect(ids(third)).toEqual([[], false])
    expect(third.headers.get('etag')).toBeNull()
    expect(third.headers.get('link')).toContain('rel="next"')
    const all = await get(url)
    expect(all.body.changes.length).toBe(100)
    expect((await get(url, 'theirs')).body.changes.map(({ id }) => id)).toEqual(['theirs x 2', 'theirs own 2'])
  })

  it('gives what is for one owner to its keys only, and passes it by for others', async () => {
    const url = `${await start({ clock: aHandMovedClock() })}/v1/changes`
    const mine = { owner: 'me', type: 'monitor.matched' } as const
    await publish(log, [
      ...[1, 2, 3].map((n) => aPublished('of one', n, mine)),
      aPublished('of one', 4),
      ...[5, 6].map((n) => aPublished('of one', n, mine)),
    ])
    await viewReads(log, store)
    const begin = writeCursor({ after: offset0 - 1, partition: 0, had: A_NOON }, 'shared')
    const page = async (key: string, cursor: string) => {
      const { changes, next_cursor, has_more } = (await get(`${url}?limit=2&cursor=${cursor}`, key)).body
      return { ids: changes.map(({ id }) => id.replace('shared of one ', '')), next_cursor, has_more }
    }

    expect(await page('pro', begin)).toMatchObject({ ids: ['1', '2'], has_more: true })
    const passed = await page('rival', begin)
    expect(passed).toMatchObject({ ids: ['4'], has_more: false })
    expect(await page('pro', passed.next_cursor)).toMatchObject({ ids: [], has_more: false })
    await publish(log, [aPublished('of one', 7)])
    await viewReads(log, store)
    expect(await page('rival', passed.next_cursor)).toMatchObject({ ids: ['7'] })
  })

  it('waits for what comes that it may read', async () => {
    const url = `${await start()}/v1/changes`
    await viewReads(log, store)
    const { next_cursor } = (await get(`${url}?limit=1000&types=entity.spike`, 'rival')).body
    const waiting = get(`${url}?wait=20&types=entity.spike&cursor=${next_cursor}`, 'rival')
    const spike = { type: 'entity.spike' } as const
    await publish(log, [aPublished('awaited', 1, { ...spike, owner: 'me' }), aPublished('awaited', 2, spike)])
    await publish(log, [aPublished('awaited', 3, { ...spike, owner: 'me' })])

    const { changes, has_more } = (await waiting).body
    expect([changes.map(({ id }) => id), has_more]).toEqual([['shared awaited 2'], false])
  })

  it('waits for what comes, as long as it is told to', async () => {
    const url = `${await start()}/v1/changes`
    await viewReads(log, store)
    const { next_cursor } = (await get(`${url}?limit=1000&types=trend.detected`)).body
    const waiting = get(`${url}?wait=20&types=trend.detected&cursor=${next_cursor}`)
    await publish(log, [aPublished('wait', 1), aPublished('wait', 2, { type: 'trend.detected' })])

    expect((await waiting).body.changes.map(({ id }) => id)).toEqual(['shared wait 2'])
    const begun = performance.now()
    expect((await get(`${url}?wait=1&types=cluster.split`)).body).toMatchObject({ changes: [], has_more: false })
    expect(performance.now() - begun).toBeGreaterThan(900)
  })

  it.each([
    ['more of it waits, behind others', 2, ['trend.detected', 'cluster.grown', 'trend.detected'], 1, true],
    ['only others wait', 1, ['trend.detected', 'cluster.grown'], 1, false],
    ['the page is full and nothing waits', 2, ['trend.detected', 'trend.detected'], 2, false],
  ] as const)('says after waiting whether to ask again at once: %s', async (_, limit, types, given, has_more) => {
    const url = `${await start()}/v1/changes`
    await viewReads(log, store)
    const { next_cursor } = (await get(`${url}?limit=1000&types=trend.detected`)).body
    const waiting = get(`${url}?wait=20&types=trend.detected&limit=${limit}&cursor=${next_cursor}`)
    await publish(
      log,
      types.map((type, i) => aPublished('more', offset0 + i, { type })),
    )

    const { changes, ...rest } = (await waiting).body
    expect([changes.length, rest.has_more]).toEqual([given, has_more])
  })

  it('never lets a reader of a quiet namespace expire, and says what to do to one that was away too long', async () => {
    const clock = aHandMovedClock()
    const url = `${await start({ clock })}/v1/changes`
    let { next_cursor } = (await get(url, 'theirs')).body
    for (let days = 0; days < 90; days += 29) {
      await clock.advance(29 * 86_400_000)
      const { status, body } = await get(`${url}?cursor=${next_cursor}`, 'theirs')
      expect(status).toBe(200)
      next_cursor = body.next_cursor
    }
    await clock.advance(31 * 86_400_000)
    expect(await get(`${url}?cursor=${next_cursor}`, 'theirs')).toMatchObject({
      ...{ status: 410, body: { code: 'cursor_expired' } },
    })
  })

  it('says 503 where the store is away', async () => {
    const away = new FakeStore()
    away.away = true

    expect(await get(`${await start({ store: away })}/v1/changes`)).toMatchObject({ status: 503 })
  })
})
