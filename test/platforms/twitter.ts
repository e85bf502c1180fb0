import { Hono, type Context } from 'hono'
import { sha256 } from '../../src/events/ids.ts'
import { matches } from './query.ts'
import type { Troubles } from './trouble.ts'
import { page, sameLink, type StandInPost, type PlatformWorld } from './world.ts'

export interface TwitterAccess {
  readonly bearerToken: string
}

const RECENT_MS = 7 * 86_400_000

/** X's API v2 as far as a connector asks it. Shapes: https://docs.x.com/x-api and the types of twitter-api-v2. */
export function twitterStandIn(world: PlatformWorld, troubles: Troubles, access: TwitterAccess): Hono {
  const app = new Hono()
  const rates = (c: Context, remaining: number, seconds: number) => {
    c.header('x-rate-limit-limit', '450')
    c.header('x-rate-limit-remaining', `${remaining}`)
    c.header('x-rate-limit-reset', `${Math.ceil(world.now() / 1000) + seconds}`)
  }
  const unauthorized = (c: Context) =>
    c.json({ title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' }, 401)

  app.use(
    '/2/*',
    troubles.middleware({
      platform: 'twitter',
      refusal: (c) => (c.req.header('authorization') === `Bearer ${access.bearerToken}` ? null : unauthorized(c)),
      limited: (c, seconds) => {
        rates(c, 0, seconds)
        const type = 'https://api.twitter.com/2/problems/rate-limit-exceeded'
        return c.json({ title: 'Too Many Requests', detail: 'Too Many Requests', type, status: 429 }, 429)
      },
      expired: unauthorized,
    }),
    async (c, next) => {
      rates(c, 449, 900)
      await next()
    },
  )

  app.get('/2/tweets/search/recent', (c) => {
    const requests = c.req.query()
    const flaw = flawOf(world, requests)
    if (flaw !== null) return c.json(invalidRequest(flaw), 400)
    const { max_results = '10', next_token = '0' } = requests
    const hits = found(world, requests)
    const { items, next } = page(hits, Number(next_token), Number(max_results))
    return c.json({ ...answered(world, items), meta: metaOf(items, next) })
  })

  app.get('/2/tweets', (c) => {
    const ids = (c.req.query('ids') ?? '').split(',').filter((id) => id !== '')
    if (ids.length === 0 || ids.length > 100) return c.json(invalidRequest('ids'), 400)
    const there = world.on('twitter').filter((post) => !post.deleted && ids.includes(idOf(post)))
    const errors = ids.filter((id) => !there.some((post) => idOf(post) === id)).map(notFound)
    return c.json({ ...answered(world, there), ...(errors.length === 0 ? {} : { errors }) })
  })
  return app
}

/** The parameter that X would not take; null: none. */
function flawOf(world: PlatformWorld, requests: Readonly<Record<string, string>>): string | null {
  const { query = '', max_results = '10', since_id, start_time } = requests
  const oldest = world.now() - RECENT_MS
  if (query === '' || query.length > 512) return 'query'
  if (!(Number(max_results) >= 10 && Number(max_results) <= 100)) return 'max_results'
  if (since_id !== undefined && (!/^\d{1,19}$/.test(since_id) || BigInt(since_id) < snowflake(oldest, 0)))
    return 'since_id'
  return start_time !== undefined && Date.parse(start_time) < oldest ? 'start_time' : null
}

const invalidRequest = (parameter: string) => ({
  errors: [{ parameters: { [parameter]: [''] }, message: `The '${parameter}' query parameter value is not valid` }],
  title: 'Invalid Request',
  detail: 'One or more parameters to your request was invalid.',
  type: 'https://api.twitter.com/2/problems/invalid-request',
})

const notFound = (id: string) => ({
  value: id,
  detail: `Could not find tweet with ids: [${id}].`,
  title: 'Not Found Error',
  resource_type: 'tweet',
  parameter: 'ids',
  resource_id: id,
  type: 'https://api.twitter.com/2/problems/resource-not-found',
})

function found(world: PlatformWorld, requests: Readonly<Record<string, string>>): readonly StandInPost[] {
  const { query = '', since_id = '0', start_time, sort_order = 'recency' } = requests
  const since = Math.max(world.now() - RECENT_MS, start_time === undefined ? 0 : Date.parse(start_time))
  const operator = (post: StandInPost) => (name: string, value: string) => {
    if (name === 'conversation_id') return idOf(world.root(post)) === value
    return name === 'url' && (sameLink(post.link, value) || (post.link ?? '').includes(value))
  }
  const hits = world
    .on('twitter')
    .filter((post) => !post.deleted && post.created_at >= since && BigInt(idOf(post)) > BigInt(since_id))
    .filter((post) => matches(query, { text: post.text, operator: operator(post) }))
  return sort_order === 'relevancy' ? hits.sort((a, b) => b.score - a.score) : hits.reverse()
}

const EPOCH_MS = 1_288_834_974_657n

const snowflake = (at: number, noise: number): bigint => {
  const ms = BigInt(Math.floor(at)) - EPOCH_MS
  return ((ms > 0n ? ms : 0n) << 22n) | BigInt(noise)
}

/** Ids of X grow with time; a number is taken as it is. */
function idOf({ id, created_at }: StandInPost): string {
  return /^\d+$/.test(id) ? id : `${snowflake(created_at, sha256(id).readUInt32BE(0) >>> 10)}`
}

/** Without posts there is no `data` at all. */
const answered = (world: PlatformWorld, posts: readonly StandInPost[]): object =>
  posts.length === 0
    ? {}
    : {
        data: posts.map((post) => tweet(world, post)),
        includes: {
          users: [...new Set(posts.map(({ author }) => author))].map((author) => ({
            id: userId(author),
            name: author,
            username: author,
          })),
        },
      }

const userId = (author: string) => `${sha256(author).readUInt32BE(0)}`

function tweet(world: PlatformWorld, post: StandInPost): object {
  const parent = world.find('twitter', post.parent)
  const id = idOf(post)
  const characters = Array.from(post.text)
  const isLong = characters.length > 280
  return {
    id,
    text: isLong ? `${characters.slice(0, 279).join('')}…` : post.text,
    ...(isLong ? { note_tweet: { text: post.text } } : {}),
    edit_history_tweet_ids: [id],
    created_at: new Date(post.created_at).toISOString(),
    author_id: userId(post.author),
    conversation_id: idOf(world.root(post)),
    lang: 'en',
    public_metrics: {
      retweet_count: Math.floor(post.score / 4),
      reply_count: world.answers(post).length,
      like_count: post.score - Math.floor(post.score / 4),
      quote_count: 0,
      bookmark_count: 0,
      impression_count: post.score * 40,
    },
    ...(parent === null ? {} : { referenced_tweets: [{ type: 'replied_to', id: idOf(parent) }] }),
    ...(post.link === null
      ? {}
      : { entities: { urls: [{ start: 0, end: 0, url: 'https://t.co/standin', expanded_url: post.link }] } }),
  }
}

function metaOf(posts: readonly StandInPost[], next: number | null): object {
  const ids = posts.map(idOf).sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  return {
    ...(ids.length === 0 ? {} : { newest_id: ids.at(-1), oldest_id: ids[0] }),
    result_count: posts.length,
    ...(next === null ? {} : { next_token: `${next}` }),
  }
}
