import type { Discourse } from './discourse.ts'
import { entry, type EnrichedUpdate, type RememberedPost } from './changelog.ts'

/** At most so many texts go with one tick: after a long rest the others follow with the next ones, not in one huge transaction. */
const MOST = 2_000

interface Expired {
  readonly remember: readonly EnrichedUpdate[]
  /** Those that records may quote. */
  readonly quotable: readonly RememberedPost[]
}

interface Now {
  readonly namespace: string
  /** Milliseconds since 1970. */
  readonly tick_at: number
  readonly textMs: number
}

/** The posts whose text has been kept as long as it may be, the oldest first: what follows from it stays. */
export function expired(discourse: Discourse, { namespace, tick_at, textMs }: Now): Expired {
  const posts: RememberedPost[] = []
  for (const [key, fetched_at] of discourse.texts.inOrder()) {
    if (fetched_at + textMs > tick_at || posts.length === MOST) break
    const post = discourse.posts.get(key)
    if (post !== undefined) posts.push(post)
  }
  return {
    remember: posts.map((post) => entry(namespace, { post: { ...post, text: '' } })),
    quotable: posts.filter(({ stance }) => stance === 'deny'),
  }
}
