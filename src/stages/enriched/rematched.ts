import { keysBy } from './keys-by.ts'
import { withArticle } from './known-stories.ts'
import { isLike, match } from './match.ts'
import { canonical, type Discourse } from './memory.ts'
import type { RememberedMember, RememberedPost } from './remembered.ts'
import type { Story } from './story.ts'

/**
 * The posts an article gives another story, or their first: all it may concern are matched anew as if they came after
 * it. So records do not depend on how articles and posts interleave, as long as memory holds: an article that leaves by
 * the budget moves no post, and a post that has left is not matched again.
 */
export function rematched(discourse: Discourse, key: string, member: RememberedMember): readonly RememberedPost[] {
  const posts = discourse.posts.things
  if (posts.size === 0) return []
  const stories = withArticle(discourse, key, member)
  const changed = [...stories.changed.values()]
  const urls = [canonical(member.url), canonical(discourse.members.things.get(key)?.url ?? null)]
  const concerned = new Set([
    ...urls.flatMap((url) => keysBy(discourse.postsByUrl, url)),
    ...changed.flatMap(({ clusterId, posts: own }) => [...own, ...keysBy(discourse.postsByClaim, clusterId)]),
    ...changed.flatMap((story) => alike(discourse, story)),
  ])
  return [...concerned].sort().flatMap((postKey): RememberedPost[] => {
    const post = posts.get(postKey)
    const cluster_id = post === undefined ? null : match(stories, post)
    return post === undefined || post.cluster_id === cluster_id ? [] : [{ ...post, cluster_id }]
  })
}

/** Posts that name one of the story's entities and sound like it; all others it cannot win. */
function alike(discourse: Discourse, story: Story): readonly string[] {
  const naming = new Set([...story.entities.keys()].flatMap((id) => keysBy(discourse.postsByEntity, id)))
  return [...naming].filter((key) => {
    const post = discourse.posts.things.get(key)
    return post?.claimed_cluster_id === null && isLike(story, post)
  })
}
