import { sha256 } from '../../events/ids.ts'
import type { EmbeddedText } from '../../language/stance/features.ts'
import type { StanceModel } from '../../language/stance/stance.ts'
import { type Discourse, ancestors, type Posts } from './discourse.ts'
import { keysBy } from '../../state/keys-by.ts'
import { match, type KnownStories } from './known-stories.ts'
import type { EnrichedMemberRecord, RememberedPost } from './changelog.ts'
import { unitOf } from './story.ts'

/** Posts by key, in their new state; `null` if deleted. */
export type ChangedPosts = ReadonlyMap<string, RememberedPost | null>

interface Settling {
  readonly discourse: Discourse
  /** The stories after the change. */
  readonly stories: KnownStories
  readonly stance: StanceModel
  /** Posts that are added, changed or deleted. */
  readonly given: ChangedPosts
  /** Keys of the posts whose story or stance may change as a result. */
  readonly concerned: Iterable<string>
}

/**
 * The posts that change: those given, and all whose story or stance changes as a result. Parents are settled before
 * their replies, so that each post is processed once. A post whose story changes also triggers its replies.
 */
export function settled({ discourse, stories, stance, given, concerned }: Settling): ChangedPosts {
  const changed = new Map(given)
  const posts: Posts = (key) => {
    const post = changed.get(key)
    return post === undefined ? discourse.posts.get(key) : (post ?? undefined)
  }
  const queue = downwards(posts)
  for (const key of [...concerned].sort()) queue.add(key)
  for (const [key, above] of queue.inOrder()) {
    const post = posts(key)
    const after = post === undefined ? post : settle(post, above, { stories, posts, stance })
    if (after === undefined || after === post) continue
    changed.set(key, after)
    if (after.cluster_id !== post?.cluster_id) keysBy(discourse.postsByParent, key).forEach(queue.add)
  }
  return changed
}

/** A queue of posts by depth in their threads. Posts added during iteration are deeper than the post that adds them. */
function downwards(posts: Posts) {
  const levels: Map<string, readonly string[]>[] = []
  return {
    add: (key: string): void => {
      const above = ancestors(posts, key)
      while (levels.length <= above.length) levels.push(new Map())
      levels[above.length]?.set(key, above)
    },
    /** Keys, each with the keys of its ancestors. */
    *inOrder(): Generator<readonly [string, readonly string[]]> {
      for (const level of levels) yield* level
    },
  }
}

interface ChangedPostsWorld {
  readonly stories: KnownStories
  readonly posts: Posts
  readonly stance: StanceModel
}

/** Returns the same object if nothing changes. */
function settle(post: RememberedPost, above: readonly string[], world: ChangedPostsWorld): RememberedPost {
  const [parent, first] = [world.posts(above[0] ?? ''), world.posts(above.at(-1) ?? '')]
  const cluster_id = match(world.stories, post, parent?.cluster_id ?? null)
  const placed = post.cluster_id === cluster_id ? post : { ...post, cluster_id }
  const headline = headlineOf(world.stories, cluster_id)
  if (headline === null || post.text === '') return placed
  return withStance(placed, { parent: asContext(parent), first: asContext(first), headline }, world)
}

const headlineOf = (stories: KnownStories, cluster_id: string | null): EnrichedMemberRecord | null =>
  cluster_id === null ? null : (stories.get(cluster_id)?.founding ?? null)

interface Answering {
  /** The post it replies to and the first post of its thread; `null` if not known. */
  readonly parent: RememberedPost | null
  readonly first: RememberedPost | null
  readonly headline: EnrichedMemberRecord
}

/**
 * The stance towards the first post of its thread, or towards the headline if there is none. Decided again when one of
 * them changes.
 */
function withStance(
  post: RememberedPost,
  { parent, first, headline }: Answering,
  { stance }: ChangedPostsWorld,
): RememberedPost {
  const claim = first === null ? claimOf(headline) : { hash: first.text_hash, said: said(first) }
  const stance_of = `${parent?.text_hash ?? ''}:${claim.hash}`
  if (stance_of === post.stance_of) return post
  const input = { post: said(post), parent: parent === null ? null : said(parent), claim: claim.said }
  const result = stance.stanceOf(input)
  return { ...post, stance: result.stance, probabilities: result.probabilities, stance_of }
}

/** A deleted post is not used as context. */
const asContext = (post: RememberedPost | undefined): RememberedPost | null =>
  post === undefined || post.deleted ? null : post

const said = ({ text, vector }: RememberedPost): EmbeddedText => ({ text, vector: unitOf(vector) })
const hashes = new WeakMap<EnrichedMemberRecord, string>()

const claimOf = (headline: EnrichedMemberRecord) => ({
  hash: headlineHash(headline),
  said: { text: headline.title ?? '', vector: unitOf(headline.vector) },
})

/** Identifies an article and its headline. */
function headlineHash(member: EnrichedMemberRecord): string {
  const known = hashes.get(member)
  if (known !== undefined) return known
  const digest = sha256(`${member.article_id}\n${member.title ?? ''}`)
  const hash = digest.toString('hex').slice(0, 16)
  hashes.set(member, hash)
  return hash
}
