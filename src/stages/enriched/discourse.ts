import { canonicalUrl } from '../../events/canonical-url.ts'
import { OrderedMap } from '../../state/eviction.ts'
import { type KeysBy, keysBy } from '../../state/keys-by.ts'
import type { TermArrivals } from './indexes.ts'
import { type EnrichedMemberRecord, type RememberedPost, type EmissionState, postKey } from './changelog.ts'
import { noStory, type EnrichedStory } from './story.ts'

/** The posts and stories of one namespace. Owned and mutated by `evolve`. */
export interface Discourse {
  readonly members: OrderedMap<EnrichedMemberRecord>
  readonly posts: OrderedMap<RememberedPost>
  /** Keys of the posts whose text is still kept, by fetch time. */
  readonly texts: OrderedMap<number>
  /** Stories with an article or a post. */
  readonly stories: Map<string, EnrichedStory>
  /** Canonical URL to the key of its article. */
  readonly byUrl: Map<string, string>
  /** Entity id to the stories with articles that name it. */
  readonly byEntity: KeysBy
  /** Posts without a story named by their producer. */
  readonly postsByEntity: KeysBy
  /** By the canonical URL of the linked article. */
  readonly postsByUrl: KeysBy
  /** By the story named by their producer. */
  readonly postsByClaim: KeysBy
  /** By the key of the post they reply to, whether or not it is in memory. */
  readonly postsByParent: KeysBy
  /** A merged story to the story it was merged into. */
  readonly aliases: Map<string, string>
  /** The inverse of `aliases`. */
  readonly mergedInto: KeysBy
  /** A split-off story to the story it was split from. */
  readonly splits: Map<string, string>
  /** The inverse of `splits`. */
  readonly splitInto: KeysBy
  /** Document frequencies of terms in posts, used to weigh themes. */
  readonly terms: TermArrivals
  /** The emission state of each record. */
  readonly emissions: Map<string, EmissionState>
  /** Records with changes that are not emitted yet. */
  readonly pending: Set<string>
}

export interface EnrichedState {
  readonly namespaces: Map<string, Discourse>
  /** In memory, over all namespaces. */
  members: number
  posts: number
}

export const emptyState = (): EnrichedState => ({ namespaces: new Map(), members: 0, posts: 0 })
const byArrival = ({ log_order }: { readonly log_order: number }): number => log_order

export const noDiscourse = (): Discourse => ({
  members: new OrderedMap<EnrichedMemberRecord>(byArrival),
  posts: new OrderedMap<RememberedPost>(byArrival),
  texts: new OrderedMap<number>(Number),
  stories: new Map(),
  byUrl: new Map(),
  byEntity: new Map(),
  postsByEntity: new Map(),
  postsByUrl: new Map(),
  postsByClaim: new Map(),
  postsByParent: new Map(),
  aliases: new Map(),
  mergedInto: new Map(),
  splits: new Map(),
  splitInto: new Map(),
  terms: new Map(),
  emissions: new Map(),
  pending: new Set(),
})

export const canonical = (url: string | null): string | null => (url === null ? null : canonicalUrl(url))

export function storyOf(discourse: Discourse, clusterId: string): EnrichedStory {
  const story = discourse.stories.get(clusterId) ?? noStory(clusterId)
  discourse.stories.set(clusterId, story)
  return story
}

export function closeIfEmpty(discourse: Discourse, { clusterId, articles, posts }: EnrichedStory): void {
  if (articles.size + posts.size === 0) discourse.stories.delete(clusterId)
}

/** Key of the post it replies to; `null` if it is not a reply. */
export const parentKey = (key: string, { platform, reply_to }: Pick<RememberedPost, 'platform' | 'reply_to'>) =>
  reply_to === null ? null : postKey(key.slice(0, key.indexOf(':')), { platform, post_id: reply_to })

/** Look-up of posts by key, in their current or new state. */
export type Posts = (key: string) => RememberedPost | undefined

/** Maximum depth. In deeper threads the ancestor at this distance counts as the first post. */
const DEEPEST = 1_000

/**
 * Keys of a post's ancestors that are in memory: its parent first, the first post of the thread last. In a cycle of
 * replies, the post with the smallest key is the first, independent of the order of arrival.
 */
export function ancestors(posts: Posts, key: string): readonly string[] {
  const path = new Set([key])
  let next = parentOf(posts, key)
  while (next !== null && !path.has(next) && path.size <= DEEPEST) {
    path.add(next)
    next = parentOf(posts, next)
  }
  const walked = [...path]
  if (next === null || !path.has(next)) return walked.slice(1)

  const circle = walked.slice(walked.indexOf(next)).sort()
  return walked.slice(1, walked.indexOf(circle[0] ?? key) + 1)
}

function parentOf(posts: Posts, key: string): string | null {
  const post = posts(key)
  const parent = post === undefined ? null : parentKey(key, post)
  return parent === null || posts(parent) === undefined ? null : parent
}

/** Keys of all direct and indirect replies to the given posts, without the given posts themselves. */
export function descendants({ postsByParent }: Discourse, keys: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const queue = [...keys]
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const child of keysBy(postsByParent, key)) {
      if (found.has(child)) continue
      found.add(child)
      queue.push(child)
    }
  }
  return found
}
