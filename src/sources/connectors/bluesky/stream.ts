import { z } from 'zod'
import type { PostFields } from '../../../domain/intake/posts.ts'
import { canonicalUrl } from '../../../events/canonical-url.ts'
import { SocketRefused, type OpenSocket } from '../../../ports/http.ts'
import { parsedJson } from '../../jsonl.ts'
import { NOTHING_PUBLISHED, type PublishedCounts, type SeenPosts } from '../publishing.ts'
import type { StoryTarget, StreamCounts, StreamPorts } from '../platform.ts'
import { certainStory, spacedWords, mayBeAbout, splitTerms } from '../words.ts'
import { postOf, type PostArticles } from './post.ts'

interface BlueskyStreamPorts extends StreamPorts {
  /** A Jetstream v2 endpoint: `wss://jetstream.us-east.bsky.network`. */
  readonly url: string
  readonly openSocket: OpenSocket
}

/** Frame encoding, offered as the WebSocket subprotocol. */
export const JETSTREAM_PROTOCOL = 'xrpc.v1.json'
const PATH = '/xrpc/network.bsky.jetstream.subscribeEvents'
/** A cursor before all posts, microseconds since 1970: the stream starts with the oldest retained event. */
const BEGINNING = '1000000000000000'
const BAD_REQUEST = 400
const REPORT_INTERVAL_MS = 60_000
const TARGETS_MS = 5 * 60_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/**
 * Reads all posts of Bluesky in addition to the polls. Reconnects after errors until the signal aborts. Throws if our
 * own engines fail.
 */
export async function runStream(ports: BlueskyStreamPorts, signal: AbortSignal): Promise<void> {
  const stream = new BlueskyStream(ports)
  const isOver = (): boolean => signal.aborted
  for (let failures = 0; !isOver();) {
    const hasReceived = await stream.listen(signal)
    failures = hasReceived ? 0 : failures + 1
    const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
    if (!isOver()) await ports.clock.sleep(Math.random() * most, signal) // full jitter
  }
}

class BlueskyStream {
  private readonly ports: BlueskyStreamPorts
  private readonly views = new Map<string, StoryIndex>()
  /** Counts by namespace since the last report. */
  private readonly unreported = new Map<string, PublishedCounts>()
  private cursor: string | null
  private counts = noCounts()
  private targetsAt = -Infinity
  /**
   * Initially in the past, so that the first frame is reported and a short-lived stream still has a cursor to resume
   * from.
   */
  private reportedAt = -Infinity

  constructor(ports: BlueskyStreamPorts) {
    this.ports = ports
    this.cursor = oldest(ports.namespaces.map((namespace) => ports.publishing.polls.cursor(namespace, null)))
  }

  /** Reads until the connection ends. Returns whether any frame arrived. */
  async listen(signal: AbortSignal): Promise<boolean> {
    const { openSocket, url } = this.ports
    const frames = openSocket(addressOf(url, this.cursor), signal)[Symbol.asyncIterator]()
    let hasReceived = false
    try {
      for (;;) {
        const text = await this.next(frames)
        if (text === null) return hasReceived
        hasReceived = true
        await this.take(frameOf(text))
      }
    } finally {
      await frames.return?.()
    }
  }

  /** The next frame; `null` if the connection has ended. */
  private async next(frames: AsyncIterator<string>): Promise<string | null> {
    try {
      const got = await frames.next()
      return got.done === true ? null : got.value
    } catch (cause) {
      if (cause instanceof SocketRefused && cause.status === BAD_REQUEST) this.cursor = BEGINNING
      this.ports.onTrouble(cause)
      return null
    }
  }

  private async take(frame: Frame): Promise<void> {
    if (frame.kind === 'notice') {
      // events between the cursor and the oldest retained one are lost; nothing else would report this
      await this.report(frame.name === 'OutdatedCursor' ? 'outdated_cursor' : null)
      return
    }
    if (frame.kind === 'unreadable') this.counts.unreadable += 1
    else await this.takeEvent(frame)
    if (this.ports.clock.now() - this.reportedAt >= REPORT_INTERVAL_MS) await this.report(null)
  }

  private async takeEvent(frame: Exclude<Frame, { kind: 'notice' | 'unreadable' }>): Promise<void> {
    if (frame.kind === 'post') await this.takePost(frame)
    if (frame.kind === 'deletion') await this.takeDeletion(frame.uri)
    if (frame.seq !== null) this.cursor = `${frame.seq}`
  }

  private async takePost({ uri, record, seenAt }: Extract<Frame, { kind: 'post' }>): Promise<void> {
    this.counts.read += 1
    await this.renewTargets()
    for (const [namespace, view] of this.views) {
      const post = postOf({ uri, record, seenAt, score: null }, view.articles)
      if (post === null) continue
      const { posts } = this.ports.publishing
      const isReply = post.reply_to !== null && posts.get(namespace, post.reply_to) !== null
      const matched = view.about(post) ?? (isReply ? post : null)
      if (matched !== null) await this.publish(namespace, { posts: [matched], gone: [] })
    }
  }

  private async takeDeletion(uri: string): Promise<void> {
    this.counts.read += 1
    for (const namespace of this.ports.namespaces) {
      const isKnown = this.ports.publishing.posts.get(namespace, uri) !== null
      if (isKnown) await this.publish(namespace, { posts: [], gone: [uri] })
    }
  }

  private async publish(namespace: string, seen: SeenPosts): Promise<void> {
    const counts = await this.ports.publishing.publish(namespace, seen)
    const before = this.unreported.get(namespace) ?? NOTHING_PUBLISHED
    this.unreported.set(namespace, {
      published: before.published + counts.published,
      deleted: before.deleted + counts.deleted,
      flawed: before.flawed + counts.flawed,
    })
    this.counts.published += counts.published
    this.counts.deleted += counts.deleted
  }

  private async renewTargets(): Promise<void> {
    const { clock, namespaces, targets } = this.ports
    if (clock.now() - this.targetsAt < TARGETS_MS) return
    for (const namespace of namespaces) this.views.set(namespace, new StoryIndex(await targets(namespace)))
    this.targetsAt = clock.now()
  }

  /**
   * Records the stream position. The platform's outcome is repeated from the newest poll, because the newest record
   * counts: a stream that works while searches fail would otherwise hide the failure.
   */
  private async report(detail: string | null): Promise<void> {
    const { publishing, namespaces, onMinute, clock } = this.ports
    for (const [i, namespace] of namespaces.entries()) {
      const newest = publishing.polls.outcome(namespace)
      const poll = { namespace, cluster_id: null, ...newest, detail: detail ?? newest.detail, cursor: this.cursor }
      const posts_read = i === 0 ? this.counts.read : 0 // count the stream once
      await publishing.report({ ...poll, posts_read }, this.unreported.get(namespace) ?? NOTHING_PUBLISHED)
    }
    onMinute(this.counts)
    this.counts = noCounts()
    this.unreported.clear()
    this.reportedAt = clock.now()
  }
}

const noCounts = (): StreamCounts => ({ read: 0, unreadable: 0, published: 0, deleted: 0 })

/** The cursor from which all namespaces can resume. Namespaces without a cursor start there too. */
function oldest(cursors: readonly (string | null)[]): string | null {
  const positions = cursors.flatMap((cursor) => (cursor !== null && /^\d{1,16}$/.test(cursor) ? [Number(cursor)] : []))
  return positions.length === 0 ? null : `${Math.min(...positions)}`
}

function addressOf(url: string, cursor: string | null): string {
  const query = new URLSearchParams({ collections: 'app.bsky.feed.post', kinds: 'commit' })
  if (cursor !== null) query.set('cursor', cursor)
  return `${url.replace(/\/+$/, '')}${PATH}?${query.toString()}`
}

/** The stories of a namespace, indexed by word to match a stream of all posts against them. */
class StoryIndex {
  /** Canonical URLs of their articles. */
  readonly articles: PostArticles
  /** The longest word of each required term, to the stories that it may match. */
  private readonly byWord = new Map<string, StoryTarget[]>()

  constructor(targets: readonly StoryTarget[]) {
    this.articles = new Set(targets.flatMap(({ urls }) => urls.flatMap((url) => canonicalUrl(url) ?? [])))
    for (const target of targets) {
      for (const word of requiredWords(target)) this.byWord.set(word, [...(this.byWord.get(word) ?? []), target])
    }
  }

  /** The post, with the story it is about if its text is unambiguous; `null` if it is about none of these stories. */
  about(post: PostFields): PostFields | null {
    if (this.articles.has(canonicalUrl(post.article_url ?? '') ?? '')) return post
    const stories = [...this.candidates(post.text)].filter((target) => mayBeAbout(target, post.text))
    const [only, another] = stories
    if (only === undefined) return null
    return another === undefined ? { ...post, cluster_id: certainStory(only, post.text) } : post
  }

  private candidates(text: string): ReadonlySet<StoryTarget> {
    return new Set(
      spacedWords(text)
        .split(' ')
        .flatMap((word) => this.byWord.get(word) ?? []),
    )
  }
}

/**
 * One word of each name, or of the first term if the story has no names. Posts without any of these words cannot match.
 */
function requiredWords(target: StoryTarget): ReadonlySet<string> {
  const { names } = splitTerms(target)
  return new Set((names.length > 0 ? names : target.terms.slice(0, 1)).map(longestWord))
}

const longestWord = (term: string): string =>
  spacedWords(term)
    .trim()
    .split(' ')
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')

/** A parsed Jetstream (v2) frame. */
export type Frame =
  | {
      readonly kind: 'post'
      readonly seq: number
      readonly uri: string
      readonly record: unknown
      readonly seenAt: number
    }
  | { readonly kind: 'deletion'; readonly seq: number; readonly uri: string }
  /** `OutdatedCursor`: the requested events are no longer retained, and the stream starts later. */
  | { readonly kind: 'notice'; readonly name: string }
  /** An event of another kind. */
  | { readonly kind: 'other'; readonly seq: number | null }
  | { readonly kind: 'unreadable' }

const POSTS = 'app.bsky.feed.post'

const Commit = z.object({
  seq: z.int().positive(),
  did: z.string(),
  time: z.string(),
  operation: z.string(),
  collection: z.string(),
  rkey: z.string(),
  record: z.unknown().optional(),
})
const Notice = z.object({ $type: z.string().endsWith('#info'), name: z.string() })
const Event = z.object({ seq: z.int().positive().optional() })
const Envelope = z.object({ payload: z.unknown() })
const UNREADABLE: Frame = { kind: 'unreadable' }

/** Parses a frame. Lexicon: `network.bsky.jetstream.subscribeEvents`, framed as `xrpc.v1.json`. */
export function frameOf(text: string): Frame {
  const envelope = Envelope.safeParse(parsedJson(text))
  if (!envelope.success) return UNREADABLE
  const { payload } = envelope.data
  const commit = Commit.safeParse(payload).data
  if (commit !== undefined) return committed(commit)
  const notice = Notice.safeParse(payload).data
  if (notice !== undefined) return { kind: 'notice', name: notice.name }
  const event = Event.safeParse(payload).data
  return event === undefined ? UNREADABLE : { kind: 'other', seq: event.seq ?? null }
}

function committed({ seq, did, time, operation, collection, rkey, record }: z.output<typeof Commit>): Frame {
  const seenAt = Date.parse(time)
  if (collection !== POSTS) return { kind: 'other', seq }
  const uri = `at://${did}/${POSTS}/${rkey}`
  if (operation === 'delete') return { kind: 'deletion', seq, uri }
  return Number.isNaN(seenAt) ? UNREADABLE : { kind: 'post', seq, uri, record, seenAt }
}
