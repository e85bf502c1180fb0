import type { Platform } from '../../events/discourse.ts'
import { vectors, type Vector } from '../../events/vector.ts'
import type { KeysBy } from '../../state/keys-by.ts'
import type { EnrichedMemberRecord, RememberedPost } from './changelog.ts'

export interface EnrichedStory {
  readonly clusterId: string
  /** By key. */
  readonly articles: Map<string, EnrichedMemberRecord>
  /** Keys of its posts; never an empty set. */
  readonly posts: KeysBy<Platform>
  /** Entity id to the number of articles that name it. */
  readonly entities: Map<string, number>
  /** Sum of the articles' vectors, float64[384]. */
  readonly sum: Float64Array
  /** Sum of the articles' cross-language title vectors, float64[384]; `null` until a post is compared with it. */
  crossSum: Float64Array | null
  /** The article with the earliest event time: the story's headline. */
  founding: EnrichedMemberRecord | null
}

export const noStory = (clusterId: string): EnrichedStory => ({
  clusterId,
  articles: new Map(),
  posts: new Map(),
  entities: new Map(),
  sum: new Float64Array(384),
  crossSum: null,
  founding: null,
})

/** A copy for what-if evaluation: its articles may change; its posts are shared with the story. */
export const copyOf = (story: EnrichedStory): EnrichedStory => ({
  ...story,
  articles: new Map(story.articles),
  entities: new Map(story.entities),
  sum: story.sum.slice(),
  crossSum: story.crossSum?.slice() ?? null,
})

export function addArticle(story: EnrichedStory, key: string, member: EnrichedMemberRecord): void {
  story.articles.set(key, member)
  if (story.founding === null || isEarlier(member, story.founding)) story.founding = member
  count(story, member, 1)
}

export function removeArticle(story: EnrichedStory, key: string, member: EnrichedMemberRecord): void {
  story.articles.delete(key)
  if (story.founding?.article_id === member.article_id) story.founding = earliest(story.articles.values())
  count(story, member, -1)
}

function earliest(members: Iterable<EnrichedMemberRecord>): EnrichedMemberRecord | null {
  let first: EnrichedMemberRecord | null = null
  for (const member of members) if (first === null || isEarlier(member, first)) first = member
  return first
}

const isEarlier = (a: EnrichedMemberRecord, b: EnrichedMemberRecord): boolean =>
  a.occurred_at < b.occurred_at || (a.occurred_at === b.occurred_at && a.article_id < b.article_id)

function count({ sum, crossSum, entities }: EnrichedStory, member: EnrichedMemberRecord, sign: 1 | -1): void {
  addTo(sum, member.vector, sign)
  if (crossSum !== null) addTo(crossSum, member.cross_title_vector, sign)
  for (const id of entityIds(member)) {
    const articles = (entities.get(id) ?? 0) + sign
    if (articles > 0) entities.set(id, articles)
    else entities.delete(id)
  }
}

const addTo = (sum: Float64Array, vector: Vector, sign: 1 | -1): void =>
  unitOf(vector).forEach((value, i) => (sum[i] = (sum[i] ?? 0) + sign * value))

/** Distinct entity ids. */
export const entityIds = (thing: { readonly entities: readonly { readonly entity_id: string }[] }): Set<string> =>
  new Set(thing.entities.map(({ entity_id }) => entity_id))

/** float32[384] of a stored vector; zero if there is none. */
export const unitOf = (vector: Vector): Float32Array => vectors(vector)[0] ?? new Float32Array(vector.dim)

/** Minimum cosine of a post in English with the mean of a story's leads. */
const LEAST_SIMILAR = 0.5
/**
 * Minimum cosine of a post in another language with the mean of a story's titles. Of sentences of NTREX in seven
 * languages 42 % are as near to the English title of their text, and 0.7 % of those of another text.
 */
const LEAST_ACROSS = 0.25

/**
 * How similar a story is to a post, as a share of the similarity that a post needs: 1 is enough. A post in another
 * language is compared by the vectors that are comparable between languages.
 */
export function likenessTo({
  vector,
  cross_vector,
}: Pick<RememberedPost, 'vector' | 'cross_vector'>): (story: EnrichedStory) => number {
  if (cross_vector.dim > 0) {
    const unit = unitOf(cross_vector)
    return (story) => cosineOf(crossSumOf(story), unit) / LEAST_ACROSS
  }
  const unit = unitOf(vector)
  return ({ sum }) => cosineOf(sum, unit) / LEAST_SIMILAR
}

/** Kept from the first post that is compared with it: most stories meet none. Exact in whichever order it is summed. */
function crossSumOf(story: EnrichedStory): Float64Array {
  if (story.crossSum !== null) return story.crossSum
  const sum = new Float64Array(384)
  for (const { cross_title_vector } of story.articles.values()) addTo(sum, cross_title_vector, 1)
  return (story.crossSum = sum)
}

/** -1 to +1 for a unit vector; 0 for a sum of no vectors. */
function cosineOf(sum: Float64Array, unit: Float32Array): number {
  let dot = 0
  let square = 0
  for (let i = 0; i < unit.length; i++) {
    const own = sum[i] ?? 0
    dot += own * (unit[i] ?? 0)
    square += own * own
  }
  return square === 0 ? 0 : dot / Math.sqrt(square)
}
