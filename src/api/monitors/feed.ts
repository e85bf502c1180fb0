import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { MonitorChanged } from '../../events/monitors.ts'
import { matchList } from '../../views/monitors/matches.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { page, type DocPage } from '../http/page.ts'
import { isProblem, problem } from '../http/problem.ts'
import { defineOpenRoute, defineRoute, type Route } from '../http/route.ts'
import { atomFeed } from './atom.ts'
import { monitorParams } from './body.ts'
import type { MonitorSettings } from './monitor-settings.ts'

const keyed = { tag: 'Monitors', tier: 'starter', cost: 'request' } as const
const TOKEN_BYTES = 32
const ENTRIES = 50

const FeedAddress = z
  .object({
    url: z.string().openapi({
      description: 'Address of the Atom feed. It contains a secret token and is returned only in this response.',
      example: 'https://news.example.com/v1/monitors/mon_q2x4mvhb7k3zt5wa/feed.atom?token=Zm9yIGV4YW1wbGU',
    }),
  })
  .openapi('MonitorFeedAddress')

type MonitorFeedPorts = Pick<Dependencies, 'store' | 'clock' | 'keys' | 'publicUrl'>

/** The Atom feed of a monitor, and its token. */
export const feedRoutes = (ports: MonitorFeedPorts, known: MonitorSettings): readonly Route[] => [
  rotate(ports, known),
  revoke(known),
  feed(ports, known),
]

const rotate = ({ publicUrl }: MonitorFeedPorts, known: MonitorSettings): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'post',
      path: '/v1/monitors/{monitor_id}/feed-token',
      status: 200,
      operationId: 'rotateMonitorFeedToken',
      summary: 'Create or rotate the address of the Atom feed',
      description:
        `The feed has the newest ${ENTRIES} matches and needs no API key: its address contains a token. An earlier ` +
        'address stops working within a second.',
      problems: ['monitor_not_found'],
      request: { params: monitorParams },
      answer: FeedAddress,
    },
    async ({ params: { monitor_id } }, { caller, now }) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const feed_token_hash = hashOf(token).toString('hex')
      const changed = await known.change(monitor_id, caller, (found) => ({
        ...found,
        feed_token_hash,
        updated_at: now,
      }))
      return isProblem(changed) ? changed : { url: `${publicUrl}/v1/monitors/${monitor_id}/feed.atom?token=${token}` }
    },
  )

const revoke = (known: MonitorSettings): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'delete',
      path: '/v1/monitors/{monitor_id}/feed-token',
      status: 204,
      operationId: 'revokeMonitorFeedToken',
      summary: 'Revoke the address of the Atom feed',
      description: 'The feed can no longer be read.',
      problems: ['monitor_not_found'],
      request: { params: monitorParams },
      answer: z.null(),
    },
    async ({ params: { monitor_id } }, { caller, now }) => {
      const become = (found: MonitorChanged) => ({ ...found, feed_token_hash: null, updated_at: now })
      const changed = await known.change(monitor_id, caller, become)
      return isProblem(changed) ? changed : null
    },
  )

/** Not part of the document: it is for feed readers. */
const feed = (ports: MonitorFeedPorts, known: MonitorSettings): Route => {
  const pages = new FeedPages(ports)
  return defineOpenRoute(
    {
      ...{ tag: 'Monitors', status: 200, forPeople: true, answer: z.unknown() },
      method: 'get',
      path: '/v1/monitors/{monitor_id}/feed.atom',
      summary: 'The Atom feed of a monitor',
      contentType: 'application/atom+xml',
      problems: ['monitor_not_found'],
      request: { params: monitorParams, query: z.object({ token: z.string().max(100).default('') }) },
    },
    async ({ params: { monitor_id }, query: { token } }, { now }) => {
      const monitor = hasTokenForm(token) ? await known.ofFeed(monitor_id) : null
      if (monitor === null || !isTokenOf(monitor, token) || ports.keys.hasLiveKey?.(monitor, now) === false) {
        return problem(
          'monitor_not_found',
          'There is no feed at this address, its token was rotated, or its owner has no valid key',
        )
      }
      return pages.of(monitor)
    },
  )
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const hasTokenForm = (token: string): boolean => /^[\w-]{43}$/.test(token)

const isTokenOf = ({ feed_token_hash }: MonitorChanged, token: string): boolean =>
  feed_token_hash !== null && timingSafeEqual(Buffer.from(feed_token_hash, 'hex'), hashOf(token))

const FRESH_MS = 30_000
const MOST_PAGES = 500

interface CachedFeed {
  readonly madeAt: number
  /** Of the monitor. */
  readonly updatedAt: number
  readonly page: Promise<DocPage>
}

/**
 * Feeds by monitor. Feed readers have no key, so no rate limit applies to them; a feed costs one query in this time
 * instead, however often it is read.
 */
class FeedPages {
  private readonly ports: MonitorFeedPorts
  /** In order of insertion. */
  private readonly cached = new Map<string, CachedFeed>()

  constructor(ports: MonitorFeedPorts) {
    this.ports = ports
  }

  async of(monitor: MonitorChanged): Promise<DocPage> {
    const { monitor_id, updated_at } = monitor
    const now = this.ports.clock.now()
    const known = this.cached.get(monitor_id)
    if (known?.updatedAt === updated_at && now - known.madeAt < FRESH_MS) return known.page
    const made = { madeAt: now, updatedAt: updated_at, page: this.make(monitor) }
    this.put(monitor_id, made)
    try {
      return await made.page
    } catch (cause) {
      if (this.cached.get(monitor_id) === made) this.cached.delete(monitor_id)
      throw cause
    }
  }

  private put(id: string, made: CachedFeed): void {
    this.cached.delete(id)
    this.cached.set(id, made)
    const [oldest] = this.cached.keys()
    if (this.cached.size > MOST_PAGES && oldest !== undefined) this.cached.delete(oldest)
  }

  private async make(monitor: MonitorChanged): Promise<DocPage> {
    const { namespace, monitor_id } = monitor
    const { store, publicUrl } = this.ports
    const { matches } = await matchList(store, { namespace, monitor_id, cursor: undefined, limit: ENTRIES })
    const text = atomFeed({ monitor, matches, host: new URL(publicUrl).hostname })
    return page({ type: 'application/atom+xml; charset=utf-8', bytes: Buffer.from(text), isPrivate: true })
  }
}
