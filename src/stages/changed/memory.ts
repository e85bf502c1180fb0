import { OrderedMap } from '../../state/eviction.ts'
import type { ChangedArticleRecord, ChangedRecord, ChangedStoryRecord, ChangedUpdate } from './changelog.ts'

/** One shared object for all articles that name the entity. */
export interface ChangedEntity {
  readonly id: string
  articles: number
}

/** Kept small, since there are hundreds of thousands. */
export interface ChangedArticle extends Omit<ChangedArticleRecord, 'cluster_id' | 'entity_ids'> {
  readonly story: ChangedStory | null
  readonly entities: readonly ChangedEntity[]
}

/** A story with the articles that are kept. */
export interface ChangedStory {
  readonly clusterId: string
  readonly articles: Set<ChangedArticle>
  known: ChangedStoryRecord | null
  /** For each entity, the number of articles that name it. A cache; `null` until first used. */
  counts: Map<ChangedEntity, number> | null
  /** The most named entities. A cache; `null` if out of date. */
  most: readonly string[] | null
}

/** The state of one namespace. Owned and mutated by `evolve`. */
export interface ChangedNamespace {
  /** By article id, ordered by arrival. */
  readonly articles: OrderedMap<ChangedArticle>
  readonly stories: Map<string, ChangedStory>
  readonly entities: Map<string, ChangedEntity>
}

export interface ChangedState {
  readonly namespaces: Map<string, ChangedNamespace>
  /** Articles kept, over all namespaces. */
  size: number
}

export const emptyState = (): ChangedState => ({ namespaces: new Map(), size: 0 })

export const noHeld = (): ChangedNamespace => ({
  articles: new OrderedMap(({ arrival }) => arrival),
  stories: new Map(),
  entities: new Map(),
})

export function evolve(state: ChangedState, { key, value }: ChangedUpdate): ChangedState {
  const [namespace = '', kind, id = ''] = key.split(':')
  const held = state.namespaces.get(namespace) ?? noHeld()
  const before = held.articles.size
  if (kind === 'article') putArticle(held, id, value)
  else putStory(held, id, value)
  state.size += held.articles.size - before
  if (held.articles.size + held.stories.size === 0) state.namespaces.delete(namespace)
  else state.namespaces.set(namespace, held)
  return state
}

function putArticle(held: ChangedNamespace, id: string, value: ChangedRecord | null): void {
  const article = value?.article ?? null
  const known = held.articles.get(id)
  if (known !== undefined) leaveStory(held, known)
  if (article === null) {
    held.articles.delete(id)
    return
  }
  const one = asArticle(held, article)
  held.articles.set(id, one)
  one.story?.articles.add(one)
  count(one, 1)
}

/** Copies field by field: a spread would take three times the memory. */
function asArticle(held: ChangedNamespace, article: ChangedArticleRecord): ChangedArticle {
  const { cluster_id, entity_ids } = article
  return {
    article_id: article.article_id,
    arrival: article.arrival,
    told: article.told,
    settled: article.settled,
    assignment_confidence: article.assignment_confidence,
    story: cluster_id === null ? null : storyOf(held, cluster_id),
    entities: entity_ids.map((id) => {
      const entity = held.entities.get(id) ?? { id, articles: 0 }
      held.entities.set(id, entity)
      entity.articles += 1
      return entity
    }),
  }
}

function leaveStory(held: ChangedNamespace, article: ChangedArticle): void {
  article.story?.articles.delete(article)
  count(article, -1)
  if (article.story !== null) settle(held, article.story)
  for (const entity of article.entities) {
    entity.articles -= 1
    if (entity.articles === 0) held.entities.delete(entity.id)
  }
}

function count({ story, entities }: ChangedArticle, one: 1 | -1): void {
  if (story === null || entities.length === 0) return
  story.most = null
  if (story.counts === null) return
  for (const entity of entities) {
    const articles = (story.counts.get(entity) ?? 0) + one
    if (articles === 0) story.counts.delete(entity)
    else story.counts.set(entity, articles)
  }
}

function putStory(held: ChangedNamespace, id: string, value: ChangedRecord | null): void {
  const story = storyOf(held, id)
  story.known = value?.story ?? null
  settle(held, story)
}

function storyOf(held: ChangedNamespace, clusterId: string): ChangedStory {
  const known = held.stories.get(clusterId)
  const story = known ?? { clusterId, articles: new Set(), known: null, counts: null, most: null }
  held.stories.set(clusterId, story)
  return story
}

function settle(held: ChangedNamespace, { clusterId, articles, known }: ChangedStory): void {
  if (articles.size === 0 && known === null) held.stories.delete(clusterId)
}

/** The article as stored in the changelog. */
export const asRemembered = ({ story, entities, ...article }: ChangedArticle): ChangedArticleRecord => ({
  ...article,
  cluster_id: story?.clusterId ?? null,
  entity_ids: entities.map(({ id }) => id),
})

/** Maximum entities of one story. */
const MOST = 50

/** The entities named by most of a story's articles; ties by id. */
export function entitiesOf(story: ChangedStory | undefined): readonly string[] {
  if (story === undefined) return []
  story.counts ??= countsOf(story)
  story.most ??= [...story.counts]
    .sort(([a, some], [b, more]) => more - some || (a.id < b.id ? -1 : 1))
    .slice(0, MOST)
    .map(([{ id }]) => id)
  return story.most
}

function countsOf({ articles }: ChangedStory): Map<ChangedEntity, number> {
  const counts = new Map<ChangedEntity, number>()
  for (const { entities } of articles) for (const one of entities) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}
