import { plannedFeed } from '../../domain/feeds/documents.ts'
import { newFeed, watchedAlready, withStatus } from '../../domain/feeds/new-feed.ts'
import { SHARED } from '../../domain/intake/articles.ts'
import { documentsFetched, feedsChanged, type FeedChanged } from '../../events/sources.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { changeSetting } from '../../state/settings/change-setting.ts'
import { UpToDate } from '../../state/settings/book.ts'
import { FeedBook } from '../../state/settings/feeds.ts'
import { findFeed, type FeedAtAddress } from '../../sources/feeds/find-feed.ts'
import { publisher } from '../../sources/publisher.ts'
import type { CommandOptions } from '../options.ts'
import { lookAtAll, namedFeeds, type LookedAt, type NamedFeedsOptions } from './named-feeds.ts'

const feedsOf = async (wiring: Wiring): Promise<UpToDate<FeedBook>> =>
  new UpToDate(new FeedBook(), {
    log: await wiring.log(),
    codec: await wiring.codec(),
    clock: wiring.clock,
    onStrange: (offsets) => wiring.logger.warn({ offsets }, 'feeds_not_understood'),
  })

/** A feed as printed for an operator. */
const shown = (feed: FeedChanged) => ({
  id: feed.feed_id,
  namespace: feed.namespace,
  url: feed.url,
  source: feed.source,
  full_text: feed.full_text,
  status: feed.status,
  status_reason: feed.status_reason,
  created_at: new Date(feed.created_at).toISOString(),
})

export interface AddOptions extends CommandOptions, NamedFeedsOptions {
  readonly namespace?: string
  readonly source?: string
  /** False with `--no-full-text`. */
  readonly fullText: boolean
  /** Add without a request. */
  readonly unchecked?: true
}

/** Watches feeds. An address of a site is replaced by that of its feed; one that gives no feed is not added. */
export async function addFeeds(wiring: Wiring, urls: readonly string[], options: AddOptions): Promise<void> {
  const addresses = namedFeeds(urls, options)
  const looked = options.unchecked ? [] : await lookAtAll(wiring, addresses, findFeed)
  const feeds = options.unchecked
    ? addresses
    : looked.flatMap(({ found }) => (found.kind === 'feed' ? [found.url] : []))
  const dead = looked.filter(({ found }) => found.kind === 'none')
  const { added, known } = await add(wiring, feeds, options)
  if (options.json) {
    const failed = dead.map(({ address, found }) => ({ address, error: errorOf(found) }))
    wiring.out.json({
      ...(options.dryRun && { dry_run: true }),
      added: added.map(shown),
      known: known.map(shown),
      failed,
    })
  } else printAdded(wiring, { added, known, dead }, options)
  if (dead.length > 0) throw new Error(`${dead.length} of ${addresses.length} addresses give no feed`)
}

type AddressOutcome = LookedAt<FeedAtAddress>

const errorOf = (found: AddressOutcome['found']): string => (found.kind === 'none' ? found.error : '')

interface Added {
  readonly added: readonly FeedChanged[]
  /** Those that were watched already. */
  readonly known: readonly FeedChanged[]
}

async function add(wiring: Wiring, urls: readonly string[], options: AddOptions): Promise<Added> {
  const { namespace = SHARED, source = null, fullText: full_text } = options
  const now = wiring.clock.now()
  const watched = [...(await (await feedsOf(wiring)).now()).of(namespace)]
  const [added, known]: [FeedChanged[], FeedChanged[]] = [[], []]
  for (const url of urls) {
    const there = watchedAlready([...watched, ...added], url)
    if (there === undefined) added.push(newFeed({ namespace, url, source, full_text, key_id: '' }, now))
    else known.push(there)
  }
  const { perNamespace } = wiring.config.feeds
  if (watched.length + added.length > perNamespace)
    throw new Error(`${namespace} may watch ${perNamespace} feeds (FEEDS_PER_NAMESPACE); it watches ${watched.length}`)
  if (!options.dryRun) await write(wiring, added, now)
  return { added, known }
}

async function write(wiring: Wiring, feeds: readonly FeedChanged[], now: number): Promise<void> {
  const ports = {
    log: await wiring.log(),
    codec: await wiring.codec(),
    clock: wiring.clock,
    onUnavailable: () => undefined,
  }
  const settings = publisher(ports, { topic: feedsChanged })
  for (const feed of feeds) await settings.add(feed)
  await settings.flush()
  const documents = publisher(ports, { topic: documentsFetched })
  for (const feed of feeds) await documents.add(plannedFeed(feed, now))
  await documents.flush()
}

function printAdded(
  { out }: Wiring,
  { added, known, dead }: Added & { readonly dead: readonly AddressOutcome[] },
  { dryRun }: AddOptions,
): void {
  for (const { feed_id, url } of added) out.line(`${dryRun ? 'would add' : feed_id}  ${url}`)
  for (const { feed_id, url } of known) out.line(`${feed_id}  ${url}  (watched already)`)
  for (const { address, found } of dead) out.line(`not added  ${address}  ${errorOf(found)}`)
}

export interface ListOptions {
  readonly namespace?: string
  readonly json?: true
}

export async function listFeeds(wiring: Wiring, { namespace, json }: ListOptions): Promise<void> {
  const book = await (await feedsOf(wiring)).now()
  const feeds = (namespace === undefined ? book.all() : book.of(namespace)).toSorted(
    (a, b) => a.created_at - b.created_at || (a.feed_id < b.feed_id ? -1 : 1),
  )
  if (json) wiring.out.json({ feeds: feeds.map(shown) })
  else if (feeds.length === 0) wiring.out.line('No watched feed. Add one: story feeds add https://example.com/')
  else for (const feed of feeds) wiring.out.line(lineOf(feed))
}

const lineOf = ({ feed_id, namespace, status, status_reason, url, source }: FeedChanged): string =>
  [
    feed_id,
    namespace.padEnd(16),
    (status_reason === null ? status : `${status} (${status_reason})`).padEnd(8),
    url,
    ...(source === null ? [] : [source]),
  ].join('  ')

export type ChangeOptions = CommandOptions & { readonly namespace?: string }

/** Stops watching feeds, named by id or address. Throws before any change if one is unknown. */
export const removeFeeds = (wiring: Wiring, named: readonly string[], options: ChangeOptions): Promise<void> =>
  changeFeeds(wiring, named, { ...options, become: () => null, done: 'removed' })

/** Stops the polls of feeds until they are resumed, and the reading of their pages. */
export const pauseFeeds = (wiring: Wiring, named: readonly string[], options: ChangeOptions): Promise<void> =>
  changeFeeds(wiring, named, { ...options, become: withStatus('paused', wiring.clock.now()), done: 'paused' })

/** A feed that is gone stays so: it is removed and added again. */
export const resumeFeeds = (wiring: Wiring, named: readonly string[], options: ChangeOptions): Promise<void> =>
  changeFeeds(wiring, named, { ...options, become: withStatus('active', wiring.clock.now()), done: 'resumed' })

interface FeedsChange extends ChangeOptions {
  readonly become: (feed: FeedChanged) => FeedChanged | null
  /** What has happened to the feeds. */
  readonly done: 'removed' | 'paused' | 'resumed'
}

async function changeFeeds(wiring: Wiring, named: readonly string[], change: FeedsChange): Promise<void> {
  const { namespace = SHARED, dryRun, become, done } = change
  const known = await feedsOf(wiring)
  const book = await known.now()
  const feeds = named.map((name) => book.get(name) ?? watchedAlready(book.of(namespace), name) ?? throwUnknown(name))
  if (done !== 'removed') refuseGone(feeds)
  const ports = { log: await wiring.log(), codec: await wiring.codec(), known }
  for (const { feed_id } of dryRun ? [] : feeds) {
    await changeSetting(feed_id, { refusal: () => null, become }, ports)
  }
  printChanged(wiring, feeds, change)
}

function printChanged(
  { out }: Wiring,
  feeds: readonly FeedChanged[],
  { json, dryRun, become, done }: FeedsChange,
): void {
  const changed = feeds.map((feed) => shown(become(feed) ?? feed))
  if (json) out.json({ ...(dryRun && { dry_run: true }), [done]: changed })
  else for (const { id, url } of changed) out.line(`${id}  ${url}  ${dryRun ? 'would be' : 'was'} ${done}`)
}

function refuseGone(feeds: readonly FeedChanged[]): void {
  const gone = feeds.find(({ status }) => status === 'gone')
  if (gone !== undefined) throw new Error(`${gone.url} is gone: remove it, and add it again if it has returned`)
}

function throwUnknown(name: string): never {
  throw new Error(`no watched feed ${name}. \`story feeds list\` prints all`)
}
