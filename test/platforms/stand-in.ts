import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { Platform } from '../../src/events/discourse.ts'
import { blueskyStandIn } from './bluesky.ts'
import { jetstreamStandIn, type JetstreamStandIn } from './jetstream.ts'
import { redditStandIn } from './reddit.ts'
import { Troubles, type StandInTrouble } from './trouble.ts'
import { twitterStandIn } from './twitter.ts'
import { PlatformWorld, type StandInPost } from './world.ts'

export interface StandIn {
  readonly url: string
  /** What a service needs to use it in place of the platforms. */
  readonly env: Readonly<Record<string, string>>
  readonly world: PlatformWorld
  readonly jetstream: JetstreamStandIn
  /** What was asked, the oldest first. */
  readonly requests: readonly LoggedRequest[]
  trouble(trouble: StandInTrouble): void
  /** No more trouble that was switched on before. */
  calm(platform: Platform): void
  stop(): Promise<void>
}

export interface LoggedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly status: number
}

export interface StandInOptions {
  readonly posts: readonly StandInPost[]
  /** Left out: a free one. */
  readonly port?: number
  /** Left out: the machine's clock. */
  readonly now?: () => number
}

const ACCESS = {
  clientId: 'stand-in',
  clientSecret: 'stand-in-secret',
  identifier: 'stand-in.example',
  password: 'stand-in-app-password',
  bearerToken: 'stand-in-bearer-token',
}

/**
 * One server in place of Reddit, Bluesky (with Jetstream) and X, for tests and for trying connectors out. Its posts are
 * written by hand or come from labelled sets; nothing it answers was captured from a platform, and every answer says so
 * (`x-stand-in: yes`).
 */
export async function startStandIn({ posts, port = 0, now = Date.now }: StandInOptions): Promise<StandIn> {
  const world = new PlatformWorld(posts, now)
  const troubles = new Troubles()
  const requests: LoggedRequest[] = []
  const app = new Hono()
  app.use(async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    await next()
    c.header('x-stand-in', 'yes')
    requests.push({ method: c.req.method, path: `${pathname}${search}`, status: c.res.status })
  })
  app.route('/', control(world, troubles))
  app.route('/', redditStandIn(world, troubles, ACCESS))
  app.route('/', blueskyStandIn(world, troubles, ACCESS))
  app.route('/', twitterStandIn(world, troubles, ACCESS))

  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }) as Server
  if (!server.listening) await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const jetstream = jetstreamStandIn(world, server)
  return {
    url: `http://${host}`,
    env: environment(host),
    world,
    jetstream,
    requests,
    trouble: (trouble) => troubles.add(trouble),
    calm: (platform) => troubles.calm(platform),
    stop: async () => {
      jetstream.stop()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const environment = (host: string) => ({
  REDDIT_CLIENT_ID: ACCESS.clientId,
  REDDIT_CLIENT_SECRET: ACCESS.clientSecret,
  REDDIT_USER_AGENT: 'node:story-intelligence:0.1 (by /u/stand-in)',
  REDDIT_AUTH_URL: `http://${host}`,
  REDDIT_API_URL: `http://${host}`,
  BLUESKY_IDENTIFIER: ACCESS.identifier,
  BLUESKY_APP_PASSWORD: ACCESS.password,
  BLUESKY_URL: `http://${host}`,
  BLUESKY_JETSTREAM_URL: `ws://${host}`,
  TWITTER_BEARER_TOKEN: ACCESS.bearerToken,
  TWITTER_API_URL: `http://${host}`,
})

const platform = z.enum(['reddit', 'bluesky', 'twitter'])

const ControlBody = z.object({
  platform,
  kind: z.enum([
    'http_503',
    'html_403',
    'rate_limit',
    'usage_cap',
    'cut_off',
    'hang_up',
    'wrong_shape',
    'slow',
    'expired_token',
    'expired_session',
    'calm',
  ]),
  next: z.int().positive().nullable().default(1),
  seconds: z.number().positive().default(60),
})

const PostBody = z.object({
  platform,
  id: z.string().min(1),
  parent: z.string().nullable().default(null),
  author: z.string().default('somebody'),
  text: z.string().min(1),
  created_at: z.union([z.number(), z.iso.datetime().transform((text) => Date.parse(text))]).optional(),
  score: z.int().default(1),
  link: z.url().nullable().default(null),
})

/** The stand-in's own addresses, which no platform has: `_control` and `_posts`. */
function control(world: PlatformWorld, troubles: Troubles): Hono {
  const app = new Hono()
  app.post('/_control', async (c) => {
    const parsed = ControlBody.safeParse(await bodyOf(c.req))
    if (!parsed.success) return c.text(z.prettifyError(parsed.error), 422)
    const { kind, ...rest } = parsed.data
    if (kind === 'calm') troubles.calm(rest.platform)
    else troubles.add({ kind, ...rest })
    return c.json({ ok: true })
  })
  app.post('/_posts', async (c) => {
    const parsed = PostBody.safeParse(await bodyOf(c.req))
    if (!parsed.success) return c.text(z.prettifyError(parsed.error), 422)
    const { created_at = world.now(), ...rest } = parsed.data
    world.add({ ...rest, created_at, deleted: false })
    return c.json({ ok: true }, 201)
  })
  app.delete('/_posts/:platform/:id', (c) => {
    const on = platform.safeParse(c.req.param('platform'))
    const removed = on.success && world.remove(on.data, c.req.param('id'))
    return removed ? c.json({ ok: true }) : c.json({ error: 'no such post' }, 404)
  })
  return app
}

const bodyOf = (request: { json(): Promise<unknown> }): Promise<unknown> => request.json().catch(() => 'not JSON')
