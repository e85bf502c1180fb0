import type { OrderedMap } from '../../state/ordered-map.ts'
import { pickOldest } from '../../state/pick-oldest.ts'
import { namesOf } from './known-stories.ts'
import type { Discourse, EnrichedState } from './discourse.ts'
import { aliasKey, splitKey, emissionKey, type EnrichedMemberRecord, type RememberedPost } from './changelog.ts'
import type { EnrichedStory } from './story.ts'

interface EnrichedEvictionArrival {
  readonly namespace: string
  /** Things of its kind remembered, over all namespaces of a partition. */
  readonly budget: number
}

/** Keys of the posts that have to leave so that one more fits, and of the records that nobody goes on with then. */
export function evictPosts(state: EnrichedState, arrival: EnrichedEvictionArrival): readonly string[] {
  const posts = evict(state, arrival, { size: state.posts, of: ({ posts }) => posts })
  const gone = new Set(posts)
  const ends = [...state.namespaces].flatMap(([name, discourse]) => {
    const stories = new Set(posts.flatMap((key) => discourse.posts.get(key)?.cluster_id ?? []))
    return [...stories].flatMap((id) => {
      const story = discourse.stories.get(id)
      return story === undefined ? [] : emissionsOf(name, story, (keys) => [...keys].every((key) => gone.has(key)))
    })
  })
  return [...posts, ...ends]
}

const emissionsOf = (
  namespace: string,
  { clusterId, posts }: EnrichedStory,
  ends: (keys: ReadonlySet<string>) => boolean,
) =>
  [...posts].flatMap(([platform, keys]) =>
    ends(keys) ? [emissionKey(namespace, { cluster_id: clusterId, platform })] : [],
  )

/** Keys of the articles that have to leave so that one more fits, and of the posts and former names of stories that end with them. */
export function evictArticles(state: EnrichedState, arrival: EnrichedEvictionArrival): readonly string[] {
  const articles = evict(state, arrival, { size: state.members, of: ({ members }) => members })
  const gone = new Set(articles)
  const ends = [...state.namespaces].flatMap(([name, discourse]) =>
    storiesOf(discourse, articles)
      .filter((story) => [...story.articles.keys()].every((key) => gone.has(key)))
      .flatMap((story) => [
        ...[...story.posts.values()].flatMap((keys) => [...keys]),
        ...emissionsOf(name, story, () => true),
        ...aliasesOf(name, discourse, story.clusterId),
        ...(discourse.splits.has(story.clusterId) ? [splitKey(name, story.clusterId)] : []),
      ]),
  )
  return [...articles, ...new Set(ends)]
}

const aliasesOf = (namespace: string, discourse: Discourse, clusterId: string): readonly string[] =>
  [...namesOf(discourse, clusterId)].map((name) => aliasKey(namespace, name))

const storiesOf = ({ members, stories }: Discourse, articles: readonly string[]) =>
  articles.flatMap((key) => stories.get(members.get(key)?.cluster_id ?? '') ?? [])

/** The state of one kind: its size over all namespaces, and its part of one namespace. */
interface EvictKind {
  readonly size: number
  readonly of: (discourse: Discourse) => Pick<OrderedMap<RememberedPost | EnrichedMemberRecord>, 'size' | 'inOrder'>
}

function evict(
  { namespaces }: EnrichedState,
  { namespace, budget }: EnrichedEvictionArrival,
  { size, of }: EvictKind,
): readonly string[] {
  const states = [...namespaces].map(([name, discourse]) => ({
    namespace: name,
    size: of(discourse).size,
    oldest: () => of(discourse).inOrder().keys(),
  }))
  return pickOldest(states, { namespace, size, budget }).map(({ thing }) => thing)
}
