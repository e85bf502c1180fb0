import { parsedUrl } from '../events/canonical-url.ts'
import { plainText } from '../language/plain-text.ts'
import type { GetDocument } from '../ports/http.ts'
import { noCheckpoint, type FeedState } from './import-state.ts'
import type { FeedItem } from './feeds/parsed-feed.ts'
import { readFeeds, type ReadFeed } from './feeds/read-feeds.ts'
import { importArticles, tryArticles } from './import-articles.ts'
import type { FilesPorts } from './import-files.ts'
import type { SourceRecord } from './records.ts'
import { startImport } from './settle-stories.ts'
import type { SourceTally } from './tally.ts'

export interface FeedsImport {
  /** URLs or files, of feeds or of OPML lists. */
  readonly sources: readonly string[]
  readonly namespace: string
  /** Articles per second; `null` for no limit. */
  readonly rate: number | null
  readonly wait: boolean
}

export interface FeedsPorts extends FilesPorts {
  readonly get: GetDocument
  readonly state: FeedState
}

/** Results for the feeds themselves, not their articles. */
export interface FeedsReport {
  readonly feeds: number
  readonly unchanged: number
  readonly failed: readonly { readonly feed: string; readonly error: string }[]
}

/** Imports the articles of feeds. Repeating an import is safe: the same item gives the same event. */
export async function importFeeds(what: FeedsImport, ports: FeedsPorts, tally: SourceTally): Promise<FeedsReport> {
  const { log, codec, end } = await startImport(ports, what)
  const { clock, progress } = ports
  const report = await eachFeed(what, ports, async (found) => {
    const say = (): string => `${found.address}: ${tally.accepted} accepted, ${tally.refusals.length} refused`
    await importArticles(
      { ...sourceOf(found, what), rate: what.rate, checkpoint: noCheckpoint },
      {
        log,
        codec,
        clock,
        onUnavailable: () => progress.print(`${say()}; Kafka is not reachable`),
        onProgress: () => progress.update(say),
      },
      tally,
    )
    if (found.validators !== null) ports.state.save(found.address, found.validators)
  })
  await end(tally)
  return report
}

/** A dry run: fetches the feeds but writes nothing. */
export const tryFeeds = (what: FeedsImport, ports: FeedsPorts, tally: SourceTally): Promise<FeedsReport> =>
  eachFeed(what, ports, (found) => tryArticles(sourceOf(found, what), tally))

async function eachFeed(
  { sources }: FeedsImport,
  ports: FeedsPorts,
  take: (found: FoundFeed) => Promise<void>,
): Promise<FeedsReport> {
  const failed: { feed: string; error: string }[] = []
  let [feeds, unchanged] = [0, 0]
  for await (const found of readFeeds(sources, ports)) {
    feeds += 1
    if (found.kind === 'feed') await take(found)
    else if (found.kind === 'unchanged') unchanged += 1
    else failed.push({ feed: found.address, error: found.error })
  }
  return { feeds, unchanged, failed }
}

type FoundFeed = Extract<ReadFeed, { kind: 'feed' }>

const sourceOf = (found: FoundFeed, { namespace }: FeedsImport) => ({
  records: feedRecords(found),
  namespace,
  producer: 'import-rss',
  file: found.address,
})

/** The items of a feed as source records; `line` is the number of the item in its feed. */
async function* feedRecords({ address, feed }: FoundFeed): AsyncGenerator<SourceRecord> {
  for (const [index, item] of feed.items.entries()) {
    const fields = fieldsOf(item, feed.title ?? hostOf(address), address)
    yield { kind: 'fields', line: index + 1, fields, ...(item.title !== null && { title: item.title }) }
  }
}

/** Items contain HTML. The length of an article is that of its visible text. */
const fieldsOf = (item: FeedItem, source: string | null, address: string): Readonly<Record<string, unknown>> => ({
  url: item.url === null ? null : absolute(item.url, address),
  title: item.title,
  author: item.author,
  source: item.source ?? source,
  published_date: item.published_date === null ? null : new Date(item.published_date).toISOString(),
  text: plainText(item.text),
})

const absolute = (url: string, base: string): string => parsedUrl(url, base)?.href ?? url
const hostOf = (address: string): string | null => parsedUrl(address)?.hostname ?? null
