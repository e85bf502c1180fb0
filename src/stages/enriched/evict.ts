import { pickOldestItems } from '../../state/eviction.ts'
import { emptiedBy } from '../../state/story-index.ts'
import { namesOf } from './known-stories.ts'
import type { EnrichedState } from './discourse.ts'
import { aliasKey, splitKey, emissionKey } from './changelog.ts'
import type { EnrichedStory } from './story.ts'

/** `budget`: items of one kind in memory, over all namespaces of a partition. */
type EnrichedEviction = Readonly<{ namespace: string; budget: number }>

/** Keys of the posts to evict to make room for one more, and of the emission states that end with them. */
export function evictPosts(state: EnrichedState, arrival: EnrichedEviction): readonly string[] {
  const posts = keysOf(pickOldestItems(state.namespaces, arrival, { size: state.posts, of: ({ posts }) => posts }))
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
  const articles = keysOf(
    pickOldestItems(state.namespaces, arrival, { size: state.members, of: ({ members }) => members }),
  )
  const ends = [...state.namespaces].flatMap(([name, discourse]) =>
    emptiedBy(
      articles,
      (key) => [discourse.stories.get(discourse.members.get(key)?.cluster_id ?? '') ?? []].flat(),
      (story) => story.articles.size,
    ).flatMap((story) => [
      ...[...story.posts.values()].flatMap((keys) => [...keys]),
      ...emissionsOf(name, story, () => true),
      ...[...namesOf(discourse, story.clusterId)].map((former) => aliasKey(name, former)),
      ...(discourse.splits.has(story.clusterId) ? [splitKey(name, story.clusterId)] : []),
    ]),
  )
  return [...articles, ...new Set(ends)]
}

const keysOf = (picked: ReadonlyMap<string, readonly (readonly [string, unknown])[]>): readonly string[] =>
  [...picked.values()].flatMap((items) => items.map(([key]) => key))
