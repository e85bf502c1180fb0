import { DAY_MS } from '../../domain/days.ts'
import type { PostFields } from '../../domain/intake/posts.ts'
import type { PostObserved, PlatformPolled } from '../../events/discourse.ts'
import { ownPost, tidied } from './own-post.ts'

/** A published post that is looked up again to see whether it still exists. */
export interface KnownPost {
  readonly post_id: string
  readonly url: string | null
  /** Milliseconds since 1970. */
  readonly created_at: number
}

interface PublishedPost extends KnownPost {
  readonly event_id: string
  readonly reply_to: string | null
  readonly cluster_id: string | null
  readonly article_url: string | null
  /** When it was last seen at its source, milliseconds since 1970. */
  lastSeenAt: number
}

/** Older posts rarely change, and the log no longer retains them. */
const WATCHED_MS = 7 * DAY_MS
/** Most deletions happen within a day, so younger posts are looked up in every round. */
const FRESH_MS = DAY_MS
const LOOK_UP_AGAIN_MS = 6 * 3_600_000
const NEVER = 0

/** The published posts of one connector that still exist; built from `discourse.posts`. */
export class PublishedPosts {
  private readonly namespaces = new Map<string, Map<string, PublishedPost>>()

  /** Adds an observation from the log. Call in log order. */
  add(event: PostObserved, at: number): void {
    const posts = this.of(event.namespace)
    const { event_id, post_id, url, created_at, reply_to, cluster_id, article_url } = event
    if (event.deleted) posts.delete(post_id)
    else posts.set(post_id, { event_id, post_id, url, created_at, reply_to, cluster_id, article_url, lastSeenAt: at })
  }

  /** The event to publish for a post that was just seen; `null` if it has not changed. */
  seen(namespace: string, fields: PostFields, at: number): PostObserved | null {
    const known = this.of(namespace).get(fields.post_id)
    const event = ownPost(namespace, { ...tidied(fields), ...linksOf(tidied(fields), known) })
    if (known?.event_id !== event.event_id) return event
    known.lastSeenAt = at
    return null
  }

  get(namespace: string, postId: string): KnownPost | null {
    return this.of(namespace).get(postId) ?? null
  }

  /** Marks posts as just seen at their source. */
  markSeen(namespace: string, postIds: Iterable<string>, at: number): void {
    for (const id of postIds) {
      const known = this.of(namespace).get(id)
      if (known !== undefined) known.lastSeenAt = at
    }
  }

  /**
   * Takes the ids of all posts of threads that were read completely. Known replies that are missing are not deleted
   * yet, because a response may be wrong, but are looked up first.
   */
  markMissing(namespace: string, shown: readonly string[]): void {
    if (shown.length === 0) return
    for (const post of missingFrom([...this.of(namespace).values()], new Set(shown))) post.lastSeenAt = NEVER
  }

  /**
   * Posts to look up again, least recently seen first: posts of the last day that were not seen since `roundStart`, and
   * posts of the last seven days that were not seen for six hours. Times are milliseconds since 1970.
   */
  due(namespace: string, { now, roundStart }: { now: number; roundStart: number }): readonly KnownPost[] {
    return [...this.of(namespace).values()]
      .filter(({ created_at, lastSeenAt }) => {
        const age = now - created_at
        const isUnseen = now - lastSeenAt >= LOOK_UP_AGAIN_MS || (age < FRESH_MS && lastSeenAt < roundStart)
        return age < WATCHED_MS && isUnseen
      })
      .sort((a, b) => a.lastSeenAt - b.lastSeenAt || (a.post_id < b.post_id ? -1 : 1))
  }

  /** Drops posts that were created and last seen before the log's retention. */
  forget(now: number): void {
    for (const posts of this.namespaces.values()) {
      for (const [id, { created_at, lastSeenAt }] of posts) {
        if (now - Math.max(created_at, lastSeenAt) > WATCHED_MS + DAY_MS) posts.delete(id)
      }
    }
  }

  private of(namespace: string): Map<string, PublishedPost> {
    const found = this.namespaces.get(namespace) ?? new Map<string, PublishedPost>()
    this.namespaces.set(namespace, found)
    return found
  }
}

type PublishedPostsLinks = Pick<PostFields, 'cluster_id' | 'article_url'>

/**
 * Keeps the first story or article link of a post. Otherwise two stories that both match it would overwrite each other
 * in every round. An article link replaces a story that was matched by words.
 */
function linksOf(fields: PostFields, known: PublishedPostsLinks | undefined): PublishedPostsLinks {
  const { cluster_id, article_url } = fields
  if (known === undefined || (known.article_url === null && article_url !== null)) return { cluster_id, article_url }
  return {
    cluster_id: known.cluster_id ?? (known.article_url === null ? cluster_id : null),
    article_url: known.article_url,
  }
}

/** The outcome of a poll. */
export type PollResult = Pick<PlatformPolled, 'outcome' | 'detail'>

interface Polled {
  /** When the last successful poll was made, milliseconds since 1970. */
  lastPolledAt: number | null
  cursor: string | null
  cursorAt: number
}

/** The polls of one connector; built from `discourse.polled`. */
export class Polls {
  private readonly stories = new Map<string, Polled>()
  private readonly newest = new Map<string, PollResult>()

  add({ namespace, cluster_id, polled_at, outcome, detail, cursor }: PlatformPolled): void {
    this.newest.set(namespace, { outcome, detail: outcome === 'ok' ? null : detail })
    const key = keyOf(namespace, cluster_id)
    const polled = this.stories.get(key) ?? { lastPolledAt: null, cursor: null, cursorAt: 0 }
    if (outcome === 'ok') polled.lastPolledAt = Math.max(polled.lastPolledAt ?? 0, polled_at)
    if (cursor !== null && polled_at >= polled.cursorAt) {
      polled.cursor = cursor
      polled.cursorAt = polled_at
    }
    this.stories.set(key, polled)
  }

  /** When a story was last polled successfully, milliseconds since 1970; `null` if never. */
  lastPolledAt(namespace: string, clusterId: string): number | null {
    return this.stories.get(keyOf(namespace, clusterId))?.lastPolledAt ?? null
  }

  /** The outcome of the newest poll of a namespace; `ok` if there is none. */
  outcome(namespace: string): PollResult {
    return this.newest.get(namespace) ?? { outcome: 'ok', detail: null }
  }

  /** The cursor at which the search for a story resumes; without a story, the cursor of the platform's stream. */
  cursor(namespace: string, clusterId: string | null): string | null {
    return this.stories.get(keyOf(namespace, clusterId))?.cursor ?? null
  }
}

const keyOf = (namespace: string, clusterId: string | null): string => `${namespace}\n${clusterId ?? ''}`

/**
 * Known posts that are missing from threads that were read completely: replies to a post that was returned, or to a
 * missing one. `shown`: the ids of the returned posts.
 */
export function missingFrom<Post extends Pick<PublishedPost, 'post_id' | 'reply_to'>>(
  known: readonly Post[],
  shown: ReadonlySet<string>,
): readonly Post[] {
  const missing = new Map<string, Post>()
  for (let before = -1; before < missing.size;) {
    before = missing.size
    for (const post of known) {
      const { post_id, reply_to } = post
      const belongs = reply_to !== null && (shown.has(reply_to) || missing.has(reply_to))
      if (belongs && !shown.has(post_id)) missing.set(post_id, post)
    }
  }
  return [...missing.values()]
}
