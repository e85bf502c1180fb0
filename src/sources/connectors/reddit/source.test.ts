import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { A_NOON, aHandMovedClock } from '../../../../test/builders/api.ts'
import { aTarget } from '../../../../test/builders/connectors.ts'
import { postFlaw } from '../../../domain/intake/posts.ts'
import type { HttpAnswer, HttpRequest } from '../../../ports/http.ts'
import { isTrouble, Limited, PlatformRefused } from '../platform.ts'
import { redditSource } from './source.ts'

const SECONDS = A_NOON / 1000 - 3600
const { signal } = new AbortController()

// Written by hand from Reddit's documented fields; nothing here is captured traffic.
const t3 = (id: string, over: object = {}) => ({
  kind: 't3',
  data: {
    ...{
      id,
      name: `t3_${id}`,
      title: 'Ada Quill on the harbour bridge',
      selftext: '',
      url: 'https://news.example/bridge',
    },
    ...{ permalink: `/r/porthaven/comments/${id}/thread/`, author: 'wren', score: 12, num_comments: 0, edited: false },
    ...{ created_utc: SECONDS, is_self: false, removed_by_category: null, ...over },
  },
})
const t1 = (id: string, over: object = {}) => ({
  kind: 't1',
  data: {
    ...{ id, name: `t1_${id}`, parent_id: 't3_a', link_id: 't3_a', body: `Words of ${id}`, author: 'finch', score: 3 },
    ...{ permalink: `/r/porthaven/comments/a/thread/${id}/`, created_utc: SECONDS + 60, replies: '', ...over },
  },
})
const more = (id: string, children: readonly string[]) => ({
  kind: 'more',
  data: { children, count: children.length, id, name: `t1_${id}`, parent_id: 't3_a', depth: 1 },
})
const listing = (children: readonly object[], after: string | null = null) => ({
  kind: 'Listing',
  data: { after, before: null, dist: children.length, modhash: '', children },
})

type SourceReply = Partial<HttpAnswer> | object | undefined
type Replies = (path: string, query: URLSearchParams, request: HttpRequest) => SourceReply

const isAnswer = (reply: object): reply is Partial<HttpAnswer> => 'status' in reply || 'headers' in reply

/** A Reddit that answers as the test says, and with an empty listing where it says nothing. */
function aReddit(replies: Replies) {
  const clock = aHandMovedClock()
  const calls: string[] = []
  const requests: HttpRequest[] = []
  let tokens = 0
  const http = async (request: HttpRequest): Promise<HttpAnswer> => {
    const { pathname, searchParams, origin } = new URL(request.url)
    requests.push(request)
    calls.push(pathname)
    const answer: HttpAnswer = { status: 200, headers: {}, body: '' }
    const reply = replies(pathname, searchParams, request)
    if (reply !== undefined && isAnswer(reply)) return Promise.resolve({ ...answer, ...reply })
    const token = { access_token: `token ${++tokens}`, token_type: 'bearer', expires_in: 3600, scope: '*' }
    const whole = reply ?? (origin === 'https://auth.example' ? token : listing([]))
    return Promise.resolve({ ...answer, body: JSON.stringify(whole) })
  }
  const source = redditSource({
    ...{ http, clock, clientId: 'id', clientSecret: 'sesame', userAgent: 'linux:story:1 (by /u/wren)' },
    ...{ authUrl: 'https://auth.example', apiUrl: 'https://api.example/' },
  })
  const search = (over = {}) => source.search(aTarget(over), null, signal)
  return { clock, calls, requests, source, search }
}

const trouble = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (cause: unknown) => cause,
  )

describe('a look at Reddit', () => {
  it('asks with a token and its own user agent, for threads by article and by words', async () => {
    const { requests, search } = aReddit(() => undefined)

    expect(await search()).toMatchObject({ posts: [], read: 0, cursor: null })
    const [token, info, found] = requests
    expect(token).toMatchObject({
      method: 'POST',
      url: 'https://auth.example/api/v1/access_token',
      body: 'grant_type=client_credentials',
    })
    expect(token?.headers['authorization']).toBe(`Basic ${Buffer.from('id:sesame').toString('base64')}`)
    expect(info?.headers).toEqual({ authorization: 'Bearer token 1', 'user-agent': 'linux:story:1 (by /u/wren)' })
    expect(new URL(info?.url ?? '').searchParams.get('url')).toBe('https://news.example/bridge')
    expect(Object.fromEntries(new URL(found?.url ?? '').searchParams)).toMatchObject({
      ...{ sort: 'new', t: 'week', type: 'link', raw_json: '1', limit: '100' },
      q: expect.stringContaining('"Ada Quill"') as string,
    })
  })

  it('makes posts of threads and comments, each with what it answers and the article it is about', async () => {
    const thread = t3('a', { num_comments: 2, url: 'https://news.example/bridge?utm_source=r' })
    const { search } = aReddit((path, query) => {
      if (path === '/api/info' && query.has('url')) return listing([thread])
      if (path === '/comments/a')
        return [
          listing([thread]),
          listing([t1('b', { replies: listing([t1('c', { parent_id: 't1_b', score_hidden: true })]) })]),
        ]
      return undefined
    })

    const { posts, read } = await search()

    expect(read).toBe(3)
    const shared = { platform: 'reddit', deleted: false, cluster_id: null, article_url: 'https://news.example/bridge' }
    expect(posts).toEqual([
      {
        ...{ ...shared, post_id: 't3_a', url: 'https://www.reddit.com/r/porthaven/comments/a/thread/', author: 'wren' },
        ...{ text: 'Ada Quill on the harbour bridge', created_at: A_NOON - 3_600_000, reply_to: null, score: 12 },
      },
      {
        ...{
          ...shared,
          post_id: 't1_b',
          url: 'https://www.reddit.com/r/porthaven/comments/a/thread/b/',
          author: 'finch',
        },
        ...{ text: 'Words of b', created_at: A_NOON - 3_540_000, reply_to: 't3_a', score: 3 },
      },
      {
        ...{
          ...shared,
          post_id: 't1_c',
          url: 'https://www.reddit.com/r/porthaven/comments/a/thread/c/',
          author: 'finch',
        },
        ...{ text: 'Words of c', created_at: A_NOON - 3_540_000, reply_to: 't1_b', score: null },
      },
    ])
    for (const post of posts) expect(postFlaw({ ...post, namespace: 'shared' })).toBeNull()
  })

  it('takes of a search what fits the story, and claims it only where it surely is about it', async () => {
    const self = { is_self: true, url: 'https://www.reddit.com/r/porthaven/comments/x/thread/' }
    const { search } = aReddit((path) =>
      path === '/search'
        ? listing([
            t3('sure', { ...self, selftext: 'What now?' }),
            t3('maybe', { ...self, title: 'Ada Quill and a bridge' }),
            t3('linking', { title: 'Ada Quill and a bridge', url: 'https://other.example/1' }),
            t3('other', { title: 'Cats of Porthaven' }),
          ])
        : undefined,
    )

    const { posts, read } = await search()

    expect(read).toBe(4)
    expect(posts.map(({ post_id, text, cluster_id, article_url }) => [post_id, text, cluster_id, article_url])).toEqual(
      [
        ['t3_sure', 'Ada Quill on the harbour bridge\n\nWhat now?', 'sto_bridge', null],
        ['t3_maybe', 'Ada Quill and a bridge', null, null],
        ['t3_linking', 'Ada Quill and a bridge', null, 'https://other.example/1'],
      ],
    )
  })

  it('follows pages until they end, and at most two of them', async () => {
    const pages: (string | null)[] = []
    const { search } = aReddit((path, query) => {
      if (path !== '/search') return undefined
      pages.push(query.get('after'))
      return listing([t3(`p${pages.length}`)], pages.length < 2 ? 't3_p1' : 't3_p2')
    })

    expect((await search()).posts).toHaveLength(2)
    expect(pages).toEqual([null, 't3_p1'])
  })

  it('asks for an article again after three hours only, and follows its threads meanwhile', async () => {
    let comments = 1
    const thread = () => t3('a', { num_comments: comments })
    const { clock, calls, search } = aReddit((path, query) => {
      if (path === '/api/info') return listing(query.has('url') || query.get('id') === 't3_a' ? [thread()] : [])
      return path === '/comments/a' ? [listing([thread()]), listing([t1('b')])] : undefined
    })
    await search()
    calls.splice(0)
    await clock.advance(15 * 60_000)
    await search()
    expect(calls).toEqual(['/search', '/api/info']) // no comment more, nothing to read

    comments = 2
    calls.splice(0)
    expect((await search()).posts.map(({ post_id, article_url }) => [post_id, article_url])).toEqual([
      ['t3_a', 'https://news.example/bridge'],
      ['t1_b', 'https://news.example/bridge'],
    ])
    expect(calls).toEqual(['/search', '/api/info', '/comments/a'])

    await clock.advance(3 * 3_600_000)
    calls.splice(0)
    await search()
    expect(calls).toEqual(['/api/v1/access_token', '/api/info', '/search'])
  })

  it('expands "more" in hundreds, as far as ten requests and 500 comments, and counts branches that are too deep', async () => {
    const hidden = Array.from({ length: 250 }, (_, i) => `h${i}`)
    const thread = t3('a', { num_comments: 300 })
    const asks: string[][] = []
    const { search } = aReddit((path, query, { body }) => {
      if (path === '/api/info' && query.has('url')) return listing([thread])
      if (path === '/comments/a')
        return [listing([thread]), listing([t1('b', { replies: listing([more('_', [])]) }), more('h0', hidden)])]
      if (path !== '/api/morechildren') return undefined
      const form = new URLSearchParams(body ?? '')
      const children = (form.get('children') ?? '').split(',')
      asks.push([form.get('link_id') ?? '', form.get('api_type') ?? '', `${children.length}`])
      const things = [...children.map((id) => t1(id)), ...(asks.length === 1 ? [more('z', ['z', 'h1'])] : [])]
      return { json: { errors: [], data: { things } } }
    })

    const { posts, unread } = await search()

    expect(asks).toEqual([
      ['t3_a', 'json', '100'],
      ['t3_a', 'json', '100'],
      ['t3_a', 'json', '51'],
    ])
    expect(posts).toHaveLength(1 + 1 + 251)
    expect(unread).toBe(1)
  })

  it('reads at most 500 comments of a thread and makes at most ten requests for more', async () => {
    const thread = t3('a', { num_comments: 5_000 })
    let asks = 0
    const { search } = aReddit((path, query) => {
      if (path === '/api/info' && query.has('url')) return listing([thread])
      if (path === '/comments/a') return [listing([thread]), listing([more('m', ['m'])])]
      if (path !== '/api/morechildren') return undefined
      asks += 1
      return { json: { errors: [], data: { things: [t1(`c${asks}`), more(`m${asks}`, [`m${asks}`])] } } }
    })
    expect((await search()).posts).toHaveLength(1 + 10)
    expect(asks).toBe(10)

    const large = aReddit((path, query) => {
      if (path === '/api/info' && query.has('url')) return listing([thread])
      const comments = Array.from({ length: 600 }, (_, i) => t1(`c${i}`))
      return path === '/comments/a' ? [listing([thread]), listing(comments)] : undefined
    })
    expect((await large.search()).posts).toHaveLength(1 + 500)
  })

  it('passes over what authors or moderators took away, and says that it is gone', async () => {
    const thread = t3('a', { num_comments: 3 })
    const { search } = aReddit((path, query) => {
      if (path === '/api/info' && query.has('url'))
        return listing([
          thread,
          t3('b', { removed_by_category: 'moderator' }),
          t3('c', { author: '[deleted]' }),
          t3('d', { selftext: '[removed]' }),
        ])
      const gap = t1('e', {
        author: '[deleted]',
        body: '[deleted]',
        replies: listing([t1('f', { parent_id: 't1_e' })]),
      })
      return path === '/comments/a' ? [listing([thread]), listing([gap, t1('g', { body: '[removed]' })])] : undefined
    })

    const { posts, gone } = await search()

    expect(posts.map(({ post_id, reply_to }) => [post_id, reply_to])).toEqual([
      ['t3_a', null],
      ['t1_f', 't1_e'],
    ])
    expect(gone).toEqual(['t3_b', 't3_c', 't3_d', 't1_e', 't1_g'])
  })

  it('passes over a thread that is closed to us or gone, and goes on', async () => {
    const threads = [t3('a', { num_comments: 3 }), t3('b', { num_comments: 2 })]
    const { search } = aReddit((path, query) => {
      if (path === '/api/info' && query.has('url')) return listing(threads)
      if (path === '/comments/a') return { status: 403, body: '<html>' }
      return path === '/comments/b' ? [listing([t3('b')]), listing([t1('c')])] : undefined
    })

    expect((await search()).posts.map(({ post_id }) => post_id)).toEqual(['t3_a', 't3_b', 't1_c'])
  })

  it('keeps what it has read when the rates end it, and needs not read it again', async () => {
    const threads = [t3('a', { num_comments: 3 }), t3('b', { num_comments: 2 })]
    let reads = 0
    const { clock, calls, search } = aReddit((path, query) => {
      if (path === '/api/info')
        return listing(query.has('url') ? threads : threads.filter(({ data }) => query.get('id')?.includes(data.name)))
      if (!path.startsWith('/comments')) return undefined
      reads += 1
      if (reads === 2) return { status: 429, headers: { 'x-ratelimit-reset': '30' }, body: '' }
      const id = path.slice('/comments/'.length)
      return [listing([]), listing([t1(`of_${id}`)])]
    })

    const first = await search()
    expect(first).toMatchObject({ stopped: { detail: 'rate_limit', until: A_NOON + 30_000 }, read: 3 })
    await clock.advance(30_000)
    calls.splice(0)
    const second = await search()

    expect(second.stopped).toBeUndefined()
    expect(calls.filter((path) => path.startsWith('/comments'))).toEqual(['/comments/b'])
  })
})

describe('a thread on Reddit', () => {
  const looked = async (tree: readonly object[], children?: object) => {
    const thread = t3('a', { num_comments: 300 })
    const { search } = aReddit((path, query) => {
      if (path === '/api/info' && query.has('url')) return listing([thread])
      if (path === '/comments/a') return [listing([thread]), listing(tree)]
      return path === '/api/morechildren' ? children : undefined
    })
    return (await search()).complete
  }
  const things = (...of: readonly object[]) => ({ json: { errors: [], data: { things: of } } })

  it('is complete where nothing of it was left, gaps included', async () => {
    const gap = t1('b', { author: '[deleted]', body: '[deleted]', replies: listing([t1('c')]) })

    expect(await looked([gap, more('d', ['d'])], things(t1('d')))).toEqual(['t3_a', 't1_b', 't1_c', 't1_d'])
  })

  it.each([
    ['a branch is too deep', [t1('b', { replies: listing([more('_', [])]) })], undefined],
    ['more does not come', [t1('b'), more('d', ['d'])], { json: { errors: [['TOO_BIG', '', '']] } }],
    ['there are too many', Array.from({ length: 501 }, (_, i) => t1(`c${i}`)), undefined],
  ])('is not complete where %s', async (_, tree, children) => {
    expect(await looked(tree, children)).toEqual([])
  })
})

describe('posts that Reddit is asked for again', () => {
  it('are not gone because one answer was empty', async () => {
    let answers = 0
    const { source } = aReddit((path, query) =>
      path === '/api/info' && ++answers > 1
        ? listing((query.get('id') ?? '').split(',').map((name) => t1(name.slice(3))))
        : undefined,
    )
    const posts = Array.from({ length: 500 }, (_, i) => ({ post_id: `t1_${i}`, url: null, created_at: A_NOON }))

    expect(await trouble(source.gone(posts, signal))).toMatchObject({ name: 'Unavailable', detail: 'none_of_asked' })
    expect((await source.gone(posts, signal)).gone).toEqual([])
  })

  it('are gone where they are missing or empty, a hundred at a time', async () => {
    const asks: number[] = []
    const { source } = aReddit((path, query) => {
      if (path !== '/api/info') return undefined
      const ids = (query.get('id') ?? '').split(',')
      asks.push(ids.length)
      return listing(
        ids
          .filter((id) => id !== 't1_5')
          .map((name) => t1(name.slice(3), name === 't1_7' ? { body: '[removed]' } : {})),
      )
    })
    const posts = Array.from({ length: 150 }, (_, i) => ({ post_id: `t1_${i}`, url: null, created_at: A_NOON }))

    expect(await source.gone(posts, signal)).toEqual({ gone: ['t1_5', 't1_7'], read: 149 })
    expect(asks).toEqual([100, 50])
  })
})

describe('Reddit in trouble', () => {
  it('waits before the rate is used up: less than one request is left', async () => {
    const { search, calls } = aReddit((path) =>
      path === '/api/info'
        ? { headers: { 'x-ratelimit-remaining': '0.4', 'x-ratelimit-reset': '90' }, body: JSON.stringify(listing([])) }
        : undefined,
    )

    expect(await trouble(search())).toMatchObject({ name: 'Limited', detail: 'rate_limit', until: A_NOON + 90_000 })
    expect(calls).toEqual(['/api/v1/access_token', '/api/info'])
  })

  it.each([
    [{ 'retry-after': '120' }, 120_000],
    [{ 'retry-after': new Date(A_NOON + 240_000).toUTCString() }, 240_000],
    [{ 'x-ratelimit-reset': '33.5' }, 33_500],
    [{}, 60_000],
    [{ 'retry-after': 'soon' }, 60_000],
    [{ 'retry-after': '0' }, 5_000],
    [{ 'retry-after': '99999999' }, 86_400_000],
  ])('waits where it is told 429, as long as it says: %j', async (headers, waitMs) => {
    const { search } = aReddit((path) => (path === '/api/info' ? { status: 429, headers } : undefined))

    expect(await trouble(search())).toMatchObject({ name: 'Limited', until: A_NOON + waitMs })
  })

  it('gets a new token once where the old one is not taken, and before it ends', async () => {
    let refusals = 1
    const { clock, search, calls, requests } = aReddit((path) =>
      path === '/api/info' && refusals-- > 0 ? { status: 401 } : undefined,
    )
    await search()
    expect(calls).toEqual(['/api/v1/access_token', '/api/info', '/api/v1/access_token', '/api/info', '/search'])
    expect(requests.at(-1)?.headers['authorization']).toBe('Bearer token 2')

    await clock.advance(3_540_000)
    calls.splice(0)
    await search()
    expect(calls).toEqual(['/api/v1/access_token', '/search'])
  })

  it.each([
    [(path: string) => (path === '/api/info' ? { status: 401 } : undefined), 'http_401'],
    [(path: string) => (path === '/api/info' ? { status: 403, body: '<html>Blocked</html>' } : undefined), 'http_403'],
    [(path: string) => (path === '/api/v1/access_token' ? { status: 401 } : undefined), 'token_http_401'],
  ])('is refused where credentials are', async (replies, detail) => {
    const cause = await trouble(aReddit(replies).search())

    expect(cause).toBeInstanceOf(PlatformRefused)
    expect(cause).toMatchObject({ detail })
  })

  it.each([
    [{ status: 503 }, 'http_503'],
    [{ status: 302 }, 'http_302'],
    [{ body: '{"kind":"Listing","data":{"chil' }, 'not_json'],
    [{ body: '<html>' }, 'not_json'],
    [{ body: '{"message":"ok"}' }, 'unexpected_shape'],
    [{ body: JSON.stringify(listing([{ kind: 't3', data: { name: 7 } }])) }, 'unexpected_shape'],
    [{ body: '['.repeat(100_000) + ']'.repeat(100_000) }, 'unexpected_shape'],
  ])('is away where it gives no answer that can be read', async (answer, detail) => {
    const { search } = aReddit((path) => (path === '/api/info' ? { status: 200, ...answer } : undefined))

    expect(await trouble(search())).toMatchObject({ name: 'Unavailable', detail })
  })

  it('never crashes on an answer whose bytes were mangled', async () => {
    const thread = t3('a', { num_comments: 2 })
    const tree = JSON.stringify([
      listing([thread]),
      listing([t1('b', { replies: listing([t1('c')]) }), more('d', ['d'])]),
    ])
    const whole = JSON.stringify(listing([thread, t3('e', { edited: 1.5 })]))
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(), fc.string({ maxLength: 3 }))),
        async (inTree, changes) => {
          const { search } = aReddit((path) => {
            if (path === '/api/info') return { status: 200, body: inTree ? whole : mangled(whole, changes) }
            if (path === '/comments/a') return { status: 200, body: inTree ? mangled(tree, changes) : tree }
            return path === '/api/morechildren' ? { json: { data: { things: [t1('d')] } } } : undefined
          })
          const cause = await trouble(search())
          expect(cause === null || isTrouble(cause)).toBe(true)
          expect(cause).not.toBeInstanceOf(Limited)
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** Some places of a text overwritten. */
const mangled = (text: string, changes: readonly (readonly [number, string])[]): string =>
  changes.reduce((sum, [at, by]) => {
    const place = at % sum.length
    return sum.slice(0, place) + by + sum.slice(place + by.length)
  }, text)
