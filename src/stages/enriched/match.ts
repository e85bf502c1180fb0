import { vectors } from '../../events/vector.ts'
import { canonical } from './memory.ts'
import type { RememberedPost } from './remembered.ts'
import type { Story } from './story.ts'

/** A post that names an entity of a story must also sound like it: cosine of its vector with the story's mean. */
const LIKE_ENOUGH = 0.5
/** Days between the post and the story's nearest article. */
const NEAR_ENOUGH_MS = 7 * 86_400_000

/** The stories a post may be about: those of which an article is remembered. */
export interface KnownStories {
  get(clusterId: string): Story | undefined
  /** The story that a name stands for: its own, or the one it went into. */
  named(clusterId: string): Story | undefined
  /** The story of the article with this canonical URL. */
  linkedBy(url: string): string | undefined
  /** Stories with an article that names the entity. */
  naming(entityId: string): readonly string[]
}

type Placeable = Pick<RememberedPost, 'claimed_cluster_id' | 'article_url' | 'entities' | 'vector' | 'created_at'>

/**
 * The story a post is about: as its producer says, else by the article it links to, else by entities and vector. It
 * follows from the post and the stories' articles alone, so it matters not which of them came first.
 */
export function match(stories: KnownStories, post: Placeable): string | null {
  const claimed = post.claimed_cluster_id
  if (claimed !== null) return stories.named(claimed)?.clusterId ?? null
  const url = canonical(post.article_url)
  return (url === null ? undefined : stories.linkedBy(url)) ?? likeliest(stories, post)
}

/** Whether entities alone could bring a post to this story: near in time, then alike (the dearer question). */
export function isLike(story: Story, post: Placeable): boolean {
  if (!isNear(story, post)) return false
  const [vector] = vectors(post.vector)
  return vector !== undefined && cosine(story.sum, vector) >= LIKE_ENOUGH
}

function likeliest(stories: KnownStories, post: Placeable): string | null {
  const named = new Set(post.entities.flatMap(({ entity_id }) => stories.naming(entity_id)))
  const near = [...named].flatMap((id) => stories.get(id) ?? []).filter((story) => isNear(story, post))
  if (near.length === 0) return null
  const [vector] = vectors(post.vector)
  if (vector === undefined) return null
  const likenesses = near.map((story) => ({ id: story.clusterId, value: cosine(story.sum, vector) }))
  const [best] = likenesses.sort((a, b) => b.value - a.value || (a.id < b.id ? -1 : 1))
  return best !== undefined && best.value >= LIKE_ENOUGH ? best.id : null
}

const isNear = (story: Story, { created_at }: Placeable): boolean =>
  [...story.articles.values()].some((occurredAt) => Math.abs(occurredAt - created_at) <= NEAR_ENOUGH_MS)

function cosine(sum: Float64Array, unit: Float32Array): number {
  let dot = 0
  let square = 0
  for (let i = 0; i < unit.length; i++) {
    dot += (sum[i] ?? 0) * (unit[i] ?? 0)
    square += (sum[i] ?? 0) ** 2
  }
  return square === 0 ? 0 : dot / Math.sqrt(square)
}
