import { canonicalUrl } from '../../events/canonical-url.ts'
import { OrderedMap } from '../../state/eviction.ts'
import { type KeysBy, keysBy, type TermArrivals } from './indexes.ts'
import { type EnrichedMemberRecord, type RememberedPost, type EmissionState, postKey } from './changelog.ts'
import { noStory, type EnrichedStory } from './story.ts'

/** What one namespace's public says about its stories. Owned and mutated by `evolve`. */
export interface Discourse {
  readonly members: OrderedMap<EnrichedMemberRecord>
  readonly posts: OrderedMap<RememberedPost>
  /** Keys of the posts whose text is still there, by when it was fetched. */
  readonly texts: OrderedMap<number>
  /** Those with an article or a post. */
  readonly stories: Map<string, EnrichedStory>
  /** Canonical URL to the key of its article. */
  readonly byUrl: Map<string, string>
  /** Entity id to the stories that name it. */
  readonly byEntity: KeysBy
  /** Of posts for which no producer names a story. */
  readonly postsByEntity: KeysBy
  /** By the canonical URL of the article they link to. */
  readonly postsByUrl: KeysBy
  /** By the story their producer names. */
  readonly postsByClaim: KeysBy
  /** By the key of the post they answer, remembered or not. */
  readonly postsByParent: KeysBy
  /** A story whose articles went into another one to that one. */
  readonly aliases: Map<string, string>
  /** The same the other way. */
  readonly mergedInto: KeysBy
  /** A story that articles of another one opened to that one. */
  readonly splits: Map<string, string>
  /** The same the other way. */
  readonly splitInto: KeysBy
  /** In how many posts each term stands: what themes are weighed against. */
  readonly terms: TermArrivals
  /** The emission state of each record. */
  readonly emissions: Map<string, EmissionState>
  /** Records with changes still to emit. */
  readonly pending: Set<string>
}

export interface EnrichedState {
  readonly namespaces: Map<string, Discourse>
  /** In memory, over all namespaces. */
  members: number
  posts: number
}

export const nothing = (): EnrichedState => ({ namespaces: new Map(), members: 0, posts: 0 })
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

/** Key of the post it answers; `null` when it answers none. */
export const parentKey = (key: string, { platform, reply_to }: Pick<RememberedPost, 'platform' | 'reply_to'>) =>
  reply_to === null ? null : postKey(key.slice(0, key.indexOf(':')), { platform, post_id: reply_to })

/** The posts as they are, or as they will be. */
export type Posts = (key: string) => RememberedPost | undefined

/** Nobody looks further up than this: of deeper threads the first post is the one so far above. */
const DEEPEST = 1_000

/**
 * Keys of the posts that a post answers, at one remove or at several, as far as they are remembered: its parent first,
 * the thread's first post last. Posts that answer each other in a circle have as their first the one whose key is least,
 * whichever of them came first.
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

/** Keys of all that answer one of these, at one remove or at several; not the given ones. */
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
