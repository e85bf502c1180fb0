import { canonicalUrl } from '../../events/canonical-url.ts'
import { OrderedMap } from '../../state/ordered-map.ts'
import type { KeysBy } from './keys-by.ts'
import type { EnrichedMemberRecord, RememberedPost, EmissionState } from './changelog.ts'
import { noStory, type EnrichedStory } from './story.ts'
import type { TermArrivals } from './term-counts.ts'

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
