import { dayOf, nameOf } from './days.ts'
import { articleKey, tombstone } from '../../state/entry.ts'
import { pickOldestByNamespace } from '../../state/pick-oldest.ts'
import type { DetectedArticle, DetectedNamespace, DetectedState } from './memory.ts'
import { crossingsId, crossingsKey, entry, type DetectedUpdate } from './changelog.ts'

interface DetectedEvictionArrival {
  readonly namespace: string
  readonly added: DetectedArticle
  /** Articles remembered, over all namespaces of a partition. */
  readonly budget: number
}

/** What has to be forgotten so that one more article fits: its days are no history any more. */
export function evict(state: DetectedState, arrival: DetectedEvictionArrival): readonly DetectedUpdate[] {
  const { namespace: into, budget } = arrival
  const states = [...state.namespaces].map(([namespace, { articles }]) => ({
    namespace,
    size: articles.size,
    oldest: () => articles.inOrder().values(),
  }))
  const picked = pickOldestByNamespace(states, { namespace: into, size: state.size, budget })
  return [...picked].flatMap(([namespace, articles]) => {
    const held = state.namespaces.get(namespace)
    const stays = namespace === into ? arrival.added : null
    return held === undefined ? [] : forgotten(held, articles, { namespace, stays })
  })
}

function forgotten(
  held: DetectedNamespace,
  articles: readonly DetectedArticle[],
  { namespace, stays }: StoryWithout,
): readonly DetectedUpdate[] {
  const days = new Set(articles.map(({ at }) => dayOf(at)).filter((day) => !held.days.lost.has(day)))
  return [
    ...articles.map(({ id }) => tombstone(articleKey(namespace, id))),
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
    .map(({ type, id }) => tombstone(crossingsKey(namespace, type, id)))
}

const TYPES = ['trend.detected', 'entity.spike', 'sentiment.shift'] as const
