import { Hono, type Context } from 'hono'
import { matches } from './query.ts'
import { forbidden, type Troubles } from './trouble.ts'
import { page, sameLink, type StandInPost, type PlatformWorld } from './world.ts'

export interface RedditAccess {
  readonly clientId: string
  readonly clientSecret: string
}

/** Reddit's API as far as a connector asks it. Shapes: https://www.reddit.com/dev/api and its archived source. */
export function redditStandIn(world: PlatformWorld, troubles: Troubles, access: RedditAccess): Hono {
  const tokens = new Set<string>()
  let issued = 0
  const app = new Hono()

  app.post('/api/v1/access_token', async (c) => {
    const basic = Buffer.from(`${access.clientId}:${access.clientSecret}`).toString('base64')
    if (c.req.header('authorization') !== `Basic ${basic}`) return unauthorized(c)
    if ((await c.req.parseBody())['grant_type'] !== 'client_credentials')
      return c.json({ error: 'unsupported_grant_type' }, 400)
    const access_token = `reddit-token-${++issued}`
    tokens.add(access_token)
    return c.json({ access_token, token_type: 'bearer', expires_in: 3600, scope: '*' })
  })

  const rates = (c: Context, remaining: string, seconds: number) => {
    c.header('x-ratelimit-used', '1')
    c.header('x-ratelimit-remaining', remaining)
    c.header('x-ratelimit-reset', `${seconds}`)
  }
  const guarded = troubles.middleware({
    platform: 'reddit',
    refusal: (c) => {
      if (!/\(by \/u\/\w/.test(c.req.header('user-agent') ?? '')) return forbidden(c)
      return tokens.has((c.req.header('authorization') ?? '').replace(/^bearer /i, '')) ? null : unauthorized(c)
    },
    limited: (c, seconds) => {
      rates(c, '0.0', seconds)
      return c.json({ message: 'Too Many Requests', error: 429 }, 429)
    },
    expired: (c) => {
      tokens.clear()
      return unauthorized(c)
    },
  })
  for (const path of ['/search', '/api/info', '/comments/*', '/api/morechildren']) {
    app.use(path, guarded, async (c, next) => {
      rates(c, '98.5', 300)
      await next()
    })
  }

  app.get('/search', (c) => c.json(listed(world, c, found(world, c))))

  app.get('/api/info', (c) => {
    const { url, id } = c.req.query()
    if (url !== undefined)
      return c.json(
        listed(
          world,
          c,
          threads(world).filter(({ link }) => sameLink(link, url)),
        ),
      )
    const ids = new Set((id ?? '').split(',').slice(0, 100))
    return c.json(
      listing(
        world
          .on('reddit')
          .filter((post) => ids.has(fullname(post)))
          .map((post) => thing(world, post)),
      ),
    )
  })

  app.get('/comments/:article', (c) => {
    const article = c.req.param('article').replace(/\.json$/, '')
    const post = threads(world, true).find((one) => fullname(one) === `t3_${article}`)
    if (post === undefined) return c.json({ message: 'Not Found', error: 404 }, 404)
    const limit = Number(c.req.query('limit') ?? 200)
    const depth = Number(c.req.query('depth') ?? 10)
    const tree = commentTree(world, post, { shown: shownOf(world, post, limit), depth })
    return c.json([listing([thing(world, post)]), listing(tree)])
  })

  app.post('/api/morechildren', async (c) => {
    const form = await c.req.parseBody()
    const children = typeof form['children'] === 'string' ? form['children'].split(',') : []
    if (form['api_type'] !== 'json' || children.length > 100) return c.json({ message: 'Bad Request', error: 400 }, 400)
    const requests = world.on('reddit').filter((post) => children.includes(redditId(post.id)) && visible(world, post))
    const things = requests.flatMap((post) => [post, ...below(world, post)]).map((post) => thing(world, post))
    return c.json({ json: { errors: [], data: { things } } })
  })
  return app
}

const unauthorized = (c: Context) => c.json({ message: 'Unauthorized', error: 401 }, 401)

/** Ids of Reddit are base 36. */
const redditId = (id: string) => id.toLowerCase().replace(/[^a-z0-9]/g, '')
const fullname = (post: StandInPost) => `${post.parent === null ? 't3' : 't1'}_${redditId(post.id)}`

const threads = (world: PlatformWorld, deletedToo = false) =>
  world.on('reddit').filter(({ parent, deleted }) => parent === null && (deletedToo || !deleted))

const WINDOWS: Readonly<Record<string, number>> = { hour: 1, day: 24, week: 168, month: 730, year: 8766 }

function found(world: PlatformWorld, c: Context): readonly StandInPost[] {
  const { q = '', t = 'all', sort = 'relevance' } = c.req.query()
  const since = world.now() - (WINDOWS[t] ?? Infinity) * 3_600_000
  const operator = (post: StandInPost) => (name: string, value: string) =>
    name === 'url' && (post.link ?? '').includes(value)
  const hits = threads(world).filter(
    (post) => post.created_at >= since && matches(q, { text: post.text, operator: operator(post) }),
  )
  return sort === 'new'
    ? hits.sort((a, b) => b.created_at - a.created_at)
    : hits.sort((a, b) => b.score - a.score || b.created_at - a.created_at)
}

function listed(world: PlatformWorld, c: Context, posts: readonly StandInPost[]): object {
  const { after, limit = '25' } = c.req.query()
  const from = after === undefined ? 0 : posts.findIndex((post) => fullname(post) === after) + 1
  const { items, next } = page(posts, from, Math.min(Number(limit), 100))
  const last = items.at(-1)
  return listing(
    items.map((post) => t3(world, post)),
    next === null || last === undefined ? null : fullname(last),
  )
}

const listing = (children: readonly object[], after: string | null = null) => ({
  kind: 'Listing',
  data: { after, before: null, dist: children.length, modhash: null, children },
})

const thing = (world: PlatformWorld, post: StandInPost): object =>
  post.parent === null ? t3(world, post) : t1(world, post, '')

function t3(world: PlatformWorld, post: StandInPost): object {
  const [title = '', ...rest] = post.deleted ? ['[deleted by user]', '[deleted]'] : post.text.split('\n\n')
  const id = redditId(post.id)
  const permalink = `/r/standin/comments/${id}/thread/`
  return {
    kind: 't3',
    data: {
      id,
      name: fullname(post),
      title,
      selftext: rest.join('\n\n'),
      url: post.link ?? `https://www.reddit.com${permalink}`,
      domain: post.link === null ? 'self.standin' : new URL(post.link).hostname,
      permalink,
      subreddit: 'standin',
      author: post.deleted ? '[deleted]' : post.author,
      score: post.score,
      upvote_ratio: 0.9,
      num_comments: below(world, post).length,
      created_utc: post.created_at / 1000,
      edited: false,
      over_18: false,
      is_self: post.link === null,
      stickied: false,
      removed_by_category: post.deleted ? 'deleted' : null,
    },
  }
}

function t1(world: PlatformWorld, post: StandInPost, replies: object | ''): { kind: 't1'; data: object } {
  const parent = world.find('reddit', post.parent)
  const root = world.root(post)
  const id = redditId(post.id)
  return {
    kind: 't1',
    data: {
      id,
      name: fullname(post),
      parent_id: parent === null ? `t3_${redditId(post.parent ?? '')}` : fullname(parent),
      link_id: fullname(root),
      body: post.deleted ? '[deleted]' : post.text,
      author: post.deleted ? '[deleted]' : post.author,
      score: post.score,
      score_hidden: false,
      controversiality: 0,
      created_utc: post.created_at / 1000,
      edited: post.score % 7 === 0 ? post.created_at / 1000 + 60 : false,
      distinguished: null,
      permalink: `/r/standin/comments/${redditId(root.id)}/thread/${id}/`,
      replies,
    },
  }
}

/** A deleted comment stays in its thread while somebody answers it. */
const visible = (world: PlatformWorld, post: StandInPost): boolean => !post.deleted || children(world, post).length > 0

const children = (world: PlatformWorld, post: StandInPost): readonly StandInPost[] =>
  world
    .answers(post)
    .filter((answer) => visible(world, answer))
    .sort((a, b) => b.score - a.score)

const below = (world: PlatformWorld, post: StandInPost): readonly StandInPost[] =>
  children(world, post).flatMap((child) => [child, ...below(world, child)])

/** The comments a tree of `limit` holds: level by level, the best first. */
function shownOf(world: PlatformWorld, post: StandInPost, limit: number): ReadonlySet<string> {
  const shown = new Set<string>()
  for (let level = children(world, post); level.length > 0; level = level.flatMap((one) => children(world, one))) {
    for (const { id } of level) if (shown.size < limit) shown.add(id)
    level = level.filter(({ id }) => shown.has(id))
  }
  return shown
}

interface RedditBounds {
  readonly shown: ReadonlySet<string>
  readonly depth: number
}

function commentTree(world: PlatformWorld, post: StandInPost, { shown, depth }: RedditBounds): object[] {
  const all = children(world, post)
  if (all.length > 0 && depth === 0) return [more(fullname(post), [])]
  const nodes: object[] = all
    .filter(({ id }) => shown.has(id))
    .map((child) => {
      const inner = commentTree(world, child, { shown, depth: depth - 1 })
      return t1(world, child, inner.length === 0 ? '' : listing(inner))
    })
  const hidden = all.filter(({ id }) => !shown.has(id)).map(({ id }) => redditId(id))
  return hidden.length === 0 ? nodes : [...nodes, more(fullname(post), hidden)]
}

/** Comments that must be asked for; without children: "continue this thread". */
const more = (parent_id: string, hidden: readonly string[]): object => ({
  kind: 'more',
  data: {
    count: hidden.length,
    id: hidden[0] ?? '_',
    name: `t1_${hidden[0] ?? '_'}`,
    parent_id,
    depth: 0,
    children: hidden,
  },
})
