import { canonicalUrl } from '../../events/canonical-url.ts'
import { vectors } from '../../events/vector.ts'
import type { Discourse, Story } from './memory.ts'
import type { RememberedMember, RememberedPost } from './remembered.ts'

/** A post that names an entity of a story must also sound like it: cosine of its vector with the story's mean. */
const LIKE_ENOUGH = 0.5
/** Days between the post and the story's nearest article. */
const NEAR_ENOUGH_MS = 7 * 86_400_000

/** The story a post is about: as its producer says, else by the article it links to, else by entities and vector. */
export function match(
  discourse: Discourse,
  post: Omit<RememberedPost, 'cluster_id'>,
  claimed: string | null,
): string | null {
  if (claimed !== null) return claimed
  const url = post.article_url === null ? null : canonicalUrl(post.article_url)
  const article = url === null ? undefined : discourse.byUrl.get(url)
  const linked = article === undefined ? undefined : discourse.members.get(article)
  return linked?.cluster_id ?? likeliest(discourse, post)
}

/** Whether a post that found no story yet is about this article. */
export function isAbout(post: RememberedPost, article: RememberedMember): boolean {
  if (
    post.article_url !== null &&
    article.url !== null &&
    canonicalUrl(post.article_url) === canonicalUrl(article.url)
  ) {
    return true
  }
  const named = article.entities.some(({ entity_id }) => post.entities.some((entity) => entity.entity_id === entity_id))
  const [a] = vectors(article.vector)
  const [b] = vectors(post.vector)
  if (!named || a === undefined || b === undefined) return false
  return Math.abs(article.occurred_at - post.created_at) <= NEAR_ENOUGH_MS && cosine(a, b) >= LIKE_ENOUGH
}

function likeliest(discourse: Discourse, post: Omit<RememberedPost, 'cluster_id'>): string | null {
  const [vector] = vectors(post.vector)
  if (vector === undefined) return null
  const named = new Set(post.entities.flatMap(({ entity_id }) => [...(discourse.byEntity.get(entity_id) ?? [])]))
  const likenesses = [...named].flatMap((id) => {
    const story = discourse.stories.get(id)
    return story !== undefined && near(discourse, story, post.created_at)
      ? { id, value: cosine(story.sum, vector) }
      : []
  })
  const [best] = likenesses.sort((a, b) => b.value - a.value || (a.id < b.id ? -1 : 1))
  return best !== undefined && best.value >= LIKE_ENOUGH ? best.id : null
}

const near = (discourse: Discourse, story: Story, at: number): boolean =>
  [...story.articles].some((key) => {
    const member = discourse.members.get(key)
    return member !== undefined && Math.abs(member.occurred_at - at) <= NEAR_ENOUGH_MS
  })

function cosine(sum: Float64Array | Float32Array, unit: Float32Array): number {
  let dot = 0
  let square = 0
  for (let i = 0; i < unit.length; i++) {
    dot += (sum[i] ?? 0) * (unit[i] ?? 0)
    square += (sum[i] ?? 0) ** 2
  }
  return square === 0 ? 0 : dot / Math.sqrt(square)
}
