import { vectors } from '../../events/vector.ts'
import type { RememberedMember } from './remembered.ts'

export interface Story {
  readonly clusterId: string
  /** Key of each article to its event time. */
  readonly articles: Map<string, number>
  /** Keys of its posts. */
  readonly posts: Set<string>
  /** Entity id to the number of articles that name it. */
  readonly entities: Map<string, number>
  /** Sum of the articles' vectors, float64[384]. */
  readonly sum: Float64Array
}

export const noStory = (clusterId: string): Story => ({
  clusterId,
  articles: new Map(),
  posts: new Set(),
  entities: new Map(),
  sum: new Float64Array(384),
})

/** To ask what would be: the copy's articles may change, its posts are the story's own. */
export const copyOf = (story: Story): Story => ({
  ...story,
  articles: new Map(story.articles),
  entities: new Map(story.entities),
  sum: story.sum.slice(),
})

export function addArticle(story: Story, key: string, member: RememberedMember): void {
  story.articles.set(key, member.occurred_at)
  count(story, member, 1)
}

export function removeArticle(story: Story, key: string, member: RememberedMember): void {
  story.articles.delete(key)
  count(story, member, -1)
}

function count({ sum, entities }: Story, member: RememberedMember, sign: 1 | -1): void {
  const [values] = vectors(member.vector)
  values?.forEach((value, i) => (sum[i] = (sum[i] ?? 0) + sign * value))
  for (const id of entityIds(member)) {
    const articles = (entities.get(id) ?? 0) + sign
    if (articles > 0) entities.set(id, articles)
    else entities.delete(id)
  }
}

/** Each once. */
export const entityIds = (thing: { readonly entities: readonly { readonly entity_id: string }[] }): Set<string> =>
  new Set(thing.entities.map(({ entity_id }) => entity_id))
