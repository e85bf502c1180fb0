import { dayOf, nameOf } from './days.ts'
import {
  byArrival,
  type DetectedArticle,
  type DetectedUpdate,
  type DetectedNamespace,
  type DetectedState,
} from './memory.ts'
import { articleKey, detectedMemory, crossingsId, crossingsKey, type DetectedRecord } from './changelog.ts'

/** At most so many leave with one arrival: a budget made smaller is reached by and by, not in one huge transaction. */
const LEAVE_AT_ONCE = 100

interface DetectedEvictionArrival {
  readonly namespace: string
  readonly added: DetectedArticle
  /** Articles remembered, over all namespaces of a partition. */
  readonly budget: number
}

/** What has to be forgotten so that one more article fits: its days are no history any more. */
export function evict(state: DetectedState, arrival: DetectedEvictionArrival): readonly DetectedUpdate[] {
  return [...oldest(state, arrival)].flatMap(([namespace, articles]) => {
    const held = state.namespaces.get(namespace)
    const stays = namespace === arrival.namespace ? arrival.added : null
    return held === undefined ? [] : forgotten(held, articles, { namespace, stays })
  })
}

/** By namespace: the first to have arrived of the largest one, so that a busy one never pushes out a quiet one. */
function oldest(
  state: DetectedState,
  { namespace, budget }: DetectedEvictionArrival,
): ReadonlyMap<string, readonly DetectedArticle[]> {
  const excess = Math.min(state.size + 1 - budget, LEAVE_AT_ONCE)
  const gone = new Map<string, DetectedArticle[]>()
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

function forgotten(
  held: DetectedNamespace,
  articles: readonly DetectedArticle[],
  { namespace, stays }: StoryWithout,
): readonly DetectedUpdate[] {
  const days = new Set(articles.map(({ at }) => dayOf(at)).filter((day) => !held.days.lost.has(day)))
  return [
    ...articles.map(({ id }) => ({ key: articleKey(namespace, id), value: null })),
    ...[...days].map((day) => entry({ namespace, article: null, told: null, lost_day: nameOf(day) })),
    ...ended(held, articles, { namespace, stays }),
  ]
}

interface StoryWithout {
  readonly namespace: string
  /** The article that comes at the same time; null: to another namespace. */
  readonly stays: DetectedArticle | null
}

/** What was detected of a subject is forgotten with its last article. */
export function ended(
  held: DetectedNamespace,
  articles: readonly DetectedArticle[],
  { namespace, stays }: StoryWithout,
): readonly DetectedUpdate[] {
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

const entry = (value: DetectedRecord): DetectedUpdate => ({ key: detectedMemory.key(value), value })
