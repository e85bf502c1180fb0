import { type OrderedMap, pickOldest } from '../../state/eviction.ts'
import { namesOf } from './known-stories.ts'
import type { Discourse, EnrichedState } from './discourse.ts'
import { aliasKey, splitKey, emissionKey } from './changelog.ts'
import type { EnrichedStory } from './story.ts'

/** `budget`: items of one kind in memory, over all namespaces of a partition. */
type EnrichedEviction = Readonly<{ namespace: string; budget: number }>

/** Keys of the posts to evict to make room for one more, and of the emission states that end with them. */
export function evictPosts(state: EnrichedState, arrival: EnrichedEviction): readonly string[] {
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

/**
 * Keys of the articles to evict to make room for one more, and of the posts and former names of stories that end with
 * them.
 */
export function evictArticles(state: EnrichedState, arrival: EnrichedEviction): readonly string[] {
  const articles = evict(state, arrival, { size: state.members, of: ({ members }) => members })
  const gone = new Set(articles)
  const ends = [...state.namespaces].flatMap(([name, discourse]) =>
    storiesOf(discourse, articles)
      .filter((story) => [...story.articles.keys()].every((key) => gone.has(key)))
      .flatMap((story) => [
        ...[...story.posts.values()].flatMap((keys) => [...keys]),
        ...emissionsOf(name, story, () => true),
        ...[...namesOf(discourse, story.clusterId)].map((former) => aliasKey(name, former)),
        ...(discourse.splits.has(story.clusterId) ? [splitKey(name, story.clusterId)] : []),
      ]),
  )
  return [...articles, ...new Set(ends)]
}

const storiesOf = ({ members, stories }: Discourse, articles: readonly string[]) =>
  articles.flatMap((key) => stories.get(members.get(key)?.cluster_id ?? '') ?? [])

/** Keys of the oldest items of one kind. `size`: items of that kind over all namespaces. */
function evict(
  { namespaces }: EnrichedState,
  { namespace, budget }: EnrichedEviction,
  {
    size,
    of,
  }: { readonly size: number; readonly of: (discourse: Discourse) => Pick<OrderedMap<unknown>, 'size' | 'inOrder'> },
): readonly string[] {
  const states = [...namespaces].map(([name, discourse]) => ({
    namespace: name,
    size: of(discourse).size,
    oldest: () => of(discourse).inOrder().keys(),
  }))
  return pickOldest(states, { namespace, size, budget }).map(({ thing }) => thing)
}
