import { canonicalUrl } from '../../events/canonical-url.ts'
import { contentHash, normalisedText, sha256 } from '../../events/ids.ts'
import { plainText } from '../../language/plain-text.ts'
import type { FeedItem, ParsedFeed } from './parsed-feed.ts'
import { decodeRemembered, encodeRemembered, type RememberedItem } from './remembered-items.ts'

const DAY_MS = 86_400_000
/** Clocks differ, and some feeds publish in advance. */
const MAX_AHEAD_MS = 900_000
const MAX_EDITS = 255

export interface NewItemsOptions {
  /** The time of the poll, in milliseconds since 1970. */
  readonly at: number
  /** How many items the first poll of a feed publishes. */
  readonly maxFirstItems: number
  /** How old they are at most. */
  readonly maxFirstAgeDays: number
  /** The limits of the first poll hold although items are remembered: it could not read the whole feed. */
  readonly isFirstAgain?: boolean
}

export const FIRST_POLL: Pick<NewItemsOptions, 'maxFirstItems' | 'maxFirstAgeDays'> = {
  maxFirstItems: 100,
  maxFirstAgeDays: 7,
}

export interface NewItems {
  /** Items that no poll found before, in the order of the document. */
  readonly added: readonly FeedItem[]
  /**
   * Items whose title, text or time of change differ from the last poll. `edits` counts from 1 to 255; some feeds change
   * a time at every poll. Publish these too: a feed may use the guid of a removed item for another one.
   */
  readonly edited: readonly { readonly item: FeedItem; readonly edits: number }[]
  /** Pass this to the next poll. At most 21 bytes per item of the larger of 200 and twice the document. */
  readonly remembered: Buffer
}

/** At least this many items are remembered. The buffer is written with each poll, so a larger one costs storage. */
const MIN_REMEMBERED = 200

/**
 * Which items of a poll are new and which were edited. `remembered` is `null` at the first poll of a feed, which
 * publishes only its newest items (`options`) but remembers all.
 *
 * An item is known by its URL and title, otherwise by its id: some feeds change their guids or use the positions of
 * items. An id of items with different URLs identifies none of them. An item that vanishes and returns is not new while
 * it is remembered; the items that were absent longest are forgotten first. A publication date more than 15 minutes
 * ahead of `at` becomes `null`. Throws if `remembered` has an unknown format.
 */
export function newItems(feed: ParsedFeed, remembered: Buffer | null, options: NewItemsOptions): NewItems {
  const before = remembered === null ? [] : decodeRemembered(remembered)
  const present = distinctItems(feed.items)
  const knownAs = matched(present, before)
  const seen = present.map(({ item, keys }) => {
    const last = knownAs.get(keys) ?? null
    return { item: withoutFutureDate(item, options.at), last, now: { ...keys, edits: editsOf(keys, last) } }
  })

  const added = seen.flatMap(({ item, last }) => (last === null ? [item] : []))
  const claimed = new Set(knownAs.values())
  const absent = before.filter((item) => !claimed.has(item))
  const limit = Math.max(MIN_REMEMBERED, 2 * feed.items.length)
  return {
    added: (remembered === null || options.isFirstAgain === true ? firstItems : laterItems)(feed, added, options),
    edited: seen.flatMap(({ item, last, now }) =>
      last === null || last.digest === now.digest ? [] : [{ item, edits: now.edits }],
    ),
    remembered: encodeRemembered([...seen.map(({ now }) => now), ...absent].slice(0, limit)),
  }
}

type ItemKeys = Omit<RememberedItem, 'edits'>

interface DistinctItem {
  readonly item: FeedItem
  readonly keys: ItemKeys
}

/** The items of a document without those that share an id, or URL and title, with an earlier one. */
function distinctItems(items: readonly FeedItem[]): readonly DistinctItem[] {
  const shared = sharedIds(items)
  const found = new Set<string>()
  return items.flatMap((item): DistinctItem[] => {
    if (item.id === null) return []
    const page = pageKey(item)
    const id = hash('id', (shared.has(item.id) ? pageUrl(item) : null) ?? item.id)
    if (found.has(id) || (page !== null && found.has(page))) return []
    found.add(id)
    if (page !== null) found.add(page)
    return [{ item, keys: { id, page, digest: digestOf(item) } }]
  })
}

/** Ids of items with different URLs. */
function sharedIds(items: readonly FeedItem[]): ReadonlySet<string | null> {
  const urls = new Map<string | null, string>()
  return new Set(
    items.flatMap((item) => {
      const url = pageUrl(item)
      const other = urls.get(item.id)
      if (url !== null) urls.set(item.id, url)
      return url === null || other === undefined || other === url ? [] : [item.id]
    }),
  )
}

/** The remembered item of each present one that has any; no two share one. */
function matched(
  present: readonly DistinctItem[],
  before: readonly RememberedItem[],
): ReadonlyMap<ItemKeys, RememberedItem> {
  const found = new Map<ItemKeys, RememberedItem>()
  const free = new Set(before)
  const claim = (keys: ItemKeys, last: RememberedItem | undefined): void => {
    if (last === undefined || found.has(keys) || !free.delete(last)) return
    found.set(keys, last)
  }
  const byPage = new Map(before.toReversed().map((item) => [item.page, item]))
  for (const { keys } of present) if (keys.page !== null) claim(keys, byPage.get(keys.page))
  const byId = new Map(before.toReversed().map((item) => [item.id, item]))
  for (const { keys } of present) claim(keys, byId.get(keys.id))
  return found
}

function editsOf(keys: ItemKeys, last: RememberedItem | null): number {
  if (last === null) return 0
  return last.digest === keys.digest ? last.edits : Math.min(MAX_EDITS, last.edits + 1)
}

/**
 * The newest items of a feed, in the order of the document. Undated items count as older than dated ones. Those of
 * plain sitemaps are left out: they are the pages of the whole site.
 */
function firstItems(feed: ParsedFeed, items: readonly FeedItem[], options: NewItemsOptions): readonly FeedItem[] {
  const undatedAt = listsWholeSite(feed) ? -Infinity : options.at
  const recent = items.filter((item) => (dateOf(item) ?? undatedAt) >= oldestOf(options))
  const newest = recent.toSorted((a, b) => (dateOf(b) ?? 0) - (dateOf(a) ?? 0)).slice(0, options.maxFirstItems)
  const chosen = new Set(newest)
  return recent.filter((item) => chosen.has(item))
}

/** Old pages of a plain sitemap are left out at every poll: those that it listed may be forgotten, or listed in parts. */
const laterItems: typeof firstItems = (feed, items, options) =>
  listsWholeSite(feed) ? items.filter((item) => (dateOf(item) ?? options.at) >= oldestOf(options)) : items

const oldestOf = ({ at, maxFirstAgeDays }: NewItemsOptions): number => at - maxFirstAgeDays * DAY_MS

const listsWholeSite = ({ format }: ParsedFeed): boolean => format === 'sitemap' || format === 'sitemap-index'

const dateOf = ({ published_date, updated_date }: FeedItem): number | null => published_date ?? updated_date

const withoutFutureDate = (item: FeedItem, at: number): FeedItem =>
  item.published_date !== null && item.published_date > at + MAX_AHEAD_MS ? { ...item, published_date: null } : item

const pageUrl = ({ url }: FeedItem): string | null => (url === null ? null : (canonicalUrl(url) ?? url))

function pageKey(item: FeedItem): string | null {
  const url = pageUrl(item)
  return url === null || item.title === null ? null : hash('page', `${url}\n${normalisedText(item.title)}`)
}

/** Of the visible text: mark-up often changes without an edit. */
const digestOf = ({ title, text, updated_date }: FeedItem): string =>
  hash('digest', `${contentHash(title, plainText(text))}\n${updated_date ?? ''}`).slice(0, 8)

/** 8 bytes of SHA-256, hexadecimal. */
const hash = (kind: 'id' | 'page' | 'digest', text: string): string => sha256(`${kind}\n${text}`).toString('hex', 0, 8)
