import { evolveNamespace, type KeyedUpdate, type PartitionState } from '../../state/namespaces.ts'
import {
  putArticle,
  putStory,
  storyIndex,
  storyOf,
  type StoriesHeld,
  type StoryRules,
} from '../../state/story-index.ts'
import type { ChangePublished } from '../../events/changes.ts'
import { originCount, type OriginArticle } from '../../domain/lifecycle/origins.ts'
import type {
  ChangedArticleRecord,
  ChangedMember,
  ChangedRecord,
  ChangedStoryRecord,
  ChangedUpdate,
} from './changelog.ts'

/** One shared object for all articles that name the entity. */
export interface ChangedEntity {
  readonly id: string
  /** Canonical name; empty while only older entries name it. */
  name: string
  articles: number
}

/** Kept small, since there are hundreds of thousands. */
export interface ChangedArticle extends Omit<ChangedArticleRecord, 'cluster_id' | 'entity_ids' | 'entity_names'> {
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
  most: readonly ChangedEntity[] | null
  /** A cache; `null` if out of date. */
  coverage: StoryCoverage | null
}

export type StoryCoverage = Pick<ChangePublished, 'origin_count' | 'title'>

/** The state of one namespace. Owned and mutated by `evolve`. */
export interface ChangedNamespace extends StoriesHeld<ChangedArticle, ChangedStory> {
  readonly entities: Map<string, ChangedEntity>
  /** One shared string for each publisher family. */
  readonly families: Map<string, string>
}

export type ChangedState = PartitionState<ChangedNamespace>

export const emptyState = (): ChangedState => ({ namespaces: new Map(), size: 0 })

export const noHeld = (): ChangedNamespace => ({
  ...storyIndex(({ arrival }) => arrival),
  entities: new Map(),
  families: new Map(),
})

const RULES: StoryRules<ChangedArticle, ChangedStory> = {
  open: (clusterId) => ({ clusterId, articles: new Set(), known: null, counts: null, most: null, coverage: null }),
  clusterOf: ({ story }) => story?.clusterId ?? null,
  add: (story, article) => {
    story.articles.add(article)
    story.coverage = null
    count(story, article, 1)
  },
  remove: (story, article) => {
    story.articles.delete(article)
    story.coverage = null
    count(story, article, -1)
  },
}

export const evolve = (state: ChangedState, update: ChangedUpdate): ChangedState =>
  evolveNamespace(state, update, {
    open: noHeld,
    apply,
    isEmpty: ({ articles, stories }) => articles.size + stories.size === 0,
  })

function apply(held: ChangedNamespace, { kind, id, value }: KeyedUpdate<ChangedRecord>): void {
  if (kind === 'article') putRecord(held, id, value?.article ?? null)
  else putStory(held, { id, known: value?.story ?? null }, RULES)
}

function putRecord(held: ChangedNamespace, id: string, record: ChangedArticleRecord | null): void {
  const before = held.articles.get(id)?.entities ?? []
  putArticle(held, { id, article: record === null ? null : asArticle(held, record) }, RULES)
  for (const entity of before) {
    entity.articles -= 1
    if (entity.articles === 0) held.entities.delete(entity.id)
  }
}

/** Copies field by field: a spread would take three times the memory. */
function asArticle(held: ChangedNamespace, article: ChangedArticleRecord): ChangedArticle {
  const { cluster_id, entity_ids, entity_names, member } = article
  return {
    article_id: article.article_id,
    arrival: article.arrival,
    told: article.told,
    settled: article.settled,
    assignment_confidence: article.assignment_confidence,
    member: member === null ? null : sharing(held, member),
    story: cluster_id === null ? null : storyOf(held, cluster_id, RULES),
    entities: entity_ids.map((id, i) => namedBy(held, id, entity_names[i] ?? '')),
  }
}

/** The entity that one more article names. */
function namedBy({ entities }: ChangedNamespace, id: string, name: string): ChangedEntity {
  const entity = entities.get(id) ?? { id, name, articles: 0 }
  entities.set(id, entity)
  if (entity.name === '') entity.name = name
  entity.articles += 1
  return entity
}

/** The same with strings that other articles have, where there are any. */
function sharing({ families, articles }: ChangedNamespace, member: ChangedMember): ChangedMember {
  const { publisher_family: family, derived_from } = member
  if (family !== null && !families.has(family)) families.set(family, family)
  return {
    log_order: member.log_order,
    title: member.title,
    syndication_group: member.syndication_group,
    publisher_family: family === null ? null : (families.get(family) ?? family),
    derived_from: derived_from === null ? null : (articles.get(derived_from)?.article_id ?? derived_from),
  }
}

function count(story: ChangedStory, { entities }: ChangedArticle, one: 1 | -1): void {
  if (entities.length === 0) return
  story.most = null
  if (story.counts === null) return
  for (const entity of entities) {
    const articles = (story.counts.get(entity) ?? 0) + one
    if (articles === 0) story.counts.delete(entity)
    else story.counts.set(entity, articles)
  }
}

/** The article as stored in the changelog. */
export const asRemembered = ({ story, entities, ...article }: ChangedArticle): ChangedArticleRecord => ({
  ...article,
  cluster_id: story?.clusterId ?? null,
  entity_ids: entities.map(({ id }) => id),
  entity_names: entities.map(({ name }) => name),
})

/** Maximum entities of one story. */
const MOST = 50

/** The entities named by most of a story's articles; ties by id. */
export function entitiesOf(story: ChangedStory): readonly ChangedEntity[] {
  story.counts ??= countsOf(story)
  story.most ??= [...story.counts]
    .sort(([a, some], [b, more]) => more - some || (a.id < b.id ? -1 : 1))
    .slice(0, MOST)
    .map(([entity]) => entity)
  return story.most
}

function countsOf({ articles }: ChangedStory): Map<ChangedEntity, number> {
  const counts = new Map<ChangedEntity, number>()
  for (const { entities } of articles) for (const one of entities) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

/** The independent sources of the articles in memory, and the title of the newest that has one. */
export function coverageOf(story: ChangedStory): StoryCoverage {
  story.coverage ??= { origin_count: originsOf(story), title: newestTitle(story) }
  return story.coverage
}

/** `null` while the source of an article is not known: a count of the others would be too low. */
function originsOf({ articles }: ChangedStory): number | null {
  const known: OriginArticle[] = []
  for (const { article_id, member } of articles) {
    if (member === null) return null
    const { log_order, syndication_group, publisher_family, derived_from } = member
    known.push({ article_id, log_order, syndication_group, publisher_family, derived_from })
  }
  return known.length === 0 ? null : originCount(known)
}

function newestTitle({ articles }: ChangedStory): string | null {
  let newest = NO_TITLE
  for (const { member } of articles) {
    if (member?.title != null && member.log_order > newest.log_order) newest = member
  }
  return newest.title
}

const NO_TITLE: Pick<ChangedMember, 'log_order' | 'title'> = { log_order: -Infinity, title: null }
