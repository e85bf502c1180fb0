import { dayOf, nameOf } from './days.ts'
import { byArrival, type Article, type Change, type Held, type State } from './memory.ts'
import { articleKey, detectedMemory, crossingsId, crossingsKey, type Remembered } from './changelog.ts'

/** At most so many leave with one arrival: a budget made smaller is reached by and by, not in one huge transaction. */
const LEAVE_AT_ONCE = 100

interface Arrival {
  readonly namespace: string
  readonly added: Article
  /** Articles remembered, over all namespaces of a partition. */
  readonly budget: number
}

/** What has to be forgotten so that one more article fits: its days are no history any more. */
export function evict(state: State, arrival: Arrival): readonly Change[] {
  return [...oldest(state, arrival)].flatMap(([namespace, articles]) => {
    const held = state.namespaces.get(namespace)
    const stays = namespace === arrival.namespace ? arrival.added : null
    return held === undefined ? [] : forgotten(held, articles, { namespace, stays })
  })
}

/** By namespace: the first to have arrived of the largest one, so that a busy one never pushes out a quiet one. */
function oldest(state: State, { namespace, budget }: Arrival): ReadonlyMap<string, readonly Article[]> {
  const excess = Math.min(state.size + 1 - budget, LEAVE_AT_ONCE)
  const gone = new Map<string, Article[]>()
  if (excess <= 0) return gone

  const queues = [...state.namespaces].map(([name, held]) => ({
    name,
    left: held.articles.size + Number(name === namespace),
    queue: byArrival(held).values(),
  }))
  for (let i = 0; i < excess; i++) {
    queues.sort((a, b) => b.left - a.left || (a.name < b.name ? -1 : 1))
    const [largest] = queues
    const next = largest?.queue.next()
    if (largest === undefined || next?.done !== false) break
    largest.left -= 1
    gone.set(largest.name, [...(gone.get(largest.name) ?? []), next.value])
  }
  return gone
}

function forgotten(held: Held, articles: readonly Article[], { namespace, stays }: Left): readonly Change[] {
  const days = new Set(articles.map(({ at }) => dayOf(at)).filter((day) => !held.days.lost.has(day)))
  return [
    ...articles.map(({ id }) => ({ key: articleKey(namespace, id), value: null })),
    ...[...days].map((day) => entry({ namespace, article: null, told: null, lost_day: nameOf(day) })),
    ...ended(held, articles, { namespace, stays }),
  ]
}

interface Left {
  readonly namespace: string
  /** The article that comes at the same time; null: to another namespace. */
  readonly stays: Article | null
}

/** Nobody asks any more what was told of those whose last articles leave. */
export function ended(held: Held, articles: readonly Article[], { namespace, stays }: Left): readonly Change[] {
  if (held.crossings.size === 0) return []
  const gone = new Set(articles)
  const subjects = new Set(articles.flatMap(({ story, entities }) => [story, ...entities]))
  const kept = new Set<unknown>(stays === null ? [] : [stays.story, ...stays.entities])
  return [...subjects]
    .filter((one) => !kept.has(one) && one.articles.every((article) => gone.has(article)))
    .flatMap(({ id }) => TYPES.map((type) => ({ type, id })))
    .filter(({ type, id }) => held.crossings.has(crossingsId(type, id)))
    .map(({ type, id }) => ({ key: crossingsKey(namespace, type, id), value: null }))
}

const TYPES = ['trend.detected', 'entity.spike', 'sentiment.shift'] as const

const entry = (value: Remembered): Change => ({ key: detectedMemory.key(value), value })
