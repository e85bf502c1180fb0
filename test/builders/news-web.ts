import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { guardedHop } from '../../src/adapters/guarded-get.ts'
import type { FetchedDocument, GetDocument } from '../../src/ports/http.ts'
import {
  chance,
  FEED_TROUBLES,
  feedDocument,
  newsSites,
  PAGE_TROUBLES,
  pageDocument,
  reply,
  ROBOTS,
  type Site,
  type SiteItem,
  type SiteReply,
} from './news-sites.ts'
import type { WorkingClock } from './working-clock.ts'

/** A request as a site saw it; times of the simulated clock. */
export interface SeenRequest {
  readonly host: string
  readonly path: string
  /** The process that made it. */
  readonly by: string
  readonly startedAt: number
  endedAt: number
  status: number
}

export interface NewsWeb {
  readonly sites: readonly Site[]
  readonly requests: readonly SeenRequest[]
  /** When the newest complete document of a feed that listed an item was sent first, by the item's id. */
  readonly sentAt: ReadonlyMap<string, number>
  /** Requests that reached this machine by its own address. */
  readonly intrusions: readonly string[]
  /** The web as one process sees it. After `kill`, no answer arrives. */
  reachedBy(process: string): { readonly get: GetDocument; readonly kill: () => void }
  close(): void
}

/** Real time. Shorter, and a busy machine would make sound requests fail. */
const TIMEOUT_MS = 250
const MAX_BYTES = 1_000_000

/**
 * Sites under names of their own, behind one server on the loopback interface. Those whose trouble is one of the
 * transport are reached over a socket; the others are called directly, since that is faster. Any other address is
 * requested with the rules of production.
 */
export async function aNewsWeb(count: number, days: number, clock: WorkingClock): Promise<NewsWeb> {
  const state = aState(newsSites(count, days), clock)
  const server = createServer((request, response) => {
    const { host = '' } = request.headers
    if (!host.endsWith('.example')) state.intrusions.push(`${host}${request.url ?? ''}`)
    send(state.answer(host, request.url ?? '/', request.headers), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  state.privateUrl = `http://127.0.0.1:${port}/private`
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
  const [open, guarded] = [
    guardedHop({ allowPrivate: true, ...limits }),
    guardedHop({ allowPrivate: false, ...limits }),
  ]

  const overSocket: GetDocument = async (url, headers, signal) => {
    const { host, pathname } = new URL(url)
    const found = await open(`http://127.0.0.1:${port}${pathname}`, { ...headers, host }, signal)
    return { ...found, url }
  }
  const directly: GetDocument = async (url, headers) => {
    const { host, pathname } = new URL(url)
    return documentOf(url, state.answer(host, pathname, headers))
  }

  const wayTo = (host: string): GetDocument => {
    if (!host.endsWith('.example')) return guarded
    return state.siteOf(host)?.isOverSocket === true ? overSocket : directly
  }

  return {
    ...state,
    reachedBy: (by) => reaching(by, { clock, wayTo, requests: state.requests }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function send(answer: SiteReply, response: ServerResponse): void {
  response.writeHead(answer.status, answer.headers)
  if (answer.sends === 'never') response.flushHeaders()
  else if (answer.sends === 'endless') endless(response)
  else response.end(answer.body)
}

function endless(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write('<rss>'.repeat(10_000)));
  }
  response.on('drain', more)
  more()
}

const documentOf = (url: string, { status, headers, body }: SiteReply): FetchedDocument => ({
  ...{ url, redirects: [], status, headers, body },
})

/** What the sites know: what they were requested, and what they sent. */
function aState(sites: readonly Site[], clock: WorkingClock) {
  const byHost = new Map(sites.map((site) => [site.host, site]))
  const times = new Map<string, number>()
  const sentAt = new Map<string, number>()
  const siteOf = (host: string): Site | undefined => byHost.get(host.replace('moved', 'site'))
  const noteSent = (items: readonly SiteItem[] | undefined): void => {
    for (const { id } of items ?? []) if (!sentAt.has(id)) sentAt.set(id, clock.now())
  }
  const state = {
    ...{ sites, sentAt, siteOf, privateUrl: '', requests: [] as SeenRequest[], intrusions: [] as string[] },
    answer: (host: string, path: string, headers: Readonly<Record<string, unknown>>): SiteReply => {
      const site = siteOf(host)
      const at = clock.now()
      if (path === '/robots.txt') return robots(host, site, at)
      if (site === undefined) return reply(404)
      const requested = { site, path, at }
      if (!/^\/(?:story|news)\//.test(path)) {
        const sent =
          FEED_TROUBLES[site.trouble]?.(requested) ?? feedDocument(site, at, String(headers['if-none-match']))
        noteSent(sent.lists)
        return sent
      }
      const before = times.get(host + path) ?? 0
      times.set(host + path, before + 1)
      const item = site.items.find(({ url }) => new URL(url).pathname === path.replace('/news/', '/story/'))
      const trouble =
        PAGE_TROUBLES[site.trouble]?.({ ...requested, times: before, privateUrl: state.privateUrl }) ?? null
      return trouble ?? (item === undefined ? reply(404) : pageDocument(site, item, at))
    },
  }
  return state
}

function robots(host: string, site: Site | undefined, at: number): SiteReply {
  if (host === 'closed.example') return reply(200, 'User-agent: *\nDisallow: /\n')
  return (site === undefined ? undefined : ROBOTS[site.trouble]?.(at)) ?? reply(404)
}

interface Reaching {
  readonly clock: WorkingClock
  readonly wayTo: (host: string) => GetDocument
  readonly requests: SeenRequest[]
}

function reaching(by: string, { clock, wayTo, requests }: Reaching): ReturnType<NewsWeb['reachedBy']> {
  const open = new Set<SeenRequest>()
  let dead = false
  const end = (seen: SeenRequest): void => {
    if (open.delete(seen)) seen.endedAt = clock.now()
  }
  return {
    kill: () => {
      dead = true
      for (const seen of open) end(seen)
    },
    get: async (url, headers, signal) => {
      if (dead) await new Promise<never>(() => undefined)
      const { host, pathname: path } = new URL(url)
      const seen: SeenRequest = { host, path, by, startedAt: clock.now(), endedAt: Infinity, status: 0 }
      requests.push(seen)
      open.add(seen)
      try {
        await clock.sleep(100 + Math.round(900 * chance(host)), signal) // the way there and back
        if (dead) await new Promise<never>(() => undefined)
        signal?.throwIfAborted()
        const found = await clock.during(wayTo(host)(url, headers, signal))
        seen.status = found.status
        return found
      } finally {
        end(seen)
      }
    },
  }
}
