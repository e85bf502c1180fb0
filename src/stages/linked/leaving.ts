import type { GraphRules } from '../../graph/rules.ts'
import type { Founding } from '../../graph/story.ts'
import { upToDate } from './drawn.ts'
import { byArrival, earliest, foundingOf, type Change, type State, type Stories } from './memory.ts'
import { articleKey, storyKey, type RememberedStory } from './remembered.ts'
import type { Story } from './story.ts'

/** At most so many leave with one arrival, and the story they belong to: a budget made smaller is reached by and by. */
const LEAVE_AT_ONCE = 100

interface Arrival {
  readonly namespace: string
  /** Where the article goes: that story stays. */
  readonly cluster_id: string
  /** Articles remembered, over all namespaces of a partition. */
  readonly budget: number
}

export interface Leaving {
  readonly remember: readonly Change[]
  /** Stories of the arrival's namespace of which nothing is to be told: those that leave, and those that keep their thread. */
  readonly silent: ReadonlySet<string>
}

/**
 * Who has to leave so that one more article fits: of the largest namespace, so that a busy one never pushes out a quiet
 * one, the stories that got no article for longest. A story leaves whole and silently: its links and its place in a
 * thread stay told as they are, and the thread keeps its name for those that stay. Dates play no part.
 */
export function leaving(state: State, arrival: Arrival, rules: GraphRules): Leaving {
  const remember: Change[] = []
  const silent = new Set<string>()
  for (const [namespace, stories] of longestQuiet(state, arrival)) {
    const held = state.namespaces.get(namespace)
    if (held === undefined) continue
    const names = namesOf(held, stories)
    const keeping = threadsKept({ namespace, held, rules }, stories)
    remember.push(...stories.flatMap((story) => articlesOf(namespace, story)))
    remember.push(...names.map((id) => ({ key: storyKey(namespace, id), value: null })))
    remember.push(
      ...keeping.map((story) => ({
        key: storyKey(namespace, story.cluster_id),
        value: { namespace, article: null, story },
      })),
    )
    if (namespace === arrival.namespace) {
      for (const id of names) silent.add(id)
      for (const { cluster_id } of keeping) silent.add(cluster_id)
    }
  }
  silent.delete(arrival.cluster_id)
  return { remember, silent }
}

function longestQuiet(state: State, arrival: Arrival): ReadonlyMap<string, readonly Story[]> {
  const excess = Math.min(state.size + 1 - arrival.budget, LEAVE_AT_ONCE)
  const gone = new Map<string, Story[]>()
  if (excess <= 0) return gone

  const queues = queuesOf(state, arrival)
  let left = 0
  while (left < excess) {
    queues.sort((a, b) => b.left - a.left || (a.name < b.name ? -1 : 1))
    const [largest] = queues
    const next = largest?.queue.next()
    if (largest === undefined || next?.done !== false) break
    largest.left -= next.value.articles.size
    left += next.value.articles.size
    gone.set(largest.name, [...(gone.get(largest.name) ?? []), next.value])
  }
  return gone
}

const queuesOf = ({ namespaces }: State, { namespace, cluster_id }: Arrival) =>
  [...namespaces].map(([name, held]) => ({
    name,
    left: held.articles.size + Number(name === namespace),
    queue: quietest(held, name === namespace ? cluster_id : null),
  }))

function* quietest(held: Stories, stays: string | null): Generator<Story> {
  for (const story of byArrival(held).values()) if (story.clusterId !== stays) yield story
}

/** The newest last, or the story would change its place among the others while it leaves. */
const articlesOf = (namespace: string, { articles }: Story): readonly Change[] =>
  [...articles.values()]
    .sort((a, b) => a.log_order - b.log_order)
    .map(({ article_id }) => ({ key: articleKey(namespace, article_id), value: null }))

/** These stories, and all that went into them: whoever lives on takes its names along. */
function namesOf({ pasts }: Stories, stories: readonly Story[]): readonly string[] {
  const names = new Set(stories.map(({ clusterId }) => clusterId))
  for (const name of names) for (const gone of pasts.mergedInto(name)) names.add(gone)
  return [...names]
}

interface Home {
  readonly namespace: string
  readonly held: Stories
  readonly rules: GraphRules
}

/** What those that stay have to know so that the threads they share with these stories keep their names. */
function threadsKept({ namespace, held, rules }: Home, stories: readonly Story[]): readonly RememberedStory[] {
  const { threadOf, storiesIn } = upToDate(held, { namespace, rules })
  const gone = new Set(stories.map(({ clusterId }) => clusterId))
  const threads = new Set(stories.flatMap(({ clusterId }) => threadOf.get(clusterId) ?? []))
  return [...threads].flatMap((thread) => {
    const members = [...(storiesIn.get(thread) ?? [])].sort().flatMap((id) => held.living.get(id) ?? [])
    const first = members.map((story) => foundingOf(held, story)).reduce<Founding | null>(orEarlier, null)
    return members.filter((story) => !gone.has(story.clusterId)).flatMap((story) => keeping(held, story, first) ?? [])
  })
}

const orEarlier = (first: Founding | null, one: Founding): Founding => earliest(one, first)

/** Null: it would keep it anyway. */
function keeping(held: Stories, story: Story, thread: Founding | null): RememberedStory | null {
  const { known } = story
  if (known === null || thread === null || foundingOf(held, story).cluster_id === thread.cluster_id) return null
  return { ...known, thread }
}
