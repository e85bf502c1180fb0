import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startStandIn, type StandIn } from '../../../../test/platforms/stand-in.ts'
import type { StandInPost } from '../../../../test/platforms/world.ts'
import { fetchHttp } from '../../../adapters/http.ts'
import { PlatformUnavailable, Limited, PlatformRefused, type PlatformSource, type StoryTarget } from '../platform.ts'
import { blueskySource } from './source.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const HOUR_MS = 3_600_000
const ARTICLE = 'https://news.example/harbour/bridge'

const aTarget = (over: Partial<StoryTarget> = {}): StoryTarget => ({
  namespace: 'shared',
  cluster_id: 'sto_bridge',
  title: 'Harbour bridge to close for repairs',
  article_count: 5,
  origins: 4,
  last_published: NOW - HOUR_MS,
  entities: ['Ada Quill', 'Harbour Bridge'],
  urls: [ARTICLE],
  priority: 'medium',
  terms: ['Ada Quill', 'Harbour Bridge', 'repairs', 'close'],
  ...over,
})

const aBlueskyPost = (over: Partial<StandInPost>): StandInPost => ({
  platform: 'bluesky',
  id: 'one',
  parent: null,
  author: 'ada',
  text: 'The Harbour Bridge will close, says Ada Quill',
  created_at: NOW - HOUR_MS,
  score: 8,
  link: null,
  deleted: false,
  ...over,
})

const signal = new AbortController().signal

describe('looking at Bluesky', () => {
  let standIn: StandIn
  let source: PlatformSource
  let now = NOW
  const search = (cursor: string | null = null, target = aTarget()) => source.search(target, cursor, signal)
  const calls = (path: string) => standIn.requests.filter((request) => request.path.includes(path)).length

  beforeEach(async () => {
    now = NOW
    standIn = await startStandIn({ posts: [], now: () => now })
    const access = { identifier: 'stand-in.example', password: 'stand-in-app-password', url: standIn.url }
    source = blueskySource({ access, http: fetchHttp(), clock: { now: () => now, sleep: async () => undefined } })
  })
  afterEach(() => standIn.stop())

  const add = (...posts: readonly Partial<StandInPost>[]) =>
    posts.forEach((post) => standIn.world.add(aBlueskyPost(post)))
  const texts = (found: { readonly posts: readonly { readonly text: string }[] }) =>
    found.posts.map(({ text }) => text).sort()

  it('finds posts by the terms of a story and by its addresses, and leaves what fits neither', async () => {
    add(
      { id: 'words', text: 'Ada Quill wants repairs' },
      { id: 'link', text: 'Look at this', link: 'http://www.news.example/harbour/bridge/' },
      { id: 'one-word', text: 'My kitchen needs repairs' },
      { id: 'other', text: 'Look at that', link: 'https://news.example/other' },
    )

    const found = await search()

    expect(texts(found)).toEqual(['Ada Quill wants repairs', 'Look at this'])
    const linked = found.posts.find(({ text }) => text === 'Look at this')
    expect(linked).toMatchObject({ article_url: 'http://www.news.example/harbour/bridge/', cluster_id: null })
  })

  it('gives each post its address, its author as the network names them, its likes and reposts', async () => {
    add({ score: 9 })

    const [post] = (await search()).posts

    const [, did = '', rkey = ''] =
      /^at:\/\/(did:plc:\w+)\/app\.bsky\.feed\.post\/(.+)$/.exec(post?.post_id ?? '') ?? []
    expect(post).toEqual({
      platform: 'bluesky',
      post_id: `at://${did}/app.bsky.feed.post/${rkey}`,
      url: `https://bsky.app/profile/${did}/post/one`,
      author: did,
      text: 'The Harbour Bridge will close, says Ada Quill',
      created_at: NOW - HOUR_MS,
      reply_to: null,
      cluster_id: 'sto_bridge',
      article_url: null,
      score: 9,
      deleted: false,
    })
  })

  it('reads what is answered below a post, passes blocked ones over and tells of those that are gone', async () => {
    add({ id: 'one' }, { id: 'a', parent: 'one', text: 'Not again' }, { id: 'b', parent: 'a', text: 'It is dangerous' })
    add({ id: 'hidden', parent: 'one', text: 'Hidden', blocked: true }, { id: 'gone', parent: 'one', text: 'Gone' })
    standIn.world.remove('bluesky', 'gone')

    const found = await search()

    expect(texts(found)).toEqual(['It is dangerous', 'Not again', 'The Harbour Bridge will close, says Ada Quill'])
    const answer = found.posts.find(({ text }) => text === 'It is dangerous')
    expect(answer?.reply_to).toMatch(/post\/a$/)
    expect(found.gone).toEqual([expect.stringMatching(/post\/gone$/)])
  })

  it('reads a thread again only when it has grown', async () => {
    add({ id: 'one' }, { id: 'a', parent: 'one', text: 'Not again' })
    const { cursor } = await search()
    expect(calls('getPostThread')).toBe(1)

    await search(cursor)
    expect(calls('getPostThread')).toBe(1)

    add({ id: 'b', parent: 'one', text: 'Oh dear' })
    expect(texts(await search(cursor))).toContain('Oh dear')
    expect(calls('getPostThread')).toBe(2)
  })

  it('goes on from where it was, a day before that included', async () => {
    add({ id: 'old', created_at: NOW - 30 * HOUR_MS }, { id: 'new', created_at: NOW - HOUR_MS })
    const first = await search()
    expect(first.posts.length).toBe(2)

    expect((await search(first.cursor)).posts.length).toBe(1)
    expect((await search('no cursor of ours')).posts.length).toBe(2)
  })

  it('reads a second page where there is one', async () => {
    for (let i = 0; i < 150; i++) add({ id: `p${i}`, created_at: NOW - i * 1000 })

    expect((await search()).posts.length).toBe(150)
  })

  it('says which of the posts it is asked for are gone, 25 at a time', async () => {
    for (let i = 0; i < 60; i++) add({ id: `p${i}`, created_at: NOW - i * 1000 })
    const posts = (await search()).posts.map(({ post_id, url, created_at }) => ({ post_id, url, created_at }))
    standIn.world.remove('bluesky', 'p7')

    const { gone, read } = await source.gone(posts, signal)

    expect({ gone, read }).toEqual({ gone: [expect.stringMatching(/post\/p7$/)], read: 59 })
    expect(calls('getPosts')).toBe(3)
  })

  it('takes posts not for gone because one answer was empty', async () => {
    for (let i = 0; i < 30; i++) add({ id: `p${i}`, created_at: NOW - i * 1000 })
    const posts = (await search()).posts.map(({ post_id, url, created_at }) => ({ post_id, url, created_at }))
    let isEmpty = true
    const http = fetchHttp()
    const odd = blueskySource({
      access: { identifier: 'stand-in.example', password: 'stand-in-app-password', url: standIn.url },
      clock: { now: () => now, sleep: async () => undefined },
      http: async (request, ending) => {
        if (!isEmpty || !request.url.includes('getPosts')) return http(request, ending)
        isEmpty = false
        return { status: 200, headers: {}, body: '{"posts":[]}' }
      },
    })

    await expect(odd.gone(posts, signal)).rejects.toMatchObject({ name: 'Unavailable', detail: 'none_of_asked' })
    expect((await odd.gone(posts, signal)).gone).toEqual([])
  })

  it('says of a thread that was read as a whole which posts it has', async () => {
    add({ id: 'one' }, { id: 'a', parent: 'one', text: 'Not again' }, { id: 'gone', parent: 'one', text: 'Gone' })
    standIn.world.remove('bluesky', 'gone')
    const rkeys = (found: { readonly complete?: readonly string[] }) =>
      found.complete?.map((uri) => uri.split('/').pop())

    expect(rkeys(await search())).toEqual(['one', 'a'])

    add({ id: 'hidden', parent: 'one', text: 'Hidden', blocked: true })
    expect(rkeys(await search())).toEqual([])
  })

  it('opens one session, and renews it when its token has run out', async () => {
    add({})
    await search()
    standIn.trouble({ platform: 'bluesky', kind: 'expired_token' })

    expect((await search()).posts.length).toBe(1)
    expect([calls('createSession'), calls('refreshSession')]).toEqual([1, 1])
  })

  it('opens another session when the old one can be renewed no more', async () => {
    await search()
    standIn.trouble({ platform: 'bluesky', kind: 'expired_session' })

    await search()
    expect([calls('createSession'), calls('refreshSession')]).toEqual([2, 1])
  })

  it('says that a person must look where it is refused, be it with a page for people', async () => {
    standIn.trouble({ platform: 'bluesky', kind: 'html_403' })
    await expect(search()).rejects.toThrow(new PlatformRefused('http_403'))

    const access = { identifier: 'stand-in.example', password: 'wrong', url: standIn.url }
    const stranger = blueskySource({
      access,
      http: fetchHttp(),
      clock: { now: () => now, sleep: async () => undefined },
    })
    await expect(stranger.search(aTarget(), null, signal)).rejects.toThrow(new PlatformRefused('http_401'))
  })

  it('waits as long as the network says where too much was asked', async () => {
    standIn.trouble({ platform: 'bluesky', kind: 'rate_limit', seconds: 90 })

    const limited = await search().catch((cause: unknown) => cause)

    expect(limited).toBeInstanceOf(Limited)
    expect(limited).toMatchObject({ detail: 'rate_limit', until: NOW + 90_000 })
  })

  it.each([
    ['http_503', 'http_503'],
    ['cut_off', 'not_json'],
    ['wrong_shape', 'unexpected_shape'],
    ['hang_up', 'no_answer'],
  ] as const)('takes %s for a platform that is away: %s', async (kind, detail) => {
    standIn.trouble({ platform: 'bluesky', kind })

    const away = await search().catch((cause: unknown) => cause)

    expect(away).toBeInstanceOf(PlatformUnavailable)
    expect(away).toMatchObject({ detail })
  })

  it('keeps what it has found when the rest does not come, and goes over it again', async () => {
    add({ link: ARTICLE })
    const before = new Date(NOW - HOUR_MS).toISOString()
    let answers = 0
    const http = fetchHttp()
    const access = { identifier: 'stand-in.example', password: 'stand-in-app-password', url: standIn.url }
    const broken = blueskySource({
      access,
      clock: { now: () => now, sleep: async () => undefined },
      http: async (request, ending) => {
        if (++answers === 3) standIn.trouble({ platform: 'bluesky', kind: 'http_503' })
        return http(request, ending)
      },
    })

    const found = await broken.search(aTarget(), before, signal)

    expect(texts(found)).toEqual(['The Harbour Bridge will close, says Ada Quill'])
    expect(found).toMatchObject({ cursor: before, stopped: { detail: 'http_503' } })
  })

  it('ends at once when it is told to', async () => {
    standIn.trouble({ platform: 'bluesky', kind: 'slow' })
    const ending = new AbortController()
    const searching = source.search(aTarget(), null, ending.signal)
    await expect.poll(() => calls('createSession')).toBe(1)

    ending.abort()

    await expect(searching).rejects.toMatchObject({ name: 'AbortError' })
  })
})
