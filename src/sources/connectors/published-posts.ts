import type { PostFields } from '../../domain/intake/posts.ts'
import type { PostObserved, PlatformPolled } from '../../events/discourse.ts'
import { missingFrom } from './missing-from.ts'
import { ownPost, tidied } from './own-post.ts'
import type { KnownPost } from './platform.ts'

interface Published extends KnownPost {
  readonly event_id: string
  readonly reply_to: string | null
  readonly cluster_id: string | null
  readonly article_url: string | null
  /** When it was last seen at its source, milliseconds since 1970. */
  lookedAt: number
}

const DAY_MS = 86_400_000
/** Older posts change little, and the log forgets what was published of them. */
const WATCHED_MS = 7 * DAY_MS
/** Most of what is ever taken away goes within a day: so long a post is looked at again in every round. */
const FRESH_MS = DAY_MS
const LOOK_AGAIN_MS = 6 * 3_600_000
const NEVER = 0

/** The posts that one connector has published and that still stand: a fold over `discourse.posts`. */
export class PublishedPosts {
  private readonly namespaces = new Map<string, Map<string, Published>>()

  /** An observation as the log has it; in the log's order. */
  add(event: PostObserved, at: number): void {
    const posts = this.of(event.namespace)
    const { event_id, post_id, url, created_at, reply_to, cluster_id, article_url } = event
    if (event.deleted) posts.delete(post_id)
    else posts.set(post_id, { event_id, post_id, url, created_at, reply_to, cluster_id, article_url, lookedAt: at })
  }

  /** The event to publish of a post that was just seen; null: it is known as it is. */
  seen(namespace: string, fields: PostFields, at: number): PostObserved | null {
    const known = this.of(namespace).get(fields.post_id)
    const event = ownPost(namespace, { ...tidied(fields), ...linksOf(tidied(fields), known) })
    if (known?.event_id !== event.event_id) return event
    known.lookedAt = at
    return null
  }

  get(namespace: string, postId: string): KnownPost | null {
    return this.of(namespace).get(postId) ?? null
  }

  /** They were looked for at their source, and are there. */
  lookedAt(namespace: string, postIds: Iterable<string>, at: number): void {
    for (const id of postIds) {
      const known = this.of(namespace).get(id)
      if (known !== undefined) known.lookedAt = at
    }
  }

  /**
   * Threads were read as a whole, and these are the ids of all their posts: known ones they ought to have shown are the
   * first to be asked for by id, since a single odd answer must not take a thread away.
   */
  doubt(namespace: string, shown: readonly string[]): void {
    if (shown.length === 0) return
    for (const post of missingFrom([...this.of(namespace).values()], new Set(shown))) post.lookedAt = NEVER
  }

  /**
   * Posts to look at again, the longest unseen first: of the last day those not seen in the round that began at
   * `roundStart`, of the last seven days those nobody has seen for six hours. Milliseconds since 1970.
   */
  due(namespace: string, { now, roundStart }: { now: number; roundStart: number }): readonly KnownPost[] {
    return [...this.of(namespace).values()]
      .filter(({ created_at, lookedAt }) => {
        const age = now - created_at
        const isUnseen = now - lookedAt >= LOOK_AGAIN_MS || (age < FRESH_MS && lookedAt < roundStart)
        return age < WATCHED_MS && isUnseen
      })
      .sort((a, b) => a.lookedAt - b.lookedAt || (a.post_id < b.post_id ? -1 : 1))
  }

  /** Forgets what is old and was not seen for as long as the log keeps it. */
  forget(now: number): void {
    for (const posts of this.namespaces.values()) {
      for (const [id, { created_at, lookedAt }] of posts) {
        if (now - Math.max(created_at, lookedAt) > WATCHED_MS + DAY_MS) posts.delete(id)
      }
    }
  }

  private of(namespace: string): Map<string, Published> {
    const found = this.namespaces.get(namespace) ?? new Map<string, Published>()
    this.namespaces.set(namespace, found)
    return found
  }
}

type PublishedPostsLinks = Pick<PostFields, 'cluster_id' | 'article_url'>

/**
 * What a post is about, as it was said first: two stories that both find it would else take it from each other in every
 * round. A link to an article says it better than words do.
 */
function linksOf(fields: PostFields, known: PublishedPostsLinks | undefined): PublishedPostsLinks {
  const { cluster_id, article_url } = fields
  if (known === undefined || (known.article_url === null && article_url !== null)) return { cluster_id, article_url }
  return {
    cluster_id: known.cluster_id ?? (known.article_url === null ? cluster_id : null),
    article_url: known.article_url,
  }
}

interface Polled {
  /** Of the newest look that went well. */
  lookedAt: number | null
  cursor: string | null
  cursorAt: number
}

/** How one connector's looks went: a fold over `discourse.polled`. */
export class Polls {
  private readonly stories = new Map<string, Polled>()
  private readonly newest = new Map<string, Pick<PlatformPolled, 'outcome' | 'detail'>>()

  add({ namespace, cluster_id, polled_at, outcome, detail, cursor }: PlatformPolled): void {
    this.newest.set(namespace, { outcome, detail: outcome === 'ok' ? null : detail })
    const key = keyOf(namespace, cluster_id)
    const polled = this.stories.get(key) ?? { lookedAt: null, cursor: null, cursorAt: 0 }
    if (outcome === 'ok') polled.lookedAt = Math.max(polled.lookedAt ?? 0, polled_at)
    if (cursor !== null && polled_at >= polled.cursorAt) {
      polled.cursor = cursor
      polled.cursorAt = polled_at
    }
    this.stories.set(key, polled)
  }

  /** When a story was last looked for with success, milliseconds since 1970; null: never. */
  lookedAt(namespace: string, clusterId: string): number | null {
    return this.stories.get(keyOf(namespace, clusterId))?.lookedAt ?? null
  }

  /** How the newest look of a namespace went; of none yet: well. */
  outcome(namespace: string): Pick<PlatformPolled, 'outcome' | 'detail'> {
    return this.newest.get(namespace) ?? { outcome: 'ok', detail: null }
  }

  /** Where looking for a story goes on; of no story: where the platform's stream does. */
  cursor(namespace: string, clusterId: string | null): string | null {
    return this.stories.get(keyOf(namespace, clusterId))?.cursor ?? null
  }
}

const keyOf = (namespace: string, clusterId: string | null): string => `${namespace}\n${clusterId ?? ''}`
