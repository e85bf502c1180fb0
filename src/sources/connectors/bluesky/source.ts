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
  PlatformAway,
} from '../platform.ts'
import type { KnownPost } from '../published-posts.ts'
import { goneAmong, type PresenceAnswer } from '../still-there.ts'
import { shaped } from '../request-within.ts'
import { claimOf, mayBeAbout, parted, phrase } from '../words.ts'
import { postsIn, postOfView, type PostArticles, type PostView } from './post.ts'
import { blueskyQuery, type BlueskyPorts, errorOf, type SessionQuery } from './session.ts'
import { JETSTREAM_PROTOCOL, runStream } from './stream.ts'
import { answersIn, ThreadAnswer } from './thread.ts'

const FIRST_LOOK_MS = 7 * 86_400_000
/** A post may be indexed late, and its thread grows for about a day: that much is looked at again each time. */
const AGAIN_MS = 86_400_000
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

/** Bluesky's search, and the threads below what it finds. No budget: its rates are far above what is asked here. */
export function blueskySource(ports: BlueskyPorts): PlatformSource {
  const query = blueskyQuery(ports)
  /** Post to the answers it had when its thread was read. */
  const threads = new LRUCache<string, number>({ max: REMEMBERED_THREADS })

  const search = async (target: StoryTarget, cursor: string | null, signal: AbortSignal): Promise<FoundPosts> => {
    const now = ports.clock.now()
    const look = new BlueskyLook(target, { query, threads, signal, since: sinceOf(cursor, now) })
    try {
      for (const question of questionsOf(target)) await look.ask(question)
      await look.readThreads()
    } catch (cause) {
      if (!isTrouble(cause) || look.found().read === 0) throw cause
      return { ...look.found(), cursor, stopped: cause }
    }
    return { ...look.found(), cursor: new Date(now).toISOString() }
  }

  const gone = async (posts: readonly KnownPost[], signal: AbortSignal) => {
    const ask = async (uris: readonly string[]): Promise<PresenceAnswer> => {
      const params = uris.map((uri) => ['uris', uri] as const)
      const there = postsIn(await query({ method: 'app.bsky.feed.getPosts', params }, signal)).posts.map(
        ({ uri }) => uri,
      )
      return { held: there, there }
    }
    return goneAmong(posts, URIS_AT_ONCE, ask)
  }

  return { platform: 'bluesky', lookUpsPerRound: 250, searches: () => true, search, gone }
}

const sinceOf = (cursor: string | null, now: number): string => {
  const last = Date.parse(cursor ?? '')
  return new Date(Number.isNaN(last) ? now - FIRST_LOOK_MS : last - AGAIN_MS).toISOString()
}

const PAGE = 100
const MAX_PAGES = 2
const MAX_THREADS = 10
const MAX_ANSWERS = 500
const THREAD_DEPTH = 10
/** The threads that were read last; an older one is read again. */
const REMEMBERED_THREADS = 20_000

interface BlueskyLookOptions {
  readonly query: SessionQuery
  /** Post to the answers it had when its thread was last read; kept from look to look. */
  readonly threads: LRUCache<string, number>
  readonly signal: AbortSignal
  /** Nothing before it, as the network writes moments. */
  readonly since: string
}

/** One look for one story: what its questions and the threads below bring together. */
class BlueskyLook {
  private readonly target: StoryTarget
  private readonly looking: BlueskyLookOptions
  private readonly articles: PostArticles
  private readonly views = new Map<string, PostView>()
  private readonly posts = new Map<string, PostFields>()
  private readonly gone: string[] = []
  private readonly complete: string[] = []
  private read = 0

  constructor(target: StoryTarget, looking: BlueskyLookOptions) {
    this.target = target
    this.looking = looking
    this.articles = new Set(target.urls.flatMap((url) => canonicalUrl(url) ?? []))
  }

  async ask(question: BlueskyQuestion): Promise<void> {
    const { query, signal, since } = this.looking
    let cursor: string | undefined
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const params = paramsOf(question, since, cursor)
      const answer = await query({ method: 'app.bsky.feed.searchPosts', params }, signal)
      // an address that the network does not take for one: nobody can have linked to it
      if (question.kind === 'link' && answer.status === 400 && errorOf(answer) === 'InvalidRequest') return
      const page = postsIn(answer)
      this.read += page.posts.length
      for (const view of page.posts) this.takeFound(view)
      cursor = page.cursor
      if (cursor === undefined || page.posts.length === 0) return
    }
  }

  /** Threads that have grown since they were read, those that grew most first. */
  async readThreads(): Promise<void> {
    const { threads } = this.looking
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

  /** A search may give more than was asked for: what does not fit the story's rule is left. */
  private takeFound(view: PostView): void {
    const post = postOfView(view, this.articles)
    if (post === null) return
    const isLinked = this.articles.has(canonicalUrl(post.article_url ?? '') ?? '')
    if (!isLinked && !mayBeAbout(this.target, post.text)) return
    this.views.set(view.uri, view)
    this.posts.set(view.uri, isLinked ? post : { ...post, cluster_id: claimOf(this.target, post.text) })
  }

  private async readThread({ uri }: PostView): Promise<void> {
    const { query, signal } = this.looking
    const params = [
      ['uri', uri],
      ['depth', `${THREAD_DEPTH}`],
      ['parentHeight', '0'],
    ] as const
    const answer = await query({ method: 'app.bsky.feed.getPostThread', params }, signal)
    if (answer.status === 400 && errorOf(answer) === 'NotFound') {
      this.gone.push(uri) // deleted since the search knew it
      return
    }
    if (answer.status !== 200) throw new PlatformAway(`http_${answer.status}`)
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

/** A search of one story: words that all have to be there, or an address that has to be linked to. */
type BlueskyQuestion = { readonly kind: 'words'; readonly q: string } | { readonly kind: 'link'; readonly url: string }

const MAX_WORDS = 5
const MAX_LINKS = 5

/**
 * What is asked about a story: the newest articles by their address, and each pair of terms of which one is a name (a
 * story that names nobody: its two first terms and one more). The search has no agreed sign for "or", so each is asked
 * by itself.
 */
function questionsOf(target: StoryTarget): readonly BlueskyQuestion[] {
  const links = target.urls.slice(0, MAX_LINKS).map((url): BlueskyQuestion => ({ kind: 'link', url }))
  const words = termsTogether(target).slice(0, MAX_WORDS)
  return [...links, ...words.map((terms): BlueskyQuestion => ({ kind: 'words', q: terms.map(phrase).join(' ') }))]
}

function termsTogether(target: StoryTarget): readonly (readonly string[])[] {
  const { names, words } = parted(target)
  const [first, second] = names
  if (first === undefined) {
    const [sure, rest] = [words.slice(0, 2), words.slice(2)]
    return rest.length === 0 ? [sure].filter(({ length }) => length > 0) : rest.map((word) => [...sure, word])
  }
  if (second === undefined && words.length === 0) return [[first]]
  const withFirst = [...names.slice(1), ...words].map((term) => [first, term])
  return [...withFirst, ...names.slice(1).flatMap((name) => words.map((word) => [name, word]))]
}
