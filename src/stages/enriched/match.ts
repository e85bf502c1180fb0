import { canonical } from './discourse.ts'
import type { RememberedPost } from './changelog.ts'
import { likeness, unitOf, type EnrichedStory } from './story.ts'

/** A post that names an entity of a story must also sound like it: cosine of its vector with the story's mean. */
const LIKE_ENOUGH = 0.5
/** Days between the post and the story's nearest article. */
const NEAR_ENOUGH_MS = 7 * 86_400_000

/** The stories a post may be about: those of which an article is remembered. */
export interface KnownStories {
  get(clusterId: string): EnrichedStory | undefined
  /** The story that a name stands for: its own, or the one it went into. */
  named(clusterId: string): EnrichedStory | undefined
  /** A story, and those that opened out of it. */
  family(story: EnrichedStory): readonly EnrichedStory[]
  /** The story of the article with this canonical URL. */
  linkedBy(url: string): string | undefined
  /** Stories with an article that names the entity. */
  naming(entityId: string): Iterable<string>
}

type Placeable = Pick<RememberedPost, 'claimed_cluster_id' | 'article_url' | 'entities' | 'vector' | 'created_at'>

/**
 * The story a post is about: as its producer says (of what opened out of that story since, the one its link, its thread or
 * its sense is of), else by the article it links to, else that of the post it answers, else
 * by entities and vector. It follows from the post, its thread and the stories' articles alone, so it matters not which of
 * them came first.
 */
export function match(stories: KnownStories, post: Placeable, parentStory: string | null): string | null {
  const claimed = post.claimed_cluster_id
  const url = canonical(post.article_url)
  const linked = url === null ? undefined : stories.linkedBy(url)
  if (claimed === null) return linked ?? parentStory ?? likeliest(stories, post)
  const story = stories.named(claimed)
  if (story === undefined) return null
  const family = stories.family(story)
  const linkedStory = [linked, parentStory].find((id) => family.some(({ clusterId }) => clusterId === id))
  return linkedStory ?? nearest(family, story, post).clusterId
}

/** The one that sounds most like the post; the first named of several as near. */
function nearest(family: readonly EnrichedStory[], named: EnrichedStory, post: Placeable): EnrichedStory {
  if (family.length === 1) return named
  const vector = unitOf(post.vector)
  return family.reduce((best, story) => (likeness(story, vector) > likeness(best, vector) ? story : best), named)
}

/** Whether entities alone could bring a post to this story: near in time, then alike (the dearer question). */
export const isLike = (story: EnrichedStory, post: Placeable): boolean =>
  isNear(story, post) && likeness(story, unitOf(post.vector)) >= LIKE_ENOUGH

function likeliest(stories: KnownStories, post: Placeable): string | null {
  const vector = unitOf(post.vector)
  const named = new Set(post.entities.flatMap(({ entity_id }) => [...stories.naming(entity_id)]))
  let best: string | null = null
  let most = LIKE_ENOUGH
  for (const id of named) {
    const story = stories.get(id)
    if (story === undefined || !isNear(story, post)) continue
    const like = likeness(story, vector)
    const wins = best === null ? like >= most : like > most || (like === most && id < best)
    if (!wins) continue
    best = id
    most = like
  }
  return best
}

function isNear({ articles }: EnrichedStory, { created_at }: Placeable): boolean {
  for (const { occurred_at } of articles.values()) if (Math.abs(occurred_at - created_at) <= NEAR_ENOUGH_MS) return true
  return false
}
