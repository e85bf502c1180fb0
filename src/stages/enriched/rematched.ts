import { keysBy } from './keys-by.ts'
import { namesOf, withPlaced, type Placed, type Placing } from './known-stories.ts'
import { isLike, match } from './match.ts'
import { canonical, type Discourse } from './memory.ts'
import type { RememberedPost } from './remembered.ts'
import type { Story } from './story.ts'

/**
 * The posts that articles give another story, or their first: all they may concern are matched anew as if they came after
 * them. So records do not depend on how articles and posts interleave, as long as memory holds: an article that leaves by
 * the budget moves no post, and a post that has left is not matched again.
 */
export function rematched(discourse: Discourse, placing: Placing): readonly RememberedPost[] {
  const posts = discourse.posts.things
  if (posts.size === 0) return []
  const stories = withPlaced(discourse, placing)
  const changed = [...stories.changed.values()]
  const concerned = new Set([
    ...placing.placed.flatMap((article) => linking(discourse, article)),
    ...changed.flatMap(({ clusterId, posts: own }) => [...own, ...claiming(discourse, clusterId)]),
    ...changed.flatMap((story) => alike(discourse, story)),
    ...(placing.alias === null ? [] : claiming(discourse, placing.alias.cluster_id)),
  ])
  return [...concerned].sort().flatMap((postKey): RememberedPost[] => {
    const post = posts.get(postKey)
    const cluster_id = post === undefined ? null : match(stories, post)
    return post === undefined || post.cluster_id === cluster_id ? [] : [{ ...post, cluster_id }]
  })
}

/** Posts that link to an article's address, or to the one it had. */
const linking = (discourse: Discourse, { key, member }: Placed): readonly string[] =>
  [member.url, discourse.members.things.get(key)?.url ?? null].flatMap((url) =>
    keysBy(discourse.postsByUrl, canonical(url)),
  )

/** Posts that name the story, or one that went into it. */
const claiming = (discourse: Discourse, clusterId: string): readonly string[] =>
  [clusterId, ...namesOf(discourse, clusterId)].flatMap((name) => keysBy(discourse.postsByClaim, name))

/** Posts that name one of the story's entities and sound like it; all others it cannot win. */
function alike(discourse: Discourse, story: Story): readonly string[] {
  const naming = new Set([...story.entities.keys()].flatMap((id) => keysBy(discourse.postsByEntity, id)))
  return [...naming].filter((key) => {
    const post = discourse.posts.things.get(key)
    return post?.claimed_cluster_id === null && isLike(story, post)
  })
}
