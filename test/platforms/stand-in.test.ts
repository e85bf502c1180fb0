import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { readPosts } from './read-posts.ts'
import { startStandIn, type StandIn } from './stand-in.ts'
import type { StandInPost } from './world.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

const aStandInPost = (over: Partial<StandInPost>): StandInPost => ({
  platform: 'reddit',
  id: 'one',
  parent: null,
  author: 'ada',
  text: 'The harbour bridge closes',
  created_at: NOW - 3_600_000,
  score: 8,
  link: null,
  deleted: false,
  ...over,
})

let standIn: StandIn
const start = async (posts: readonly StandInPost[]) => {
  standIn = await startStandIn({ posts, now: () => NOW })
}
afterEach(() => standIn.stop())

const AGENT = 'node:test:1 (by /u/test)'

async function reddit(path: string, init: RequestInit = {}) {
  const basic = Buffer.from('stand-in:stand-in-secret').toString('base64')
  const token = await fetch(`${standIn.url}/api/v1/access_token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await token.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}`, 'user-agent': AGENT }
  return fetch(`${standIn.url}${path}`, { ...init, headers })
}

async function bluesky(path: string) {
  const session = await fetch(`${standIn.url}/xrpc/com.atproto.server.createSession`, {
    method: 'POST',
    body: JSON.stringify({ identifier: 'stand-in.example', password: 'stand-in-app-password' }),
  })
  const { accessJwt } = (await session.json()) as { accessJwt: string }
  return fetch(`${standIn.url}/xrpc/${path}`, { headers: { authorization: `Bearer ${accessJwt}` } })
}

const x = (path: string) =>
  fetch(`${standIn.url}${path}`, { headers: { authorization: 'Bearer stand-in-bearer-token' } })

it('hides the comments of a long Reddit thread behind `more`, from where they can be had', async () => {
  const comments = Array.from({ length: 5 }, (_, i) => aStandInPost({ id: `c${i}`, parent: 'one', score: 10 - i }))
  await start([aStandInPost({}), ...comments, aStandInPost({ id: 'deep', parent: 'c4', text: 'a deep one' })])

  const [, listing] = (await (await reddit('/comments/one?limit=3')).json()) as {
    data: { children: { kind: string }[] }
  }[]
  expect(listing?.data.children.map(({ kind }) => kind)).toEqual(['t1', 't1', 't1', 'more'])
  expect(listing?.data.children.at(-1)).toMatchObject({ data: { children: ['c3', 'c4'], parent_id: 't3_one' } })

  const body = new URLSearchParams({ link_id: 't3_one', children: 'c3,c4', api_type: 'json' })
  const more = await reddit('/api/morechildren', { method: 'POST', body })
  expect(await more.json()).toMatchObject({
    json: {
      data: { things: [{ data: { id: 'c3' } }, { data: { id: 'c4' } }, { data: { id: 'deep', parent_id: 't1_c4' } }] },
    },
  })
})

it('ends a branch of a Reddit thread that is too deep with `_`', async () => {
  await start([aStandInPost({}), aStandInPost({ id: 'c', parent: 'one' }), aStandInPost({ id: 'd', parent: 'c' })])

  const [, listing] = (await (await reddit('/comments/one?depth=1')).json()) as object[]

  expect(listing).toMatchObject({
    data: {
      children: [{ data: { replies: { data: { children: [{ kind: 'more', data: { id: '_', children: [] } }] } } } }],
    },
  })
})

it('ends the pages of a Reddit search', async () => {
  await start(Array.from({ length: 3 }, (_, i) => aStandInPost({ id: `t${i}`, created_at: NOW - i })))

  const first = (await (await reddit('/search?q=bridge&sort=new&limit=2')).json()) as { data: { after: string } }
  expect(first).toMatchObject({ data: { after: 't3_t1', dist: 2 } })
  const second = await reddit(`/search?q=bridge&sort=new&limit=2&after=${first.data.after}`)
  expect(await second.json()).toMatchObject({ data: { after: null, dist: 1 } })
  expect(await (await reddit('/search?q=tunnel')).json()).toMatchObject({ data: { children: [] } })
})

it('refuses an unauthenticated search of Bluesky with a page for people', async () => {
  await start([])

  const answer = await fetch(`${standIn.url}/xrpc/app.bsky.feed.searchPosts?q=bridge`)

  expect(answer.status).toBe(403)
  expect(await answer.text()).toContain('<html>')
  expect(answer.headers.get('x-stand-in')).toBe('yes')
})

it('shows deleted and blocked posts in a Bluesky thread as what they are', async () => {
  const over = { platform: 'bluesky' as const, parent: 'one' }
  const gone = aStandInPost({ ...over, id: 'gone', deleted: true })
  await start([aStandInPost({ platform: 'bluesky' }), gone, aStandInPost({ ...over, id: 'blocked', blocked: true })])

  const { posts } = (await (await bluesky('app.bsky.feed.searchPosts?q=harbour')).json()) as {
    posts: { uri: string }[]
  }
  expect(posts.length).toBe(1)
  const uri = posts[0]?.uri ?? ''
  const thread = await bluesky(`app.bsky.feed.getPostThread?uri=${encodeURIComponent(uri)}`)
  expect(await thread.json()).toMatchObject({ thread: { replies: [{ blocked: true }, { notFound: true }] } })
})

it('leaves `data` out where X has found nothing, and names what is not there', async () => {
  await start([aStandInPost({ platform: 'twitter', id: '17' })])

  expect(await (await x('/2/tweets/search/recent?query=tunnel')).json()).toEqual({ meta: { result_count: 0 } })
  expect(await (await x('/2/tweets?ids=17,18')).json()).toMatchObject({
    data: [{ id: '17' }],
    errors: [{ resource_id: '18', title: 'Not Found Error' }],
  })
})

it('has each trouble as often as asked for, then is well again', async () => {
  await start([aStandInPost({ platform: 'twitter', id: '17' })])
  const ask = () => x('/2/tweets?ids=17')

  standIn.trouble({ platform: 'twitter', kind: 'http_503', next: 2 })
  expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([503, 503, 200])

  standIn.trouble({ platform: 'twitter', kind: 'rate_limit', seconds: 5 })
  const limited = await ask()
  expect([limited.status, limited.headers.get('x-rate-limit-reset')]).toEqual([429, `${NOW / 1000 + 5}`])

  standIn.trouble({ platform: 'twitter', kind: 'cut_off' })
  await expect((await ask()).json()).rejects.toThrow(/JSON/)

  standIn.trouble({ platform: 'twitter', kind: 'hang_up' })
  await expect(ask()).rejects.toThrow('fetch failed')
  expect((await ask()).status).toBe(200)
})

it('takes trouble, posts and deletions from outside', async () => {
  await start([])
  const post = (path: string, body: object) =>
    fetch(`${standIn.url}${path}`, { method: 'POST', body: JSON.stringify(body) })

  await post('/_control', { platform: 'twitter', kind: 'http_503' })
  expect((await x('/2/tweets?ids=17')).status).toBe(503)
  expect((await post('/_control', { platform: 'fax', kind: 'noise' })).status).toBe(422)

  await post('/_posts', { platform: 'twitter', id: '17', text: 'The bridge' })
  expect(await (await x('/2/tweets?ids=17')).json()).toMatchObject({ data: [{ text: 'The bridge' }] })
  await fetch(`${standIn.url}/_posts/twitter/17`, { method: 'DELETE' })
  expect(await (await x('/2/tweets?ids=17')).json()).toMatchObject({ errors: [{ resource_id: '17' }] })
})

it('streams the changes of Bluesky from a cursor on, and says when they are kept no more', async () => {
  await start([aStandInPost({ platform: 'bluesky', id: 'a' }), aStandInPost({ platform: 'bluesky', id: 'b' })])
  const path = '/xrpc/network.bsky.jetstream.subscribeEvents'
  const frames: unknown[] = []
  const listening = new WebSocket(`${standIn.env['BLUESKY_JETSTREAM_URL'] ?? ''}${path}?cursor=2`)
  listening.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())))
  await expect.poll(() => frames.length).toBe(1)
  standIn.world.remove('bluesky', 'a')

  await expect
    .poll(() => frames)
    .toMatchObject([
      { payload: { seq: 2, operation: 'create', rkey: 'b' } },
      { payload: { seq: 3, operation: 'delete', rkey: 'a' } },
    ])
  listening.terminate()

  standIn.jetstream.forgetBefore(3)
  const refused = new WebSocket(`${standIn.env['BLUESKY_JETSTREAM_URL'] ?? ''}${path}?cursor=2`)
  const status = await new Promise((resolve) => {
    refused.on('unexpected-response', (_request, response) => resolve(response.statusCode))
  })
  expect(status).toBe(400)
})

it('serves the posts that were written for demonstration', async () => {
  await start(readPosts('samples/posts/demonstration.jsonl'))

  expect(standIn.world.on('reddit').length).toBeGreaterThan(10)
  expect((await x('/2/tweets/search/recent?query=helicopters&max_results=10')).status).toBe(200)
})
