import { z } from 'zod'
import type { PostFields } from '../../../domain/intake/posts.ts'
import { canonicalUrl } from '../../../events/canonical-url.ts'
import { SocketRefused, type OpenSocket } from '../../../ports/http.ts'
import { parsedJson } from '../../jsonl.ts'
import { NOTHING_PUBLISHED, type PublishedCounts, type SeenPosts } from '../publishing.ts'
import type { StoryTarget, StreamCounts, StreamPorts } from '../platform.ts'
import { claimOf, inWords, mayBeAbout, parted } from '../words.ts'
import { postOf, type PostArticles } from './post.ts'

interface BlueskyStreamPorts extends StreamPorts {
  /** A Jetstream, version 2: `wss://jetstream.us-east.bsky.network`. */
  readonly url: string
  readonly openSocket: OpenSocket
}

/** How frames are written; offered as the subprotocol of the socket. */
export const JETSTREAM_PROTOCOL = 'xrpc.v1.json'
const PATH = '/xrpc/network.bsky.jetstream.subscribeEvents'
/** A moment before all posts, in microseconds: the stream begins with the oldest that is kept. */
const BEGINNING = '1000000000000000'
const BAD_REQUEST = 400
const REPORT_INTERVAL_MS = 60_000
const TARGETS_MS = 5 * 60_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/** Listens to all posts of Bluesky beside the rounds, for ever. Ends with the signal; throws when our own engines fail. */
export async function runStream(ports: BlueskyStreamPorts, signal: AbortSignal): Promise<void> {
  const stream = new BlueskyStream(ports)
  const isOver = (): boolean => signal.aborted
  for (let failures = 0; !isOver();) {
    const heard = await stream.listen(signal)
    failures = heard ? 0 : failures + 1
    const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
    if (!isOver()) await ports.clock.sleep(Math.random() * most, signal) // full jitter
  }
}

class BlueskyStream {
  private readonly ports: BlueskyStreamPorts
  private readonly views = new Map<string, StoriesInView>()
  private readonly reported = new Map<string, PublishedCounts>()
  private cursor: string | null
  private counts = noCounts()
  private targetsAt = -Infinity
  /** Never: so the first frame is reported, and a stream that ends soon has a place to go on from. */
  private reportedAt = -Infinity

  constructor(ports: BlueskyStreamPorts) {
    this.ports = ports
    this.cursor = oldest(ports.namespaces.map((namespace) => ports.publishing.polls.cursor(namespace, null)))
  }

  /** Reads until the connection ends. True: something came. */
  async listen(signal: AbortSignal): Promise<boolean> {
    const { openSocket, url } = this.ports
    const frames = openSocket(addressOf(url, this.cursor), signal)[Symbol.asyncIterator]()
    let heard = false
    try {
      for (;;) {
        const text = await this.next(frames)
        if (text === null) return heard
        heard = true
        await this.take(frameOf(text))
      }
    } finally {
      await frames.return?.()
    }
  }

  /** Null: the connection is over. */
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
      // what is kept no more is a gap: reported, since nothing else would show it
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
      const answers = post.reply_to !== null && posts.get(namespace, post.reply_to) !== null
      const matched = view.about(post) ?? (answers ? post : null)
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
    const before = this.reported.get(namespace) ?? NOTHING_PUBLISHED
    this.reported.set(namespace, {
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
    for (const namespace of namespaces) this.views.set(namespace, new StoriesInView(await targets(namespace)))
    this.targetsAt = clock.now()
  }

  /**
   * How far the stream was read. Whether the platform is well is for the rounds to say, whose last word stands: a stream
   * that goes on while searches fail would hide the failure.
   */
  private async report(detail: string | null): Promise<void> {
    const { publishing, namespaces, onMinute, clock } = this.ports
    for (const [i, namespace] of namespaces.entries()) {
      const newest = publishing.polls.outcome(namespace)
      const look = { namespace, cluster_id: null, ...newest, detail: detail ?? newest.detail, cursor: this.cursor }
      const posts_read = i === 0 ? this.counts.read : 0 // the stream was read once
      await publishing.report({ ...look, posts_read }, this.reported.get(namespace) ?? NOTHING_PUBLISHED)
    }
    onMinute(this.counts)
    this.counts = noCounts()
    this.reported.clear()
    this.reportedAt = clock.now()
  }
}

const noCounts = (): StreamCounts => ({ read: 0, unreadable: 0, published: 0, deleted: 0 })

/** Where all namespaces can go on; those that never listened begin there too. */
function oldest(cursors: readonly (string | null)[]): string | null {
  const places = cursors.flatMap((cursor) => (cursor !== null && /^\d{1,16}$/.test(cursor) ? [Number(cursor)] : []))
  return places.length === 0 ? null : `${Math.min(...places)}`
}

function addressOf(url: string, cursor: string | null): string {
  const query = new URLSearchParams({ collections: 'app.bsky.feed.post', kinds: 'commit' })
  if (cursor !== null) query.set('cursor', cursor)
  return `${url.replace(/\/+$/, '')}${PATH}?${query.toString()}`
}

/** The stories of a namespace that a stream of all posts is held against, found by words instead of one after the other. */
class StoriesInView {
  /** Canonical addresses of their articles. */
  readonly articles: PostArticles
  /** The longest word of each term that must be there, to the stories it may lead to. */
  private readonly byWord = new Map<string, StoryTarget[]>()

  constructor(targets: readonly StoryTarget[]) {
    this.articles = new Set(targets.flatMap(({ urls }) => urls.flatMap((url) => canonicalUrl(url) ?? [])))
    for (const target of targets) {
      for (const word of needed(target)) this.byWord.set(word, [...(this.byWord.get(word) ?? []), target])
    }
  }

  /** The post with the story it says it is about, where its words leave no doubt; null: it is about none of them. */
  about(post: PostFields): PostFields | null {
    if (this.articles.has(canonicalUrl(post.article_url ?? '') ?? '')) return post
    const stories = [...this.candidates(post.text)].filter((target) => mayBeAbout(target, post.text))
    const [only, another] = stories
    if (only === undefined) return null
    return another === undefined ? { ...post, cluster_id: claimOf(only, post.text) } : post
  }

  private candidates(text: string): ReadonlySet<StoryTarget> {
    return new Set(
      inWords(text)
        .split(' ')
        .flatMap((word) => this.byWord.get(word) ?? []),
    )
  }
}

/** One word of each name; of a story that names nobody, of its first term. No post without any of them is about it. */
function needed(target: StoryTarget): ReadonlySet<string> {
  const { names } = parted(target)
  return new Set((names.length > 0 ? names : target.terms.slice(0, 1)).map(longestWord))
}

const longestWord = (term: string): string =>
  inWords(term)
    .trim()
    .split(' ')
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')

/** What a frame of Jetstream (version 2) says. */
export type Frame =
  | {
      readonly kind: 'post'
      readonly seq: number
      readonly uri: string
      readonly record: unknown
      readonly seenAt: number
    }
  | { readonly kind: 'deletion'; readonly seq: number; readonly uri: string }
  /** `OutdatedCursor`: what was asked for is kept no more, and the stream begins later. */
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

/** Reads the text of a frame; the lexicon is `network.bsky.jetstream.subscribeEvents`, framed as `xrpc.v1.json`. */
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
