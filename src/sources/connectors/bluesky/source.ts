import { LRUCache } from 'lru-cache'
import type { PostFields } from '../../../domain/intake/posts.ts'
import { canonicalUrl } from '../../../events/canonical-url.ts'
import { NO_BUDGET } from '../budget.ts'
import {
  isTrouble,
  type FoundPosts,
  type PlatformConnector,
  type PlatformPorts,
  type PlatformSource,
  type PlatformStream,
  type StoryTarget,
  PlatformUnavailable,
} from '../platform.ts'
import type { KnownPost } from '../published-posts.ts'
import { goneAmong, type PresenceAnswer } from '../still-there.ts'
import { shaped } from '../request-within.ts'
import { certainStory, mayBeAbout, splitTerms, phrase } from '../words.ts'
import { postsIn, postOfView, type PostArticles, type PostView } from './post.ts'
import { blueskyQuery, type BlueskyPorts, errorOf, type SessionQuery } from './session.ts'
import { JETSTREAM_PROTOCOL, runStream } from './stream.ts'
import { answersIn, ThreadAnswer } from './thread.ts'

const FIRST_SEARCH_MS = 7 * 86_400_000
/**
 * How far each search goes back before the previous one: a post may be indexed late, and its thread grows for about a
 * day.
 */
const OVERLAP_MS = 86_400_000
const URIS_AT_ONCE = 25

export const bluesky: PlatformConnector = {
  variables: ['BLUESKY_IDENTIFIER', 'BLUESKY_APP_PASSWORD'],
  open: ({ bluesky: access }, ports) =>
    access === null
      ? null
      : {
          addresses: { BLUESKY_URL: access.url },
          budget: NO_BUDGET,
          source: () => blueskySource({ access, ...ports }),
          stream: access.jetstreamUrl === null ? null : jetstream(access.jetstreamUrl, ports.openSocket),
        },
}

const jetstream = (url: string, openSocket: PlatformPorts['openSocket']): PlatformStream => ({
  variable: 'BLUESKY_JETSTREAM_URL',
  url,
  listen: (ports, signal) =>
    runStream({ ...ports, url, openSocket: openSocket({ protocols: [JETSTREAM_PROTOCOL] }) }, signal),
})

/**
 * Searches Bluesky and reads the threads of the posts that it finds. Needs no budget: the rate limits of Bluesky are
 * far above what is requested here.
 */
export function blueskySource(ports: BlueskyPorts): PlatformSource {
  const query = blueskyQuery(ports)
  /** Post URI to its reply count when its thread was last read. */
  const threads = new LRUCache<string, number>({ max: CACHED_THREADS })

  const search = async (target: StoryTarget, cursor: string | null, signal: AbortSignal): Promise<FoundPosts> => {
    const now = ports.clock.now()
    const poll = new BlueskyPoll(target, { query, threads, signal, since: sinceOf(cursor, now) })
    try {
      for (const question of questionsOf(target)) await poll.ask(question)
      await poll.readThreads()
    } catch (cause) {
      if (!isTrouble(cause) || poll.found().read === 0) throw cause
      return { ...poll.found(), cursor, stopped: cause }
    }
    return { ...poll.found(), cursor: new Date(now).toISOString() }
  }

  const gone = async (posts: readonly KnownPost[], signal: AbortSignal) => {
    const ask = async (uris: readonly string[]): Promise<PresenceAnswer> => {
      const params = uris.map((uri) => ['uris', uri] as const)
      const there = postsIn(await query({ method: 'app.bsky.feed.getPosts', params }, signal)).posts.map(
        ({ uri }) => uri,
      )
      return { returned: there, existing: there }
    }
    return goneAmong(posts, URIS_AT_ONCE, ask)
  }

  return { platform: 'bluesky', lookUpsPerRound: 250, searches: () => true, search, gone }
}

const sinceOf = (cursor: string | null, now: number): string => {
  const last = Date.parse(cursor ?? '')
  return new Date(Number.isNaN(last) ? now - FIRST_SEARCH_MS : last - OVERLAP_MS).toISOString()
}

const PAGE = 100
const MAX_PAGES = 2
const MAX_THREADS = 10
const MAX_ANSWERS = 500
const THREAD_DEPTH = 10
/** Number of threads whose reply count is cached. A thread that was evicted is read again. */
const CACHED_THREADS = 20_000

interface BlueskyPollOptions {
  readonly query: SessionQuery
  /** Post URI to its reply count when its thread was last read; kept between polls. */
  readonly threads: LRUCache<string, number>
  readonly signal: AbortSignal
  /** Posts before this time are not returned, ISO 8601. */
  readonly since: string
}

/** One poll for one story: searches, then the threads of the posts found. */
class BlueskyPoll {
  private readonly target: StoryTarget
  private readonly options: BlueskyPollOptions
  private readonly articles: PostArticles
  private readonly views = new Map<string, PostView>()
  private readonly posts = new Map<string, PostFields>()
  private readonly gone: string[] = []
  private readonly complete: string[] = []
  private read = 0

  constructor(target: StoryTarget, options: BlueskyPollOptions) {
    this.target = target
    this.options = options
    this.articles = new Set(target.urls.flatMap((url) => canonicalUrl(url) ?? []))
  }

  async ask(question: BlueskyQuestion): Promise<void> {
    const { query, signal, since } = this.options
    let cursor: string | undefined
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const params = paramsOf(question, since, cursor)
      const answer = await query({ method: 'app.bsky.feed.searchPosts', params }, signal)
      // Bluesky does not accept the URL as a link, so no post can contain it
      if (question.kind === 'link' && answer.status === 400 && errorOf(answer) === 'InvalidRequest') return
      const page = postsIn(answer)
      this.read += page.posts.length
      for (const view of page.posts) this.takeFound(view)
      cursor = page.cursor
      if (cursor === undefined || page.posts.length === 0) return
    }
  }

  /** Reads the threads that have new replies, those with the most new replies first. */
  async readThreads(): Promise<void> {
    const { threads } = this.options
    const growth = ({ uri, replyCount }: PostView): number => replyCount - (threads.peek(uri) ?? 0)
    const grown = [...this.views.values()].filter((view) => growth(view) > 0).sort((a, b) => growth(b) - growth(a))
    for (const view of grown.slice(0, MAX_THREADS)) {
      await this.readThread(view)
      threads.set(view.uri, view.replyCount)
    }
  }

  found(): Omit<FoundPosts, 'cursor'> {
    const gone = new Set(this.gone)
    return {
      posts: [...this.posts.values()].filter(({ post_id }) => !gone.has(post_id)),
      read: this.read,
      gone: this.gone,
      complete: this.complete,
    }
  }

  /** A search may return more than the query asked for. Posts that do not match the story's rule are ignored. */
  private takeFound(view: PostView): void {
    const post = postOfView(view, this.articles)
    if (post === null) return
    const isLinked = this.articles.has(canonicalUrl(post.article_url ?? '') ?? '')
    if (!isLinked && !mayBeAbout(this.target, post.text)) return
    this.views.set(view.uri, view)
    this.posts.set(view.uri, isLinked ? post : { ...post, cluster_id: certainStory(this.target, post.text) })
  }

  private async readThread({ uri }: PostView): Promise<void> {
    const { query, signal } = this.options
    const params = [
      ['uri', uri],
      ['depth', `${THREAD_DEPTH}`],
      ['parentHeight', '0'],
    ] as const
    const answer = await query({ method: 'app.bsky.feed.getPostThread', params }, signal)
    if (answer.status === 400 && errorOf(answer) === 'NotFound') {
      this.gone.push(uri) // deleted after the search
      return
    }
    if (answer.status !== 200) throw new PlatformUnavailable(`http_${answer.status}`)
    const answers = answersIn(shaped(answer, ThreadAnswer).thread, MAX_ANSWERS)
    this.read += answers.posts.length
    this.gone.push(...answers.gone)
    this.complete.push(...answers.complete)
    for (const view of answers.posts) {
      const post = postOfView(view, this.articles)
      if (post !== null && !this.posts.has(view.uri)) this.posts.set(view.uri, post)
    }
  }
}

function paramsOf(
  question: BlueskyQuestion,
  since: string,
  cursor: string | undefined,
): readonly (readonly [string, string])[] {
  return [
    ['q', question.kind === 'words' ? question.q : '*'],
    ...(question.kind === 'link' ? [['url', question.url] as const] : []),
    ['sort', 'latest'],
    ['since', since],
    ['limit', `${PAGE}`],
    ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
  ]
}

/** One search for a story: words that must all occur, or a URL that must be linked. */
type BlueskyQuestion = { readonly kind: 'words'; readonly q: string } | { readonly kind: 'link'; readonly url: string }

const MAX_WORDS = 5
const MAX_LINKS = 5

/**
 * The searches for a story: its newest articles by URL, and pairs of terms that include a name (for a story without
 * names: its first two terms and one more). Bluesky search has no documented OR operator, so each pair is searched
 * separately.
 */
function questionsOf(target: StoryTarget): readonly BlueskyQuestion[] {
  const links = target.urls.slice(0, MAX_LINKS).map((url): BlueskyQuestion => ({ kind: 'link', url }))
  const words = termsTogether(target).slice(0, MAX_WORDS)
  return [...links, ...words.map((terms): BlueskyQuestion => ({ kind: 'words', q: terms.map(phrase).join(' ') }))]
}

function termsTogether(target: StoryTarget): readonly (readonly string[])[] {
  const { names, words } = splitTerms(target)
  const [first, second] = names
  if (first === undefined) {
    const [sure, rest] = [words.slice(0, 2), words.slice(2)]
    return rest.length === 0 ? [sure].filter(({ length }) => length > 0) : rest.map((word) => [...sure, word])
  }
  if (second === undefined && words.length === 0) return [[first]]
  const withFirst = [...names.slice(1), ...words].map((term) => [first, term])
  return [...withFirst, ...names.slice(1).flatMap((name) => words.map((word) => [name, word]))]
}
