import { threadId } from '../../events/ids.ts'
import type { GraphRules } from '../../domain/graph/rules.ts'
import { upToDate, type BuiltGraphHome } from './built-graph.ts'
import { articleKey, storyKey, tombstone, storyEntry } from '../../state/entry.ts'
import { pickOldestByNamespace } from '../../state/eviction.ts'
import { byArrival, earliest, foundingOf, type LinkedState, type LinkedStories } from './memory.ts'
import type { LinkedStoryRecord, LinkedUpdate } from './changelog.ts'
import { newestOf, noArticles, openedAt, type LinkedStory } from './story.ts'

interface LinkedEvictionArrival {
  readonly namespace: string
  /** The story that the article joins. It is not evicted. */
  readonly cluster_id: string
  /** Articles kept, over all namespaces of a partition. */
  readonly budget: number
}

export interface Evicted {
  readonly remember: readonly LinkedUpdate[]
  /**
   * Stories of the arrival's namespace for which nothing is emitted: the evicted ones, and those that keep their
   * thread.
   */
  readonly silent: ReadonlySet<string>
}

/**
 * What must be evicted to make room for one more article: in the largest namespace, so that a busy one never evicts the
 * state of a quiet one, the stories without a new article for longest. A story is evicted as a whole, and nothing is
 * emitted: its published links and its place in a thread remain, and the thread keeps its name for the remaining
 * stories. Event times play no role.
 */
export function evict(state: LinkedState, arrival: LinkedEvictionArrival, rules: GraphRules): Evicted {
  const remember: LinkedUpdate[] = []
  const silent = new Set<string>()
  for (const [namespace, stories] of longestQuiet(state, arrival)) {
    const held = state.namespaces.get(namespace)
    if (held === undefined) continue
    const names = namesOf(held, [...stories.map(({ clusterId }) => clusterId), ...emptiedBefore(held, stories)])
    const keeping = threadsKept(held, stories, { namespace, rules })
    remember.push(...stories.flatMap((story) => articlesOf(namespace, story)))
    remember.push(...names.map((id) => tombstone(storyKey(namespace, id))))
    remember.push(...keeping.map((story) => storyEntry(namespace, story)))
    if (namespace === arrival.namespace) {
      for (const id of names) silent.add(id)
      for (const { cluster_id } of keeping) silent.add(cluster_id)
    }
  }
  silent.delete(arrival.cluster_id)
  return { remember, silent }
}

const longestQuiet = ({ namespaces, size }: LinkedState, { namespace, cluster_id, budget }: LinkedEvictionArrival) =>
  pickOldestByNamespace(
    [...namespaces].map(([name, held]) => ({
      namespace: name,
      size: held.articles.size,
      oldest: () => byQuietTime(held, name === namespace ? cluster_id : null),
    })),
    { namespace, size, budget, sizeOf: ({ articles }) => articles.size },
  )

function* byQuietTime(held: LinkedStories, stays: string | null): Generator<LinkedStory> {
  for (const story of byArrival(held).values()) if (story.clusterId !== stays) yield story
}

/** The newest last: otherwise the story would change its position while it is evicted. */
const articlesOf = (namespace: string, { articles }: LinkedStory): readonly LinkedUpdate[] =>
  [...articles.values()]
    .sort((a, b) => a.log_order - b.log_order)
    .map(({ article_id }) => tombstone(articleKey(namespace, article_id)))

/** These stories and all that were merged into them, which are evicted with the surviving story. */
function namesOf({ pasts }: LinkedStories, stories: readonly string[]): readonly string[] {
  const names = new Set(stories)
  for (const name of names) for (const gone of pasts.mergedInto(name)) names.add(gone)
  return [...names]
}

/** Stories without articles that opened before the newest article of the evicted stories. They are evicted as well. */
function emptiedBefore({ emptied, stories }: LinkedStories, evicted: readonly LinkedStory[]): readonly string[] {
  const newest = Math.max(...evicted.map(newestOf))
  return [...emptied].filter((id) => openedAt(stories.get(id) ?? noArticles(id)) < newest).sort()
}

/**
 * Updates of the remaining stories, so that their threads keep their names. If the story that a thread is named after
 * is evicted, exactly one other story inherits its founding, so that if the thread falls apart, only one part keeps the
 * name. The heir is the story that will stay longest, so that this is seldom repeated.
 */
function threadsKept(
  held: LinkedStories,
  stories: readonly LinkedStory[],
  home: BuiltGraphHome,
): readonly LinkedStoryRecord[] {
  const { threadOf, storiesIn } = upToDate(held, home)
  const gone = new Set(stories.map(({ clusterId }) => clusterId))
  return stories.flatMap((story) => {
    const [thread, founding] = [threadOf.get(story.clusterId), foundingOf(held, story)]
    if (thread === undefined || thread !== threadId(home.namespace, founding.cluster_id)) return []
    const heir = longestStaying(held, storiesIn.get(thread) ?? [], gone)
    return heir?.known == null ? [] : [{ ...heir.known, thread: earliest(founding, heir.known.thread) }]
  })
}

function longestStaying(
  { living }: LinkedStories,
  ids: Iterable<string>,
  gone: ReadonlySet<string>,
): LinkedStory | null {
  let last: LinkedStory | null = null
  for (const id of ids) {
    const story = gone.has(id) ? undefined : living.get(id)
    if (story !== undefined && (last === null || newestOf(story) > newestOf(last))) last = story
  }
  return last
}
