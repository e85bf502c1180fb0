import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ChangePublished } from '../../../src/events/changes.ts'
import { aPublished, idsIn, listen, type Client } from '../../builders/feed.ts'
import { feedHome, type FeedHome } from './changes-home.ts'
import { until } from '../until.ts'
import { aNamespace } from '../views-database.ts'

let home: FeedHome
beforeAll(async () => {
  home = await feedHome()
})
afterAll(() => home.stop())

const STORIES = ['a', 'b', 'c', 'd', 'e']

/** Changes of several stories, numbered in order, in transactions of a few hundred. */
async function traffic(namespace: string, from: number, to: number): Promise<void> {
  const all: ChangePublished[] = []
  for (let n = from; n < to; n++) all.push(aPublished(STORIES[n % STORIES.length] ?? 'a', n, { namespace }))
  for (let at = 0; at < all.length; at += 400) await home.publish(all.slice(at, at + 400))
}

const heardBy = async (url: string, namespace: string, lastId: string | null): Promise<Client> => {
  const client = await listen(`${url}/v1/events`, namespace, lastId)
  expect(client.response.status).toBe(200)
  await until('the stream has begun', async () => (client.lastId === null ? null : true))
  return client
}

it('delivers every change, in order per story, to a client that reconnects repeatedly during an hour of traffic', async () => {
  const [namespace, other] = [aNamespace(), aNamespace()]
  let api = await home.api()
  let client = await heardBy(api.url, namespace, null)
  const got: string[] = []
  const total = 6_000

  for (const [round, cut] of [37, 1, 260, 999].entries()) {
    await traffic(namespace, round * 1_000, (round + 1) * 1_000)
    await traffic(other, 0, 50)
    await vi.waitFor(() => expect(client.events.length).toBeGreaterThanOrEqual(cut), { timeout: 60_000 })
    client.leave()
    await client.ended
    got.push(...idsIn(client))
    if (round === 1) {
      await api.stop()
      api = await home.api()
    }
    if (round < 3) client = await heardBy(api.url, namespace, client.lastId)
  }
  await traffic(namespace, 4_000, total) // without a subscriber
  client = await heardBy(api.url, namespace, client.lastId)
  await vi.waitFor(() => expect(new Set([...got, ...idsIn(client)]).size).toBe(total), { timeout: 60_000 })
  client.leave()
  got.push(...idsIn(client))

  const once = [...new Set(got)]
  expect(once).toEqual(Array.from({ length: total }, (_, n) => `${namespace} ${STORIES[n % 5] ?? ''} ${n}`))
  expect(once.some((id) => id.startsWith(other))).toBe(false)
  await api.stop()
})

it('polling returns the same changes, and cursors are interchangeable with those of the stream', async () => {
  const namespace = aNamespace()
  const api = await home.api()
  const streaming = await heardBy(api.url, namespace, null)
  await traffic(namespace, 0, 250)
  await vi.waitFor(() => expect(streaming.events).toHaveLength(250), { timeout: 60_000 })
  const poll = async (query: string) => {
    const response = await fetch(`${api.url}/v1/changes?${query}`, {
      headers: { authorization: `Bearer ${namespace}` },
    })
    return (await response.json()) as { changes: { id: string }[]; next_cursor: string; has_more: boolean }
  }
  await until('the view has all', async () => ((await poll('limit=1000')).changes.length === 250 ? true : null))

  const polled: string[] = []
  let page = await poll('limit=100')
  for (; page.has_more; page = await poll(`limit=100&cursor=${page.next_cursor}`)) {
    polled.push(...page.changes.map(({ id }) => id))
  }
  polled.push(...page.changes.map(({ id }) => id))
  expect(polled).toEqual(idsIn(streaming))

  const after = streaming.events[99]?.id ?? ''
  expect((await poll(`limit=2&cursor=${after}`)).changes.map(({ id }) => id)).toEqual(polled.slice(100, 102))
  const waiting = poll(`wait=25&cursor=${page.next_cursor}`)
  await traffic(namespace, 250, 251)
  expect((await waiting).changes).toHaveLength(1)
  streaming.leave()
  await api.stop()
})

it('returns the changes of an owner to its keys only, from the view', async () => {
  const api = await home.api()
  const [mine, other] = [aNamespace(), aNamespace()]
  const changes = [
    aPublished(mine, 0, { owner: 'shared' }),
    aPublished(mine, 1, { owner: 'somebody' }),
    aPublished(mine, 2),
    aPublished(mine, 3, { owner: 'somebody', namespace: other }),
  ]
  await home.publish(changes)
  const read = async (key: string): Promise<readonly string[]> => {
    const response = await fetch(`${api.url}/v1/changes?limit=1000`, { headers: { authorization: `Bearer ${key}` } })
    return ((await response.json()) as { changes: { id: string }[] }).changes.map(({ id }) => id)
  }

  await vi.waitFor(async () => expect(await read('shared')).toContain(`shared ${mine} 2`), { timeout: 60_000 })
  const found = (await read('shared')).filter((id) => id.startsWith(`shared ${mine}`))
  expect(found).toEqual([`shared ${mine} 0`, `shared ${mine} 2`])
  expect(await read(other)).toEqual([`${other} ${mine} 3`])
  await api.stop()
})
