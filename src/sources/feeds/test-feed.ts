import { parsedUrl } from '../../events/canonical-url.ts'
import type { NoFeed, PagePermission, SampleItem, TestedFeed } from '../../ports/feed-finder.ts'
import type { GetDocument } from '../../ports/http.ts'
import { PRODUCT } from '../watch/web.ts'
import { findFeed, type FeedAtAddress } from './find-feed.ts'
import type { FeedItem } from './parsed-feed.ts'
import { robotsRules, type RobotsRules } from './robots-rules.ts'

const SAMPLE = 5

/** Reads the feed at an address or of the site whose page it is, and whether its pages may be read. */
export async function testFeed(address: string, get: GetDocument, now: number): Promise<TestedFeed | NoFeed> {
  const found = await findFeed(address, get)
  if (found.kind === 'none') return found
  const seen = described(found, now)
  return { ...seen, pages: await permissionOf(seen.sample, get) }
}

function described({ url, feed }: FeedAtAddress, now: number): Omit<TestedFeed, 'pages'> {
  const newest = feed.items.toSorted((a, b) => (dateOf(b) ?? 0) - (dateOf(a) ?? 0))
  const [first] = newest
  const newestAt = first === undefined ? null : dateOf(first)
  const lengths = feed.items.map(({ text }) => text.length).toSorted((a, b) => a - b)
  return {
    kind: 'feed',
    url,
    format: feed.format,
    title: feed.title,
    items: feed.items.length,
    newest_item_at: newestAt === null ? null : Math.min(now, newestAt),
    median_characters: lengths[Math.floor(lengths.length / 2)] ?? 0,
    sample: newest
      .slice(0, SAMPLE)
      .map(({ title, url: page, published_date }) => ({ title, url: page, published_date })),
  }
}

const dateOf = ({ published_date, updated_date }: FeedItem): number | null => published_date ?? updated_date

async function permissionOf(sample: readonly SampleItem[], get: GetDocument): Promise<PagePermission> {
  const pages = sample.flatMap(({ url }) => (url === null ? [] : (parsedUrl(url) ?? [])))
  const webPages = pages.filter(({ protocol }) => /^https?:$/.test(protocol))
  if (webPages.length === 0) return 'none'
  const origins = [...new Set(webPages.map(({ origin }) => origin))]
  const rules = new Map(await Promise.all(origins.map(async (origin) => [origin, await rulesOf(origin, get)] as const)))
  if ([...rules.values()].includes(null)) return 'unknown'
  const allowed = webPages.filter(({ origin, pathname, search }) => rules.get(origin)?.allows(pathname + search)).length
  if (allowed === 0) return 'forbidden'
  return allowed === webPages.length ? 'allowed' : 'partly'
}

/** `null` if it cannot be read (RFC 9309, 2.3.1.4). */
async function rulesOf(origin: string, get: GetDocument): Promise<RobotsRules | null> {
  const answer = await get(`${origin}/robots.txt`, {}).catch(() => null)
  if (answer === null || answer.status >= 500) return null
  return robotsRules({ text: answer.body.toString('utf8'), status: answer.status }, PRODUCT)
}
