import { LRUCache } from 'lru-cache'
import { HOUR_MS } from '../../../domain/days.ts'
import type { PostFields } from '../../../domain/intake/posts.ts'
import { NO_BUDGET } from '../budget.ts'
import {
  isTrouble,
  type FoundPosts,
  type PlatformConnector,
  type PlatformRounds,
  type PlatformSource,
  type StoryTarget,
} from '../platform.ts'
import type { KnownPost } from '../published-posts.ts'
import { goneAmong, type PresenceAnswer } from '../still-there.ts'
import { certainStory, mayBeAbout, queryOf } from '../words.ts'
import { RedditClient, type RedditPorts } from './client.ts'
import {
  isGone,
  RedditListing,
  commentPost,
  threadPost,
  type ThreadData,
  MoreChildren,
  Tree,
  type CommentData,
  type Thing,
} from './shapes.ts'

const IDS_AT_ONCE = 100
export const redditRounds: PlatformRounds = { lookUpsPerRound: 500, searches: () => true }

export const reddit: PlatformConnector = {
  variables: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET', 'REDDIT_USER_AGENT'],
  open: ({ reddit: access }, ports) =>
    access === null
      ? null
      : {
          addresses: { REDDIT_AUTH_URL: access.authUrl, REDDIT_API_URL: access.apiUrl },
          budget: NO_BUDGET,
          source: () => redditSource({ ...access, ...ports }),
          stream: null,
        },
}

/** Reddit: threads that link to a story's articles, threads that match its terms, and their comments. */
export function redditSource(ports: RedditPorts): PlatformSource {
  const client = new RedditClient(ports)
  const cache: RedditCache = { lookedUp: new Map(), threads: new LRUCache({ max: MAX_STORIES }) }

  const search = async (target: StoryTarget, cursor: string | null, signal: AbortSignal): Promise<FoundPosts> => {
    const poll = new RedditPoll(target, { client, cache, signal, now: ports.clock.now() })
    try {
      await poll.byArticles()
      await poll.byWords()
      await poll.followUp()
      await poll.readThreads()
    } catch (cause) {
      if (!isTrouble(cause) || poll.found().read === 0) throw cause
      return { ...poll.found(), cursor, stopped: cause }
    }
    return { ...poll.found(), cursor: null }
  }

  const gone = async (posts: readonly KnownPost[], signal: AbortSignal) => {
    const ask = async (ids: readonly string[]): Promise<PresenceAnswer> => {
      const { children } = await client.ask(
        { path: '/api/info', query: { id: ids.join(',') }, shape: RedditListing },
        signal,
      )
      const held = children.flatMap((thing) => (thing.kind === 't1' || thing.kind === 't3' ? [thing.data] : []))
      return { returned: held.map(nameOf), existing: held.filter((data) => !isGone(data)).map(nameOf) }
    }
    return goneAmong(posts, IDS_AT_ONCE, ask)
  }

  return { platform: 'reddit', ...redditRounds, search, gone }
}

const nameOf = ({ name }: { readonly name: string }): string => name

/**
 * How long until an article's URL is searched again: threads about an article are posted soon or never. Comments of
 * known threads are checked in every round.
 */
const LOOK_UP_AGAIN_MS = 3 * HOUR_MS
const FORGET_MS = 96 * HOUR_MS
const PAGE_SIZE = 100
const MAX_PAGES = 2
const MAX_THREADS = 10
/** Maximum number of followed threads per story. Others are found again by search. */
const MAX_FOLLOWED = 100
const MAX_STORIES = 2_000
const MAX_QUERY = 512

interface Followed {
  /** The article by which the thread was found; `null` if it was found by words. */
  article: string | null
  /** Number of comments when they were last read. */
  comments: number
}

/** State that is kept between polls. It is lost on a restart, which costs one more request each. */
interface RedditCache {
  /** When an article's URL was last searched, by story and URL. */
  readonly lookedUp: Map<string, number>
  /** Followed threads of each story. */
  readonly threads: LRUCache<string, Map<string, Followed>>
}

interface RedditPollOptions {
  readonly client: RedditClient
  readonly cache: RedditCache
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly now: number
}

/** One poll for one story. */
class RedditPoll {
  private readonly target: StoryTarget
  private readonly options: RedditPollOptions
  private readonly followed: Map<string, Followed>
  private readonly seen = new Map<string, ThreadData>()
  private readonly posts = new Map<string, PostFields>()
  private readonly gone: string[] = []
  private readonly complete: string[] = []
  private read = 0
  private unread = 0

  constructor(target: StoryTarget, options: RedditPollOptions) {
    this.target = target
    this.options = options
    const { threads } = options.cache
    const key = `${target.namespace}\n${target.cluster_id}`
    this.followed = threads.get(key) ?? new Map<string, Followed>()
    threads.set(key, this.followed)
  }

  /** Finds threads that link to the story's articles. */
  async byArticles(): Promise<void> {
    const { cache, now } = this.options
    for (const [key, at] of cache.lookedUp) if (now - at > FORGET_MS) cache.lookedUp.delete(key)
    for (const url of this.target.urls) {
      const key = `${this.target.namespace}\n${this.target.cluster_id}\n${url}`
      if (now - (cache.lookedUp.get(key) ?? -Infinity) < LOOK_UP_AGAIN_MS) continue
      for (const data of threadsIn(await this.list('/api/info', { url, limit: `${PAGE_SIZE}` }))) this.take(data, url)
      cache.lookedUp.set(key, now)
    }
  }

  /** Finds threads that match the story's terms. */
  async byWords(): Promise<void> {
    const q = queryOf(this.target, MAX_QUERY)
    if (q === null) return
    const query = { q, sort: 'new', t: 'week', type: 'link', limit: `${PAGE_SIZE}` }
    for (let page = 0, after: string | null = ''; page < MAX_PAGES && after !== null; page++) {
      const listing = await this.list('/search', after === '' ? query : { ...query, after })
      for (const data of threadsIn(listing)) this.takeFound(data)
      after = listing.after
    }
  }

  /** Refreshes the followed threads that no search has returned. */
  async followUp(): Promise<void> {
    const others = [...this.followed.keys()].filter((name) => !this.seen.has(name)).slice(0, PAGE_SIZE)
    if (others.length === 0) return
    for (const data of threadsIn(await this.list('/api/info', { id: others.join(',') }))) this.take(data, null)
  }

  /**
   * Reads the comments of threads whose comment count has changed: threads that link to articles first, then the
   * largest.
   */
  async readThreads(): Promise<void> {
    for (const { data, followed } of this.due().slice(0, MAX_THREADS)) {
      await this.readThread(data.name, followed.article)
      followed.comments = data.num_comments ?? 0
    }
  }

  private async readThread(name: string, article: string | null): Promise<void> {
    const found = await commentsOf(this.options.client, name, this.options.signal)
    if (found === null) return
    this.unread += found.unread
    this.read += found.comments.length
    if (found.isComplete) this.complete.push(name, ...found.comments.map((comment) => comment.name))
    for (const comment of found.comments) {
      if (isGone(comment)) this.gone.push(comment.name)
      else this.posts.set(comment.name, commentPost(comment, article))
    }
  }

  found(): Omit<FoundPosts, 'cursor'> {
    const { gone, complete, read, unread } = this
    return { posts: [...this.posts.values()], read, gone, complete, unread }
  }

  private due(): readonly DueThread[] {
    const weight = ({ data, followed }: DueThread): number =>
      (data.num_comments ?? 0) + (followed.article === null ? 0 : 1e9)
    return [...this.seen.values()]
      .flatMap((data) => {
        const followed = this.followed.get(data.name)
        return followed === undefined || followed.comments === data.num_comments ? [] : [{ data, followed }]
      })
      .sort((a, b) => weight(b) - weight(a) || (a.data.name < b.data.name ? -1 : 1))
  }

  /** Reddit search is inexact. Threads that do not match the story's rule are ignored. */
  private takeFound(data: ThreadData): void {
    if (isGone(data) || mayBeAbout(this.target, threadPost(data, null).text)) this.take(data, null)
    else this.read += 1
  }

  private take(data: ThreadData, byArticle: string | null): void {
    this.read += 1
    if (isGone(data)) {
      this.gone.push(data.name)
      return
    }
    const followed = this.followed.get(data.name) ?? { article: null, comments: 0 }
    followed.article ??= byArticle
    this.followed.set(data.name, followed)
    const [oldest] = this.followed.keys()
    if (this.followed.size > MAX_FOLLOWED && oldest !== undefined) this.followed.delete(oldest)
    this.seen.set(data.name, data)
    const post = threadPost(data, followed.article)
    const claimed = { ...post, cluster_id: certainStory(this.target, post.text) }
    this.posts.set(data.name, followed.article === null ? claimed : post)
  }

  private async list(path: string, query: Readonly<Record<string, string>>): Promise<RedditListing> {
    const { client, signal } = this.options
    return client.ask({ path, query, shape: RedditListing }, signal)
  }
}

const threadsIn = ({ children }: RedditListing): readonly ThreadData[] =>
  children.flatMap((thing) => (thing.kind === 't3' ? [thing.data] : []))

interface DueThread {
  readonly data: ThreadData
  readonly followed: Followed
}

const MAX_COMMENTS = 500
const MAX_EXPANSIONS = 10
const CHILDREN_AT_ONCE = 100
const DEPTH = 10

interface Comments {
  readonly comments: readonly CommentData[]
  /** Branches that were too deep or too many to be read. */
  readonly unread: number
  /** Whether all comments of the thread were read. */
  readonly isComplete: boolean
}

/** Comments of a thread, at most 500, best first. `null` if the thread is not accessible. */
async function commentsOf(client: RedditClient, thread: string, signal: AbortSignal): Promise<Comments | null> {
  const query = { limit: `${MAX_COMMENTS}`, depth: `${DEPTH}`, sort: 'top' }
  const tree = await client.askIfOpen({ path: `/comments/${thread.replace(/^t3_/, '')}`, query, shape: Tree }, signal)
  if (tree === null) return null

  const gathered = new Gathered()
  gathered.add(tree[1].children)
  for (let expansions = 0; expansions < MAX_EXPANSIONS && gathered.wantsMore(); expansions++) {
    const form = { api_type: 'json', link_id: thread, children: gathered.next().join(','), limit_children: 'false' }
    const { json } = await client.ask({ path: '/api/morechildren', form, shape: MoreChildren }, signal)
    if (json.data === null || json.data === undefined) gathered.miss()
    else gathered.add(json.data.things)
  }
  return gathered.result()
}

/** Collects comments, and the ids behind "more" nodes. */
class Gathered {
  private readonly comments = new Map<string, CommentData>()
  private readonly expansions = new Set<string>()
  private waiting: string[] = []
  private unread = 0

  add(things: readonly Thing[]): void {
    const level: Thing[] = [...things]
    for (let thing = level.shift(); thing !== undefined; thing = level.shift()) {
      if (thing.kind === 'more') this.expand(thing.data)
      if (thing.kind !== 't1') continue
      this.comments.set(thing.data.name, thing.data)
      level.push(...below(thing.data.replies))
    }
  }

  /** Counts an expansion that returned nothing. */
  miss(): void {
    this.unread += 1
  }

  wantsMore(): boolean {
    return this.waiting.length > 0 && this.comments.size < MAX_COMMENTS
  }

  next(): readonly string[] {
    return this.waiting.splice(0, CHILDREN_AT_ONCE)
  }

  result(): Comments {
    const all = [...this.comments.values()]
    const unread = this.unread + this.waiting.length
    return { comments: all.slice(0, MAX_COMMENTS), unread, isComplete: unread === 0 && all.length <= MAX_COMMENTS }
  }

  /** The id `_` means "continue this thread", which is a separate page and is not read. */
  private expand({ id, children }: { readonly id: string; readonly children: readonly string[] }): void {
    if (id === '_' || children.length === 0) this.unread += 1
    const fresh = children.filter((child) => child !== '_' && !this.expansions.has(child))
    for (const child of fresh) this.expansions.add(child)
    this.waiting.push(...fresh)
  }
}

const below = (replies: RedditListing | null): readonly Thing[] => replies?.children ?? []
