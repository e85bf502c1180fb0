import { Hono, type Context } from 'hono'
import { base32, sha256 } from '../../src/events/ids.ts'
import { matches } from './query.ts'
import { forbidden, type Troubles } from './trouble.ts'
import { page, sameLink, type StandInPost, type PlatformWorld } from './world.ts'

export interface PlatformBlueskyAccess {
  readonly identifier: string
  readonly password: string
}

/** Bluesky's XRPC as far as a connector asks it. Shapes: the lexicons com.atproto.server.* and app.bsky.feed.*. */
export function blueskyStandIn(world: PlatformWorld, troubles: Troubles, access: PlatformBlueskyAccess): Hono {
  const accepted = new Set<string>()
  const refreshing = new Set<string>()
  let issued = 0
  const app = new Hono()
  const session = () => {
    issued++
    const tokens = { accessJwt: `access-${issued}`, refreshJwt: `refresh-${issued}` }
    accepted.add(tokens.accessJwt)
    refreshing.add(tokens.refreshJwt)
    return { ...tokens, did: didOf('stand-in'), handle: access.identifier, active: true }
  }
  const tokenOf = (c: Context) => (c.req.header('authorization') ?? '').replace(/^Bearer /, '')

  app.post('/xrpc/com.atproto.server.createSession', async (c) => {
    const { identifier, password } = await c.req.json<Record<string, unknown>>()
    if (identifier === access.identifier && password === access.password) return c.json(session())
    return wrong(c, { error: 'AuthenticationRequired', message: 'Invalid identifier or password' }, 401)
  })

  app.post('/xrpc/com.atproto.server.refreshSession', (c) =>
    // a refresh token works once
    refreshing.delete(tokenOf(c)) ? c.json(session()) : wrong(c, EXPIRED, 400),
  )

  app.use(
    '/xrpc/app.bsky.feed.*',
    troubles.middleware({
      platform: 'bluesky',
      refusal: (c) => {
        if (tokenOf(c) === '') return forbidden(c)
        return accepted.has(tokenOf(c)) ? null : wrong(c, EXPIRED, 400)
      },
      limited: (c, seconds) => {
        c.header('ratelimit-limit', '3000')
        c.header('ratelimit-remaining', '0')
        c.header('ratelimit-reset', `${Math.ceil(world.now() / 1000) + seconds}`)
        c.header('ratelimit-policy', '3000;w=300')
        return wrong(c, { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' }, 429)
      },
      expired: (c, all) => {
        accepted.clear()
        if (all) refreshing.clear()
        return wrong(c, EXPIRED, 400)
      },
    }),
  )

  app.get('/xrpc/app.bsky.feed.searchPosts', (c) => {
    const { q, limit = '25', cursor = '0' } = c.req.query()
    if (q === undefined || q.trim() === '') return wrong(c, invalid('Params must have the property "q"'), 400)
    if (Number(limit) > 100) return wrong(c, invalid('limit can not be greater than 100'), 400)
    const hits = found(world, c.req.query())
    const { items, next } = page(hits, Number(cursor), Number(limit))
    const posts = items.map((post) => postView(world, post))
    return c.json({ ...(next === null ? {} : { cursor: `${next}` }), hitsTotal: hits.length, posts })
  })

  app.get('/xrpc/app.bsky.feed.getPosts', (c) => {
    const uris = c.req.queries('uris') ?? []
    if (uris.length === 0 || uris.length > 25) return wrong(c, invalid('uris must have 1 to 25 elements'), 400)
    const posts = world.on('bluesky').filter((post) => !post.deleted && uris.includes(uriOf(post)))
    return c.json({ posts: posts.map((post) => postView(world, post)) })
  })

  app.get('/xrpc/app.bsky.feed.getPostThread', (c) => {
    const { uri = '', depth = '6' } = c.req.query()
    const post = world.on('bluesky').find((one) => uriOf(one) === uri)
    if (post === undefined || post.deleted)
      return wrong(c, { error: 'NotFound', message: `Post not found: ${uri}` }, 400)
    return c.json({ thread: thread(world, post, Number(depth)) })
  })
  return app
}

const EXPIRED = { error: 'ExpiredToken', message: 'Token has expired' }
const invalid = (message: string) => ({ error: 'InvalidRequest', message: `Error: ${message}` })
const wrong = (c: Context, body: { error: string; message: string }, status: 400 | 401 | 429) => c.json(body, status)

function found(world: PlatformWorld, query: Readonly<Record<string, string>>): readonly StandInPost[] {
  const { q = '', url, since, until, sort } = query
  const from = since === undefined ? -Infinity : Date.parse(since)
  const to = until === undefined ? Infinity : Date.parse(until)
  const hits = world
    .on('bluesky')
    .filter(
      (post) =>
        !post.deleted &&
        post.blocked !== true &&
        post.created_at >= from &&
        post.created_at < to &&
        (url === undefined || sameLink(post.link, url)) &&
        matches(q, { text: `${post.text} ${post.link ?? ''}`, operator: () => false }),
    )
  return sort === 'top' ? hits.sort((a, b) => b.score - a.score) : hits.reverse()
}

const hash = (text: string) => base32(sha256(text))
const didOf = (author: string) => `did:plc:${hash(author).slice(0, 24)}`
export const rkeyOf = ({ id }: StandInPost) => id.replace(/[^A-Za-z0-9.~-]/g, '')
export const uriOf = (post: StandInPost) => `at://${didOf(post.author)}/app.bsky.feed.post/${rkeyOf(post)}`
export const cidOf = (post: StandInPost) => `bafyrei${hash(post.text)}`

/** What its author has written into their repository. */
export function recordOf(world: PlatformWorld, post: StandInPost): object {
  const parent = world.find('bluesky', post.parent)
  const root = world.root(post)
  return {
    $type: 'app.bsky.feed.post',
    text: post.text,
    createdAt: new Date(post.created_at).toISOString(),
    langs: ['en'],
    ...(parent === null ? {} : { reply: { root: reference(root), parent: reference(parent) } }),
    ...(post.link === null ? {} : linked(post, post.link)),
  }
}

const reference = (post: StandInPost) => ({ uri: uriOf(post), cid: cidOf(post) })

/** An address within the text is a facet of it; otherwise there is a card below. */
function linked({ text }: StandInPost, uri: string): object {
  const at = text.indexOf(uri)
  if (at < 0) {
    return { embed: { $type: 'app.bsky.embed.external', external: { uri, title: 'Stand-in', description: '' } } }
  }
  const byteStart = Buffer.byteLength(text.slice(0, at))
  const index = { byteStart, byteEnd: byteStart + Buffer.byteLength(uri) }
  return { facets: [{ index, features: [{ $type: 'app.bsky.richtext.facet#link', uri }] }] }
}

function postView(world: PlatformWorld, post: StandInPost): object {
  const reposts = Math.floor(post.score / 4)
  return {
    uri: uriOf(post),
    cid: cidOf(post),
    author: { did: didOf(post.author), handle: post.author, displayName: post.author },
    record: recordOf(world, post),
    replyCount: world.answers(post).length,
    repostCount: reposts,
    likeCount: post.score - reposts,
    quoteCount: 0,
    bookmarkCount: 0,
    indexedAt: new Date(post.created_at + 1000).toISOString(),
    labels: [],
  }
}

function thread(world: PlatformWorld, post: StandInPost, depth: number): object {
  const uri = uriOf(post)
  if (post.deleted) return { $type: 'app.bsky.feed.defs#notFoundPost', uri, notFound: true }
  if (post.blocked === true) {
    const author = { did: didOf(post.author), viewer: { muted: false, blockedBy: true } }
    return { $type: 'app.bsky.feed.defs#blockedPost', uri, blocked: true, author }
  }
  const replies = depth === 0 ? [] : world.answers(post).map((answer) => thread(world, answer, depth - 1))
  return { $type: 'app.bsky.feed.defs#threadViewPost', post: postView(world, post), replies }
}
