import { namesOf } from './known-stories.ts'
import type { Discourse, EnrichedState } from './discourse.ts'
import { aliasKey, splitKey, emissionKey } from './changelog.ts'
import { byArrival, inOrder, type EnrichedShelf } from './shelf.ts'
import type { EnrichedStory } from './story.ts'

/** At most so many leave with one arrival: a budget made smaller is reached by and by, not in one huge transaction. */
const LEAVE_AT_ONCE = 100

interface EnrichedEvictionArrival {
  readonly namespace: string
  /** Things of its kind remembered, over all namespaces of a partition. */
  readonly budget: number
}

/** Keys of the posts that have to leave so that one more fits, and of the records that nobody goes on with then. */
export function evictPosts(state: EnrichedState, arrival: EnrichedEvictionArrival): readonly string[] {
  const posts = evict(state, arrival, { size: state.posts, shelfOf: ({ posts }) => posts })
  const gone = new Set(posts)
  const ends = [...state.namespaces].flatMap(([name, discourse]) => {
    const stories = new Set(posts.flatMap((key) => discourse.posts.things.get(key)?.cluster_id ?? []))
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
  const articles = evict(state, arrival, { size: state.members, shelfOf: ({ members }) => members })
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
  articles.flatMap((key) => stories.get(members.things.get(key)?.cluster_id ?? '') ?? [])

interface EvictKind {
  readonly size: number
  readonly shelfOf: (discourse: Discourse) => EnrichedShelf<{ readonly log_order: number }>
}

/** The first to have arrived of the largest namespace, so that a busy one never pushes out a quiet one. */
function evict(
  state: EnrichedState,
  { namespace, budget }: EnrichedEvictionArrival,
  { size, shelfOf }: EvictKind,
): readonly string[] {
  const excess = Math.min(size + 1 - budget, LEAVE_AT_ONCE)
  if (excess <= 0) return []

  const queues = [...state.namespaces].map(([name, discourse]) => ({
    name,
    left: shelfOf(discourse).things.size + Number(name === namespace),
    queue: inOrder<{ readonly log_order: number }>(shelfOf(discourse), byArrival).keys(),
  }))
  const gone: string[] = []
  while (gone.length < excess) {
    queues.sort((a, b) => b.left - a.left || (a.name < b.name ? -1 : 1))
    const [largest] = queues
    const next = largest?.queue.next()
    if (largest === undefined || next?.done !== false) break
    largest.left -= 1
    gone.push(next.value)
  }
  return gone
}
