import type { PostFields } from '../../../domain/intake/posts.ts'
import {
  isTrouble,
  type FoundPosts,
  type PlatformAllowance,
  type PlatformConnector,
  type PlatformRounds,
  type PlatformSource,
  type StoryTarget,
} from '../platform.ts'
import type { KnownPost } from '../published-posts.ts'
import { queryOf } from '../words.ts'
import { BadParameter, TwitterClient, type TwitterPorts } from './client.ts'
import { postsOf, FoundTweets as FoundShape, LookupResponse } from './shapes.ts'

/** Minimum and maximum page size of X's search. */
const LEAST_POSTS = 10
const MOST_POSTS = 100
const MAX_PAGES = 3
const IDS_AT_ONCE = 100
const MAX_QUERY = 512
const NO_REPOSTS = ' -is:retweet'
/** X's recent search covers seven days. One minute less allows for clock differences. */
const RECENT_MS = 7 * 86_400_000 - 60_000

const FIELDS = {
  'tweet.fields': 'created_at,author_id,conversation_id,lang,public_metrics,referenced_tweets,entities,note_tweet',
  expansions: 'author_id',
  'user.fields': 'username',
}

/** As specified, X is not searched for low-priority stories. */
export const twitterRounds: PlatformRounds = { lookUpsPerRound: 100, searches: (priority) => priority !== 'low' }

export const twitter: PlatformConnector = {
  variables: ['TWITTER_BEARER_TOKEN'],
  open: ({ twitter: access }, ports) =>
    access === null
      ? null
      : {
          addresses: { TWITTER_API_URL: access.url },
          budget: { postsPerMonth: access.postsPerMonth, least: LEAST_POSTS },
          source: (allowance) => twitterSource({ ...access, ...ports }, allowance),
          stream: null,
        },
}

/**
 * Posts about a story in X's order of relevance, at most three pages and within the budget. Each page is sorted by
 * engagement.
 */
export function twitterSource(ports: TwitterPorts, allowance: PlatformAllowance): PlatformSource {
  const client = new TwitterClient(ports)

  const search = async (target: StoryTarget, cursor: string | null, signal: AbortSignal): Promise<FoundPosts> => {
    const query = queryOf(target, MAX_QUERY - NO_REPOSTS.length - 2)
    if (query === null) return { posts: [], read: 0, cursor }
    const found = new TwitterSearch({ client, target, most: allowance.left(), signal })
    const q = { query: `(${query})${NO_REPOSTS}`, sort_order: 'relevancy', ...FIELDS }
    try {
      await found.pages({ ...q, ...since(cursor, ports.clock.now()) })
    } catch (cause) {
      if (!isTrouble(cause)) throw cause
      if (found.read > 0) return { posts: found.posts, read: found.read, cursor, stopped: cause }
      if (cursor === null || !isTooOld(cause)) throw cause
      await found.pages({ ...q, ...since(null, ports.clock.now()) })
    }
    return { posts: found.posts, read: found.read, cursor: newer(found.newest, cursor) }
  }

  const gone = async (posts: readonly KnownPost[], signal: AbortSignal) => {
    const missing: string[] = []
    let read = 0
    for (let i = 0; i < posts.length; i += IDS_AT_ONCE) {
      const ids = posts.slice(i, i + IDS_AT_ONCE).map(({ post_id }) => post_id)
      const { data, errors } = await client.ask(
        { path: '/2/tweets', query: { ids: ids.join(',') }, shape: LookupResponse },
        signal,
      )
      read += data?.length ?? 0
      // only ids that X reports as missing; an id without any result may still exist
      const named = new Set((errors ?? []).map(({ resource_id, value }) => resource_id ?? value ?? ''))
      missing.push(...ids.filter((id) => named.has(id)))
    }
    return { gone: missing, read }
  }

  return { platform: 'twitter', ...twitterRounds, search, gone }
}

interface TwitterSearchOptions {
  readonly client: TwitterClient
  readonly target: StoryTarget
  /** Maximum number of posts to read. */
  readonly most: number
  readonly signal: AbortSignal
}

/** The pages of one search. */
class TwitterSearch {
  readonly posts: PostFields[] = []
  read = 0
  newest: string | null = null
  private readonly options: TwitterSearchOptions

  constructor(options: TwitterSearchOptions) {
    this.options = options
  }

  async pages(query: Readonly<Record<string, string>>): Promise<void> {
    const { most } = this.options
    let next: string | null = ''
    for (let page = 0; next !== null && page < MAX_PAGES && most - this.read >= LEAST_POSTS; page++) {
      const max_results = `${Math.min(MOST_POSTS, Math.floor(most - this.read))}`
      next = await this.page({ ...query, max_results, ...(next === '' ? {} : { next_token: next }) })
    }
  }

  /** Reads a page. Returns the token of the next page; `null` after the last one. */
  private async page(query: Readonly<Record<string, string>>): Promise<string | null> {
    const { client, target, signal } = this.options
    const found = await client.ask({ path: '/2/tweets/search/recent', query, shape: FoundShape }, signal)
    this.read += found.data?.length ?? 0
    this.posts.push(...postsOf(found, target))
    this.newest = newer(found.meta?.newest_id ?? null, this.newest)
    return found.meta?.next_token ?? null
  }
}

const since = (cursor: string | null, now: number): Readonly<Record<string, string>> =>
  cursor === null ? { start_time: new Date(now - RECENT_MS).toISOString() } : { since_id: cursor }

/** Whether the cursor is older than the search covers. */
const isTooOld = (cause: unknown): boolean => cause instanceof BadParameter && cause.parameters.includes('since_id')

/** The newer of two ids. Ids increase with time and exceed the safe integer range. */
function newer(id: string | null, other: string | null): string | null {
  if (id === null || !/^\d{1,20}$/.test(id)) return other
  return other === null || BigInt(id) > BigInt(other) ? id : other
}
