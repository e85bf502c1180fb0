import { randomBytes } from 'node:crypto'
import { canonicalUrl, parsedUrl } from '../../events/canonical-url.ts'
import { base32 } from '../../events/ids.ts'
import type { FeedChanged } from '../../events/sources.ts'

export const MAX_FEED_URL_CHARACTERS = 2_048
export const MAX_SOURCE_CHARACTERS = 200

/** Why an address cannot be watched, as a sentence; `null` if it can. */
export function feedUrlProblem(url: string): string | null {
  const parsed = parsedUrl(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return 'expected an address: https://host/path'
  if (parsed.username + parsed.password !== '') return 'an address with a user name or password is not supported'
  return url.length > MAX_FEED_URL_CHARACTERS ? `longer than ${MAX_FEED_URL_CHARACTERS} characters` : null
}

export type NewFeed = Pick<FeedChanged, 'namespace' | 'url' | 'source' | 'full_text' | 'key_id'>

/** A feed that is watched from now on. `url` must have no `feedUrlProblem`. */
export const newFeed = (given: NewFeed, now: number): FeedChanged => ({
  feed_id: `fed_${base32(randomBytes(10))}`,
  ...given,
  url: new URL(given.url).href,
  ...{ status: 'active', status_reason: null, created_at: now, updated_at: now },
})

/** Pauses or resumes a feed. One that is gone stays gone. */
export const withStatus =
  (status: 'active' | 'paused', now: number) =>
  (feed: FeedChanged): FeedChanged =>
    feed.status === 'gone' ? feed : { ...feed, status, updated_at: now }

/** The feed with the same address, whatever its protocol, tracking parameters or trailing slash. */
export const watchedAlready = (feeds: readonly FeedChanged[], url: string): FeedChanged | undefined =>
  feeds.find((feed) => feed.url === url || identity(feed.url) === identity(url))

const identity = (url: string): string => canonicalUrl(url) ?? url
