import { addTo, takeFrom } from '../../domain/graph/centre.ts'
import type { GraphRules } from '../../domain/graph/rules.ts'
import { significant, type Founding, type GraphStory, type NamedCount } from '../../domain/graph/story.ts'
import { titleWords, wordsOf } from '../../domain/graph/title-words.ts'
import type { LinkedArticleRecord, LinkedStoryRecord } from './changelog.ts'

const DIM = 384

/** Sums of a story with at most this many articles are not cached: recomputing them takes less memory. */
const FEW = 16

/** Sums over the articles of a story. Integers, so that they do not depend on the order of additions and removals. */
interface Sums {
  readonly entities: Map<string, NamedCount>
  /** int32[384]: sum of the articles' vectors. */
  readonly centre: Int32Array
  /** By word: number of titles that contain it. */
  readonly words: Map<string, number>
}

/** A story with its articles in memory. */
export interface LinkedStory {
  readonly clusterId: string
  /** By article id. */
  readonly articles: Map<string, LinkedArticleRecord>
  known: LinkedStoryRecord | null
  /** Arrival of its newest article. A cache; `null` if that article was removed. */
  newest: number | null
  /** A cache; `null` if out of date. */
  sums: Sums | null
}

export const noArticles = (clusterId: string): LinkedStory => ({
  clusterId,
  articles: new Map<string, LinkedArticleRecord>(),
  known: null,
  newest: -1,
  sums: null,
})

/** Arrival of a story's newest article; -1 if it has none. */
export function newestOf(story: LinkedStory): number {
  if (story.newest !== null) return story.newest
  let newest = -1
  for (const { log_order } of story.articles.values()) newest = Math.max(newest, log_order)
  story.newest = newest
  return newest
}

export function addArticle(story: LinkedStory, article: LinkedArticleRecord): void {
  story.articles.set(article.article_id, article)
  if (story.newest !== null) story.newest = Math.max(story.newest, article.log_order)
  if (story.sums !== null) add(story.sums, article)
}

export function removeArticle(story: LinkedStory, article: LinkedArticleRecord): void {
  story.articles.delete(article.article_id)
  if (story.articles.size === 0) story.newest = -1
  else if (story.newest === article.log_order) story.newest = null
  if (story.sums !== null) subtract(story.sums, article)
}

function add({ entities, centre, words }: Sums, article: LinkedArticleRecord): void {
  for (const { entity_id, type, mention_count } of article.entities) {
    const { articles, mentions } = entities.get(entity_id) ?? { articles: 0, mentions: 0 }
    entities.set(entity_id, { entity_id, type, articles: articles + 1, mentions: mentions + mention_count })
  }
  for (const word of wordsOf(article.title ?? '')) words.set(word, (words.get(word) ?? 0) + 1)
  addTo(centre, stepsOf(article))
}

function subtract({ entities, centre, words }: Sums, article: LinkedArticleRecord): void {
  for (const { entity_id, mention_count } of article.entities) {
    const entity = entities.get(entity_id)
    if (entity === undefined || entity.articles === 1) entities.delete(entity_id)
    else {
      const { articles, mentions } = entity
      entities.set(entity_id, { ...entity, articles: articles - 1, mentions: mentions - mention_count })
    }
  }
  for (const word of wordsOf(article.title ?? '')) {
    const titles = words.get(word) ?? 0
    if (titles <= 1) words.delete(word)
    else words.set(word, titles - 1)
  }
  takeFrom(centre, stepsOf(article))
}

const stepsOf = ({ vector }: LinkedArticleRecord): Int8Array =>
  new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength)

function sumsOf(story: LinkedStory): Sums {
  if (story.sums !== null) return story.sums
  const sums: Sums = { entities: new Map(), centre: new Int32Array(DIM), words: new Map() }
  for (const article of story.articles.values()) add(sums, article)
  if (story.articles.size > FEW) story.sums = sums
  return sums
}

/** Offset of the entry that opened a story. It is always stored before it is needed. */
export const openedAt = ({ known }: LinkedStory): number => known?.opened ?? Number.MAX_SAFE_INTEGER

/** A story with articles, in the form that the graph uses. */
export function graphStory(
  story: LinkedStory,
  founded: Founding,
  rules: Pick<GraphRules, 'weights' | 'significant'>,
): GraphStory {
  const { entities, centre, words } = sumsOf(story)
  let [first_at, last_at] = [Infinity, -Infinity]
  for (const { occurred_at } of story.articles.values()) {
    first_at = Math.min(first_at, occurred_at)
    last_at = Math.max(last_at, occurred_at)
  }
  return {
    cluster_id: story.clusterId,
    entities: significant(entities.values(), story.articles.size, rules),
    first_at,
    last_at,
    founded,
    centre: centre.slice(), // a copy, since the story's own sum keeps changing
    words: titleWords(words, story.articles.size),
  }
}
