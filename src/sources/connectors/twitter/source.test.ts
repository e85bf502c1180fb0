import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { A_NOON, aHandMovedClock } from '../../../../test/builders/api.ts'
import { aTarget } from '../../../../test/builders/connectors.ts'
import { postFlaw } from '../../../domain/intake/posts.ts'
import type { HttpAnswer, HttpRequest } from '../../../ports/http.ts'
import { isTrouble, PlatformRefused } from '../platform.ts'
import { twitterSource } from './source.ts'

const { signal } = new AbortController()

// Written by hand from the documented fields of X's API v2; nothing here is captured traffic.
const tweet = (id: string, over: object = {}) => ({
  ...{ id, text: `Ada Quill on the bridge ${id}`, edit_history_tweet_ids: [id], author_id: '7', lang: 'en' },
  ...{ created_at: new Date(A_NOON - 60_000).toISOString(), conversation_id: id, ...over },
})
const metrics = (like_count: number, retweet_count = 0) => ({
  public_metrics: { like_count, retweet_count, reply_count: 0, quote_count: 0 },
})
const answer = (data: readonly object[], meta: object = {}) => ({
  ...(data.length === 0 ? {} : { data, includes: { users: [{ id: '7', name: 'Wren', username: 'wren' }] } }),
  meta: { result_count: data.length, ...meta },
})

type TwitterReply = Partial<HttpAnswer> | object | undefined
type Replies = (query: Readonly<Record<string, string>>, path: string) => TwitterReply

const isAnswer = (reply: object): reply is Partial<HttpAnswer> => 'status' in reply || 'headers' in reply

/** An X that answers as the test says, and with no posts where it says nothing. */
function anX(replies: Replies, left = Infinity) {
  const clock = aHandMovedClock()
  const calls: Record<string, string>[] = []
  const requests: HttpRequest[] = []
  const http = async (request: HttpRequest): Promise<HttpAnswer> => {
    const { pathname, searchParams } = new URL(request.url)
    const query = Object.fromEntries(searchParams)
    requests.push(request)
    calls.push(query)
    const reply = replies(query, pathname) ?? answer([])
    const whole: HttpAnswer = { status: 200, headers: {}, body: '' }
    return Promise.resolve(isAnswer(reply) ? { ...whole, ...reply } : { ...whole, body: JSON.stringify(reply) })
  }
  const source = twitterSource({ http, clock, token: 'sesame', url: 'https://api.example' }, { left: () => left })
  const search = (cursor: string | null = null) => source.search(aTarget(), cursor, signal)
  return { clock, calls, requests, source, search }
}

const trouble = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (cause: unknown) => cause,
  )

describe('a search on X', () => {
  it('asks for names and terms without reposts, the most engaging first, as far back as search reaches', async () => {
    const { requests, calls, search } = anX(() => undefined)

    expect(await search()).toEqual({ posts: [], read: 0, cursor: null }) // `data` is absent
    expect(requests[0]?.headers).toEqual({ authorization: 'Bearer sesame' })
    expect(calls[0]).toMatchObject({
      query:
        '(("Ada Quill" ("Porthaven" OR "harbour" OR "bridge")) OR ("Porthaven" ("harbour" OR "bridge"))) -is:retweet',
      ...{
        sort_order: 'relevancy',
        max_results: '100',
        start_time: new Date(A_NOON - 7 * 86_400_000 + 60_000).toISOString(),
      },
    })
    expect(calls[0]?.['since_id']).toBeUndefined()
  })

  it('never asks a question of more than 512 characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 4 }),
        async (terms) => {
          const { calls, source } = anX(() => undefined)
          await source.search(aTarget({ terms, entities: terms.slice(0, 2) }), null, signal)
          expect(calls.every(({ query }) => (query ?? '').length <= 512)).toBe(true)
        },
      ),
    )
  })

  it('makes posts of what it gets, those that moved most people first', async () => {
    const { search } = anX(() =>
      answer(
        [
          tweet('11', metrics(1)),
          tweet('12', {
            ...metrics(40, 2),
            ...{
              text: 'Short …',
              note_tweet: { text: 'Ada Quill &amp; the harbour bridge: 1 &lt; 2, &amp;lt; stays' },
            },
            referenced_tweets: [
              { type: 'quoted', id: '3' },
              { type: 'replied_to', id: '4' },
            ],
          }),
          tweet('13', {
            author_id: '8',
            entities: {
              urls: [
                { expanded_url: 'https://twitter.com/wren/status/1/photo/1' },
                { expanded_url: 'https://elsewhere.example/a' },
                {
                  expanded_url: 'https://short.example/b',
                  unwound_url: 'https://www.news.example/bridge?utm_source=x',
                },
              ],
            },
          }),
        ],
        { newest_id: '13', oldest_id: '11' },
      ),
    )

    const { posts, read, cursor } = await search()

    expect({ read, cursor }).toEqual({ read: 3, cursor: '13' })
    expect(posts).toEqual([
      {
        ...{ platform: 'twitter', post_id: '12', url: 'https://x.com/wren/status/12', author: 'wren', deleted: false },
        ...{ text: 'Ada Quill & the harbour bridge: 1 < 2, &lt; stays', created_at: A_NOON - 60_000, reply_to: '4' },
        ...{ cluster_id: 'sto_bridge', article_url: null, score: 42 },
      },
      expect.objectContaining({ post_id: '11', score: 1, cluster_id: null, reply_to: null }),
      expect.objectContaining({
        ...{ post_id: '13', author: '8', url: 'https://x.com/i/status/13', score: null, cluster_id: null },
        article_url: 'https://www.news.example/bridge?utm_source=x',
      }),
    ])
    for (const post of posts) expect(postFlaw({ ...post, namespace: 'shared' })).toBeNull()
  })

  it('goes on from the newest post it has seen, and begins anew where that is too old', async () => {
    const tooOld = {
      status: 400,
      body: JSON.stringify({
        title: 'Invalid Request',
        errors: [{ parameters: { since_id: ['5'] }, message: 'too old' }],
      }),
    }
    const { calls, search } = anX(({ since_id }) =>
      since_id === '5' ? tooOld : answer([tweet('90')], { newest_id: '90' }),
    )

    expect((await search('89')).cursor).toBe('90')
    expect(calls[0]).toMatchObject({ since_id: '89' })
    expect(calls[0]?.['start_time']).toBeUndefined()
    expect((await search('100')).cursor).toBe('100') // ids are numbers, not words
    expect((await search('5')).cursor).toBe('90')
    expect(calls.at(-1)?.['start_time']).toBeDefined()
  })

  it('follows pages until they end, at most three, and never past what may be read', async () => {
    const endless = ({ max_results }: Readonly<Record<string, string>>) =>
      answer(
        Array.from({ length: Number(max_results) }, (_, i) => tweet(`${i + 1}`)),
        { next_token: 'more' },
      )
    const rich = anX(endless)
    expect((await rich.search()).read).toBe(300)
    expect(rich.calls.map(({ next_token }) => next_token)).toEqual([undefined, 'more', 'more'])

    const poor = anX(endless, 115)
    expect((await poor.search()).read).toBe(115)
    expect(poor.calls.map(({ max_results }) => max_results)).toEqual(['100', '15'])

    const broke = anX(endless, 9)
    expect(await broke.search('3')).toEqual({ posts: [], read: 0, cursor: '3' })
    expect(broke.calls).toEqual([])
  })

  it('keeps the pages it has when the next one fails, and goes over them again', async () => {
    const { search } = anX(({ next_token }) =>
      next_token === undefined ? answer([tweet('11')], { next_token: 'more', newest_id: '11' }) : { status: 503 },
    )

    expect(await search('9')).toMatchObject({
      read: 1,
      cursor: '9',
      stopped: { name: 'Unavailable', detail: 'http_503' },
    })
  })

  it('takes what is there where some parts failed', async () => {
    const { search } = anX(() => ({
      ...answer([tweet('11')], { newest_id: '11' }),
      errors: [
        {
          title: 'Not Found Error',
          resource_type: 'user',
          value: '9',
          type: 'https://api.twitter.com/2/problems/resource-not-found',
        },
      ],
    }))

    expect(await search()).toMatchObject({ read: 1, cursor: '11' })
  })
})

describe('posts that X is asked for again', () => {
  it('are gone where X says that it cannot give them, a hundred at a time', async () => {
    const asks: number[] = []
    const { source } = anX(({ ids = '' }, path) => {
      const all = ids.split(',')
      asks.push(all.length)
      expect(path).toBe('/2/tweets')
      const missing = ['5', '7']
      const errors = missing
        .filter((id) => all.includes(id))
        .map((resource_id) => ({ resource_id, value: resource_id, title: 'Not Found Error' }))
      // 8 is in neither part: that says nothing
      return {
        data: all.filter((id) => ![...missing, '8'].includes(id)).map((id) => tweet(id)),
        ...(errors.length > 0 ? { errors } : {}),
      }
    })
    const posts = Array.from({ length: 120 }, (_, i) => ({ post_id: `${i + 1}`, url: null, created_at: A_NOON }))

    expect(await source.gone(posts, signal)).toEqual({ gone: ['5', '7'], read: 117 })
    expect(asks).toEqual([100, 20])
  })

  it('are all gone where the answer has errors alone', async () => {
    const { source } = anX(() => ({ errors: [{ value: '1' }] }))

    expect(await source.gone([{ post_id: '1', url: null, created_at: A_NOON }], signal)).toEqual({
      gone: ['1'],
      read: 0,
    })
  })
})

describe('X in trouble', () => {
  const reset = `${A_NOON / 1000 + 300}`

  it('is waited for as its header says in seconds since 1970, and not asked before', async () => {
    const { clock, calls, search } = anX(() => ({
      status: 429,
      headers: { 'x-rate-limit-reset': reset },
      body: '{"title":"Too Many Requests"}',
    }))

    expect(await trouble(search())).toMatchObject({ name: 'Limited', detail: 'rate_limit', until: A_NOON + 300_000 })
    const none = anX(() => ({ status: 429 }))
    expect(await trouble(none.search())).toMatchObject({ name: 'Limited', until: A_NOON + 60_000 })
    expect(calls).toHaveLength(1)
    await clock.advance(300_000)
  })

  it('is not asked again before the rate is new where the last request of it was made', async () => {
    const headers = { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': reset }
    const { calls, search, source, clock } = anX((_, path) =>
      path === '/2/tweets' ? { data: [{ id: '1' }] } : { headers, body: JSON.stringify(answer([])) },
    )
    await search()

    expect(await trouble(search())).toMatchObject({ name: 'Limited', until: A_NOON + 300_000 })
    expect(calls).toHaveLength(1)
    // another path has a rate of its own
    await source.gone([{ post_id: '1', url: null, created_at: A_NOON }], signal)
    expect(calls).toHaveLength(2)
    await clock.advance(300_000)
    await search()
    expect(calls).toHaveLength(3)
  })

  it.each([
    [{ title: 'UsageCapExceeded', period: 'Monthly' }, Date.UTC(2016, 5, 1)],
    [
      { type: 'https://api.twitter.com/2/problems/usage-capped', title: 'UsageCapExceeded', period: 'Daily' },
      Date.UTC(2016, 4, 4),
    ],
    [{ detail: 'Usage cap exceeded: Monthly product cap' }, Date.UTC(2016, 5, 1)],
  ])('is left until the plan has posts again: %j', async (problem, until) => {
    const { search } = anX(() => ({
      status: 429,
      headers: { 'x-rate-limit-reset': reset },
      body: JSON.stringify(problem),
    }))

    expect(await trouble(search())).toMatchObject({ name: 'Limited', detail: 'platform_cap', until })
  })

  it.each([401, 402, 403])('is a refusal of our token or plan: %i', async (status) => {
    const cause = await trouble(anX(() => ({ status, body: '<html>' })).search())

    expect(cause).toBeInstanceOf(PlatformRefused)
    expect(cause).toMatchObject({ detail: `http_${status}` })
  })

  it.each([
    [{ status: 503 }, 'http_503'],
    [{ status: 400, body: '{"title":"Invalid Request"}' }, 'http_400'],
    [{ body: '{"data":[{"id":' }, 'not_json'],
    [{ body: '{}' }, 'unexpected_shape'],
    [{ body: '{"data":17,"meta":{}}' }, 'unexpected_shape'],
    [{ body: '{"errors":[{"title":"Something"}]}' }, 'unexpected_shape'],
    [{ body: '{"data":[{"id":"x","text":"","created_at":""}]}' }, 'unexpected_shape'],
  ])('is away where it gives no answer that can be read: %j', async (given, detail) => {
    expect(await trouble(anX(() => ({ status: 200, ...given })).search())).toMatchObject({
      name: 'Unavailable',
      detail,
    })
  })

  it('never crashes on an answer whose bytes were mangled', async () => {
    const whole = JSON.stringify(
      answer(
        [
          tweet('11', metrics(3)),
          tweet('12', { entities: { urls: [{ expanded_url: 'https://news.example/bridge' }] } }),
        ],
        {
          newest_id: '12',
        },
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(200, 400, 429),
        fc.array(fc.tuple(fc.nat(), fc.string({ maxLength: 3 }))),
        async (status, changes) => {
          const body = changes.reduce((sum, [at, by]) => {
            const place = at % sum.length
            return sum.slice(0, place) + by + sum.slice(place + by.length)
          }, whole)
          const { search } = anX(() => ({ status, body }))
          const cause = await trouble(search())
          expect(cause === null || isTrouble(cause)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
