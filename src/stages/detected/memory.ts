import { dayOf } from '../../domain/days.ts'
import { countOn, lose, noDays, type DetectedDays, put, take } from './timeline.ts'
import { OrderedMap } from '../../state/eviction.ts'
import { evolveNamespace, type KeyedUpdate, type PartitionState } from '../../state/namespaces.ts'
import type { Crossing, DetectedArticleRecord, DetectedRecord, DetectedUpdate, RememberedNaming } from './changelog.ts'

/** An entity and the articles that name it. */
export interface DetectedEntity {
  readonly id: string
  /** Ordered by event time. */
  articles: DetectedArticle[]
  /** A cache; `null` after articles were added to or removed from these days. */
  prior: Prior | null
}

/** How often an entity was named on some days. */
export interface Prior {
  readonly days: readonly number[]
  readonly articles: number
  readonly mentions: number
  /** The number of days on which it was named. */
  readonly namedOn: number
}

/** A story and its articles. */
export interface DetectedStory {
  readonly id: string
  /** Ordered by event time. */
  articles: DetectedArticle[]
}

/** Kept small, since there are hundreds of thousands. */
export interface DetectedArticle {
  readonly id: string
  readonly order: number
  readonly at: number
  readonly text: string
  readonly house: string | null
  readonly categories: readonly string[]
  readonly story: DetectedStory
  readonly entities: readonly DetectedEntity[]
  /** For each entity, mentions and sentiment packed into one small integer. */
  readonly packedMentions: readonly number[]
}

/** The state of one namespace. Owned and mutated by `evolve`. */
export interface DetectedNamespace {
  /** By article id, ordered by arrival. */
  readonly articles: OrderedMap<DetectedArticle>
  readonly entities: Map<string, DetectedEntity>
  readonly stories: Map<string, DetectedStory>
  readonly days: DetectedDays
  /** By type and subject, as in the key. */
  readonly crossings: Map<string, readonly Crossing[]>
}

export interface DetectedState extends PartitionState<DetectedNamespace> {
  /** Outlets and category lists, interned. */
  readonly words: Map<string, string>
  readonly lists: Map<string, readonly string[]>
}

export const emptyState = (): DetectedState => ({ namespaces: new Map(), size: 0, words: new Map(), lists: new Map() })

export const noHeld = (): DetectedNamespace => ({
  articles: new OrderedMap(({ order }) => order),
  entities: new Map(),
  stories: new Map(),
  days: noDays(),
  crossings: new Map(),
})

export const evolve = (state: DetectedState, update: DetectedUpdate): DetectedState =>
  evolveNamespace(state, update, {
    open: noHeld,
    apply: (held, { kind, id, value }: KeyedUpdate<DetectedRecord>) => {
      if (kind === 'article') putArticle(state, held, { id, article: value?.article ?? null })
      else if (kind === 'told') putCrossings(held, id, value)
      else lose(held.days, id, value !== null)
    },
    isEmpty: () => false,
  })

function putCrossings({ crossings }: DetectedNamespace, id: string, value: DetectedRecord | null): void {
  if (value?.told == null) crossings.delete(id)
  else crossings.set(id, value.told.crossings)
}

function putArticle(
  state: DetectedState,
  held: DetectedNamespace,
  { id, article }: { readonly id: string; readonly article: DetectedArticleRecord | null },
): void {
  const known = held.articles.get(id)
  if (known !== undefined) drop(held, known)
  if (article === null) held.articles.delete(id)
  else add(held, asArticle(state, held, article))
}

function add(held: DetectedNamespace, article: DetectedArticle): void {
  held.articles.set(article.id, article)
  held.stories.set(article.story.id, article.story)
  article.story.articles = put(article.story.articles, article)
  countOn(held.days, dayOf(article.at), 1)
  for (const entity of article.entities) {
    held.entities.set(entity.id, entity)
    entity.articles = put(entity.articles, article)
    outdate(entity, article)
  }
}

function drop(held: DetectedNamespace, article: DetectedArticle): void {
  take(article.story.articles, article)
  if (article.story.articles.length === 0) held.stories.delete(article.story.id)
  countOn(held.days, dayOf(article.at), -1)
  for (const entity of article.entities) {
    take(entity.articles, article)
    outdate(entity, article)
    if (entity.articles.length === 0) held.entities.delete(entity.id)
  }
}

function outdate(entity: DetectedEntity, { at }: DetectedArticle): void {
  if (entity.prior?.days.includes(dayOf(at)) === true) entity.prior = null
}

/** Uses the story and entities in memory, or new ones. Does not change the state. */
export function asArticle(
  state: DetectedState,
  held: DetectedNamespace,
  article: DetectedArticleRecord,
): DetectedArticle {
  const { cluster_id, house } = article
  return {
    id: article.article_id,
    order: article.log_order,
    at: article.occurred_at,
    text: article.text,
    house: house === null ? null : interned(state.words, house, house),
    categories: interned(state.lists, article.categories.join(), article.categories),
    story: held.stories.get(cluster_id) ?? { id: cluster_id, articles: [] },
    entities: article.entities.map(({ entity_id: id }) => held.entities.get(id) ?? { id, articles: [], prior: null }),
    packedMentions: article.entities.map(packed),
  }
}

/** Interns equal values, since outlets and categories are few. A cache, so it may grow while deciding. */
function interned<Value>(known: Map<string, Value>, key: string, value: Value): Value {
  const one = known.get(key)
  if (one !== undefined) return one
  known.set(key, value)
  return value
}

/** Number of steps in which sentiment from -1 to +1 is stored; 0 means not known. */
const STEPS = 4_000
const STEP_VALUES = STEPS + 2
const MOST_MENTIONS = Math.floor(0x3fffffff / STEP_VALUES)

function packed({ mentions, sentiment }: RememberedNaming): number {
  const step = sentiment === null ? 0 : 1 + Math.round(((Math.min(1, Math.max(-1, sentiment)) + 1) / 2) * STEPS)
  return Math.min(mentions, MOST_MENTIONS) * STEP_VALUES + step
}

const packedOf = (article: DetectedArticle, entity: DetectedEntity): number =>
  article.packedMentions[article.entities.indexOf(entity)] ?? 0

/** How often an article names an entity. */
export const mentionsOf = (article: DetectedArticle, entity: DetectedEntity): number =>
  Math.floor(packedOf(article, entity) / STEP_VALUES)

/** Sentiment of an article towards an entity, -1 to +1; `null` when not known. */
export function sentimentOf(article: DetectedArticle, entity: DetectedEntity): number | null {
  const step = packedOf(article, entity) % STEP_VALUES
  return step === 0 ? null : (2 * (step - 1)) / STEPS - 1
}

/** The article as stored in the changelog. */
export const asRemembered = (article: DetectedArticle): DetectedArticleRecord => ({
  article_id: article.id,
  cluster_id: article.story.id,
  log_order: article.order,
  occurred_at: article.at,
  text: article.text,
  house: article.house,
  categories: article.categories,
  entities: article.entities.map((entity) => ({
    entity_id: entity.id,
    mentions: mentionsOf(article, entity),
    sentiment: sentimentOf(article, entity),
  })),
})
