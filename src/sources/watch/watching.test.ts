import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  chance,
  CRAWL_DELAY_SECONDS,
  DAY_MS,
  editionAt,
  FEED_TEXT,
  HOUR_MS,
  newsUrl,
  NEWS_START,
  RETRY_AFTER_SECONDS,
  type Site,
  type SiteItem,
  type SiteTrouble,
} from '../../../test/builders/news-sites.ts'
import { aNewsWeb, type NewsWeb, type SeenRequest } from '../../../test/builders/news-web.ts'
import { eventsIn } from '../../../test/builders/plain-log.ts'
import {
  aWatchingWorld,
  feedOf,
  HOST_DELAY_MS,
  publishedIn,
  unwatch,
  watch,
  type PublishedArticle,
  type WatchingProcess,
  type WatchingWorld,
} from '../../../test/builders/watching.ts'
import { aWorkingClock } from '../../../test/builders/working-clock.ts'
import { articleId } from '../../events/ids.ts'
import { canonicalUrl } from '../../events/canonical-url.ts'
import { feedsChanged, type FeedChanged } from '../../events/sources.ts'

const [SITES, DAYS, LEAST_KILLS] = [200, 2, 20]
const END = NEWS_START + DAYS * DAY_MS
const REMOVED_AT = NEWS_START + 1.1 * DAY_MS

/** Two days of two hundred sites, with processes that are killed, join and leave. */
let world: WatchingWorld
let web: NewsWeb
let articles: readonly PublishedArticle[]
let textsById: ReadonlyMap<string, readonly PublishedArticle[]>
let feeds: ReadonlyMap<string, FeedChanged>
/** Times at which partitions moved: what was being attempted then is attempted again. */
const moves: number[] = []
let kills = 0

beforeAll(async () => {
  const clock = aWorkingClock(NEWS_START)
  web = await aNewsWeb(SITES, DAYS, clock)
  world = aWatchingWorld(web, clock)
  const moved = (): void => void moves.push(clock.now())

  let lives = 0
  /** A process that is started again each time it is killed. */
  const alwaysAgain = async (): Promise<void> => {
    const life = `always-${lives++}`
    const nth = 20 + Math.floor(500 * chance(life))
    const running = await world.start(life, { call: 'produce', nth, when: nth % 2 === 0 ? 'before' : 'after' })
    moved()
    await running.died
    moved()
    kills++
    await clock.sleep(1_000 + Math.round(60_000 * chance(`${life} away`)))
    await alwaysAgain()
  }
  const during = async (name: string, from: number, until: number): Promise<void> => {
    await clock.sleep(NEWS_START + from * DAY_MS - clock.now())
    const running: WatchingProcess = await world.start(name)
    moved()
    await clock.sleep(NEWS_START + until * DAY_MS - clock.now())
    await running.stop()
    moved()
  }
  const stopping = async (): Promise<void> => {
    await clock.sleep(REMOVED_AT - NEWS_START)
    for (const site of sitesWith('removed')) await unwatch(world.log, feedOf(site).feed_id)
    await watch(
      world.log,
      sitesWith('paused').map((site) => feedOf(site, { status: 'paused' })),
    )
  }

  await watch(
    world.log,
    web.sites.map((site) => feedOf(site)),
  )
  void alwaysAgain()
  void during('guest-1', 0.2, 0.5)
  void during('guest-2', 0.9, 1.3)
  void stopping()
  await clock.runUntil(END)

  articles = await publishedIn(world.log)
  textsById = textsOfItems()
  feeds = new Map((await eventsIn(world.log, feedsChanged)).map((feed) => [feed.feed_id, feed]))
}, 240_000)

afterAll(() => web.close())

const sitesWith = (...troubles: readonly SiteTrouble[]): readonly Site[] =>
  web.sites.filter(({ trouble }) => troubles.includes(trouble))

const idOf = (url: string): string => articleId('shared', canonicalUrl(url), '')
/** The texts that were published of an item, in their order. */
const textsOf = ({ id }: SiteItem): readonly PublishedArticle[] => textsById.get(id) ?? []

const textsOfItems = (): ReadonlyMap<string, readonly PublishedArticle[]> => {
  const byArticle = new Map<string, PublishedArticle[]>()
  for (const article of articles) {
    byArticle.set(article.articleId, [...(byArticle.get(article.articleId) ?? []), article])
  }
  return new Map(
    web.sites.flatMap(({ items }) =>
      items.map(({ id, url }) => {
        const addresses = [url, newsUrl(url)] // some sites have moved their pages, or name another address in them
        return [id, addresses.flatMap((address) => byArticle.get(idOf(address)) ?? [])] as const
      }),
    ),
  )
}

const isFeed = ({ path }: SeenRequest): boolean => !/^\/(?:story|news|robots\.txt)/.test(path)
const requestsTo = (host: string): readonly SeenRequest[] =>
  web.requests.filter((request) => request.host === host).toSorted((a, b) => a.startedAt - b.startedAt)

/** Consecutive requests of one host. */
const pairs = <Of>(of: readonly Of[]): readonly (readonly [Of, Of])[] =>
  of.slice(1).flatMap((next, i) => {
    const before = of[i]
    return before === undefined ? [] : [[before, next] as const]
  })

const movedNear = (at: number): boolean => moves.some((move) => move >= at - 2_000 && move <= at + 5_000)

describe('watching 200 feeds for days, with processes that are killed', () => {
  it('kills often enough for this to mean something', () => {
    expect(kills).toBeGreaterThanOrEqual(LEAST_KILLS)
  })

  it('publishes every item that a feed sent, soon after', () => {
    const longest: Partial<Record<SiteTrouble, number>> = { page_fails_first: 0.5, page_limited: 1, robots_away: 3 }
    const late = web.sites.flatMap(({ items, trouble }) =>
      items.flatMap((item) => {
        const sent = web.sentAt.get(item.id) ?? Infinity
        const bound = (longest[trouble] ?? 0.25) * HOUR_MS
        if (sent + bound > END) return []
        const [first] = textsOf(item)
        return first !== undefined && first.at <= sent + bound
          ? []
          : [`${item.id} ${trouble} ${(first?.at ?? Infinity) - sent}`]
      }),
    )

    expect(late).toEqual([])
  })

  it('finds every item of a feed that answers within the longest interval', () => {
    const answering = web.sites.filter(({ trouble }) => !HAVE_BAD_DAYS.includes(trouble))
    const missed = answering.flatMap(({ items, trouble }) =>
      items
        .filter((item) => {
          const listed = Math.max(item.publishedAt, NEWS_START)
          return listed + 7 * HOUR_MS < END && !((web.sentAt.get(item.id) ?? Infinity) <= listed + 7 * HOUR_MS)
        })
        .map(({ id }) => `${id} ${trouble}`),
    )

    expect(missed).toEqual([])
  })

  it('goes on with a feed that did not answer, or with something else, for half a day', () => {
    const forGood: readonly SiteTrouble[] = ['gone', 'removed', 'paused']
    const silent = web.sites.filter(({ trouble }) => HAVE_BAD_DAYS.includes(trouble) && !forGood.includes(trouble))
    const lost = silent.filter(
      ({ items }) => !items.some(({ id }) => (web.sentAt.get(id) ?? Infinity) - NEWS_START > DAY_MS),
    )

    expect(silent.length).toBeGreaterThan(40)
    expect(lost.map(({ host, trouble }) => `${host} ${trouble}`)).toEqual([])
  })

  it('gives an article and a text one event id, however often it is published', () => {
    const seen = articles.map(({ articleId: id, hash }) => `${id} ${hash}`)

    expect(new Set(seen).size).toBe(seen.length)
  })

  it('publishes one text of an item that nobody edited', () => {
    const unedited = web.sites.filter(
      ({ items, trouble }) => trouble !== 'robots_away' && items.every(({ edits }) => edits.length === 0),
    )
    const several = unedited.flatMap(({ items, trouble }) =>
      items.filter((item) => textsOf(item).length > 1).map(({ id }) => `${id} ${trouble}`),
    )

    expect(several).toEqual([])
  })

  it('publishes edits as revisions, at most five', () => {
    const edited = sitesWith('page_edited', 'page_retitled', 'edited_in_feed').flatMap(({ items }) => items)
    const old = edited.filter(({ publishedAt }) => publishedAt > NEWS_START && publishedAt + 1.3 * DAY_MS < END)

    expect(Math.max(...edited.map((item) => textsOf(item).length))).toBeLessThanOrEqual(6)
    expect(old.filter((item) => textsOf(item).length < 2).map(({ id }) => id)).toEqual([])
    for (const item of sitesWith('page_edited').flatMap(({ items }) => items)) {
      const editions = textsOf(item).map(({ event }) => Number(/edition (\d+)/.exec(event.text)?.[1]))
      expect(editions).toEqual(editions.toSorted((a, b) => a - b))
      if (item.publishedAt > NEWS_START && item.publishedAt < END - 1.3 * DAY_MS) {
        expect(editions.at(-1)).toBe(editionAt(item, item.publishedAt + DAY_MS))
      }
    }
  })

  it('publishes all titles and texts of a page as one article', () => {
    const articlesOf = (item: SiteItem) => new Set(textsOf(item).map(({ articleId: id }) => id)).size
    const retitled = sitesWith('page_retitled').flatMap(({ items }) => items)

    expect(Math.max(...retitled.map((item) => textsOf(item).length))).toBe(6)
    expect(retitled.filter((item) => articlesOf(item) > 1).map(({ id }) => id)).toEqual([])
  })

  it('takes the text from the page, and from the feed where the page must not or cannot be read', () => {
    const wrong = web.sites.flatMap(({ items, trouble }) => {
      const expected = FEED_TEXT.includes(trouble) ? 'feed' : 'page'
      // the last text: a page that cannot be read for hours replaces the text of the feed
      return items.flatMap((item) =>
        (textsOf(item).at(-1)?.event.text_source ?? expected) !== expected ? [`${item.id} ${trouble}`] : [],
      )
    })

    expect(wrong).toEqual([])
  })

  it('requests no page that robots.txt forbids', () => {
    const forbidden = web.requests.filter(
      ({ host, path }) =>
        (host === 'closed.example' || sitesWith('robots_forbid').some((site) => site.host === host)) &&
        path.startsWith('/story/'),
    )

    expect(forbidden).toEqual([])
  })

  it('requests no private address', () => {
    expect(web.intrusions).toEqual([])
  })

  it('makes one request at a time to a host, with the delay between', () => {
    const ways = new Set(['closed.example', ...sitesWith('moved_host').map(({ index }) => `moved${index}.example`)])
    const slow = new Set(sitesWith('robots_delay').map(({ host }) => host))
    const wrong: string[] = []
    for (const host of new Set(web.requests.map((request) => request.host))) {
      for (const [before, next] of pairs(requestsTo(host))) {
        const isSame = before.by === next.by
        if (next.startedAt < before.endedAt && (isSame || !ways.has(host))) wrong.push(`overlap at ${host}`)
        const isPage = next.path.startsWith('/story/')
        const delay = slow.has(host) && isPage ? CRAWL_DELAY_SECONDS * 1000 : HOST_DELAY_MS
        if (isSame && next.startedAt < before.endedAt + delay) wrong.push(`hurry at ${host}`)
      }
    }

    expect(wrong).toEqual([])
  })

  it('reads robots.txt once a day, and sooner only where it was unavailable', () => {
    const wrong = web.sites.flatMap(({ host, trouble }) => {
      const requested = requestsTo(host).filter(({ path }) => path === '/robots.txt')
      const again = pairs(requested).filter(([a, b]) => {
        const period = a.status === 503 ? HOUR_MS / 6 : DAY_MS
        return a.by === b.by && a.status !== 0 && b.startedAt < a.endedAt + period
      })
      return again.map(() => `${host} ${trouble}`)
    })

    expect(wrong).toEqual([])
  })

  it('never polls a feed again that answered 410, and says so', () => {
    for (const site of sitesWith('gone')) {
      const polls = requestsTo(site.host).filter(isFeed)
      const first = polls.findIndex(({ status }) => status === 410)
      const after = polls.slice(first + 1).filter(({ startedAt }) => !movedNear(startedAt))

      expect(first).toBeGreaterThan(0)
      expect(after).toEqual([])
      expect(feeds.get(feedOf(site).feed_id)).toMatchObject({ status: 'gone', status_reason: 'gone' })
    }
  })

  it('polls a feed at its new address, and back at the old one', () => {
    const addressOf = (site: Site): string | undefined => feeds.get(feedOf(site).feed_id)?.url
    const lastPath = ({ host }: Site): string | undefined => requestsTo(host).findLast(isFeed)?.path

    for (const site of sitesWith('moved')) {
      expect([addressOf(site), lastPath(site)]).toEqual([`http://${site.host}/new`, '/new'])
    }
    for (const site of sitesWith('moved_back')) {
      expect([addressOf(site), lastPath(site)]).toEqual([site.feedUrl, '/feed'])
    }
    for (const site of sitesWith('moved_host')) {
      expect(addressOf(site)).toBe(`http://moved${site.index}.example/new`)
      expect(requestsTo(site.host).findLast(isFeed)?.startedAt).toBeLessThan(NEWS_START + 1.3 * DAY_MS)
    }
    for (const site of sitesWith('temporary_redirect')) expect(addressOf(site)).toBe(site.feedUrl)
  })

  it('waits as long as a server asks', () => {
    const hosts = sitesWith('limited', 'unavailable').map(({ host }) => host)
    const waits = hosts.flatMap((host) =>
      pairs(requestsTo(host).filter(isFeed))
        .filter(([{ status, endedAt }]) => (status === 429 || status === 503) && !movedNear(endedAt))
        .map(([before, next]) => next.startedAt - before.endedAt),
    )
    const pages = sitesWith('page_limited').flatMap(({ items, host }) =>
      items.flatMap(({ url }) =>
        pairs(requestsTo(host).filter(({ path }) => path === new URL(url).pathname))
          .filter(([{ status, endedAt }]) => status === 429 && !movedNear(endedAt))
          .map(([before, next]) => next.startedAt - before.endedAt),
      ),
    )

    expect(waits.length).toBeGreaterThan(5)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1000)
    expect(pages.length).toBeGreaterThan(5)
    expect(Math.min(...pages)).toBeGreaterThanOrEqual(1_800_000)
  })

  it('requests neither a feed that was removed or paused nor its pages', () => {
    const after = sitesWith('removed', 'paused').flatMap(({ host }) =>
      requestsTo(host).filter(({ startedAt }) => startedAt > REMOVED_AT + 2_000),
    )

    expect(after).toEqual([])
  })
})

/** Their feeds do not answer for a while, or end. */
const HAVE_BAD_DAYS: readonly SiteTrouble[] = [
  ...(['slow', 'endless', 'gzip_bomb', 'gone', 'limited', 'unavailable', 'empty', 'html_error', 'broken_xml'] as const),
  ...(['returning', 'removed', 'paused'] as const),
]
