import { canonical, type Discourse } from './discourse.ts'
import { keysBy } from './indexes.ts'
import {
  namesOf,
  type ChangedKnownStories,
  type PlacedMemberKey,
  type KnownPlacement,
  isLike,
} from './known-stories.ts'
import type { RememberedSplit } from './changelog.ts'
import type { EnrichedStory } from './story.ts'

/**
 * Keys of the posts that articles may give another story, or their first: all of them are settled again as if they came
 * after the articles. So records do not depend on how articles and posts interleave, as long as memory holds: an article
 * that leaves by the budget moves no post, and a post that has left is not matched again.
 */
export function rematched(
  discourse: Discourse,
  placing: KnownPlacement,
  stories: ChangedKnownStories,
): ReadonlySet<string> {
  if (discourse.posts.size === 0) return new Set()
  const changed = [...stories.changed.values()]
  return new Set([
    ...placing.placed.flatMap((article) => linking(discourse, article)),
    ...changed.flatMap((story) => own(discourse, story)),
    ...changed.flatMap((story) => claiming(discourse, story, { split: placing.split, stories })),
    ...changed.flatMap((story) => alike(discourse, story)),
    ...(placing.alias === null ? [] : named(discourse, placing.alias.cluster_id)),
  ])
}

/** Posts that link to an article's address, or to the one it had. */
const linking = (discourse: Discourse, { key, member }: PlacedMemberKey): readonly string[] =>
  [member.url, discourse.members.get(key)?.url ?? null].flatMap((url) => [
    ...keysBy(discourse.postsByUrl, canonical(url)),
  ])

/** Its posts: those that nobody claims may go, and all of them are held against its headline. */
function own(discourse: Discourse, after: EnrichedStory): readonly string[] {
  const headline = after.founding === discourse.stories.get(after.clusterId)?.founding
  return [...after.posts.values()].flatMap((keys) =>
    [...keys].filter((key) => !headline || discourse.posts.get(key)?.claimed_cluster_id === null),
  )
}

interface Lineage {
  readonly split: RememberedSplit | null
  readonly stories: ChangedKnownStories
}

/**
 * Posts that wait for the story, or lose it: those that name it, or one that went into it. Where stories opened out of one
 * another, a post that names one of them may mean another, as each of them changes.
 */
function claiming(discourse: Discourse, after: EnrichedStory, { split, stories }: Lineage): readonly string[] {
  const before = discourse.stories.get(after.clusterId)?.articles.size ?? 0
  const above = splitFrom(discourse, after.clusterId, split)
  const isAlone = above.length === 0 && stories.family(after).length === 1
  if (isAlone && before > 0 && after.articles.size > 0) return []
  return [after.clusterId, ...above].flatMap((id) => named(discourse, id))
}

/** What the story opened out of, at one remove or at several, by the names they have now and had. */
function splitFrom(discourse: Discourse, clusterId: string, split: RememberedSplit | null): readonly string[] {
  const found = new Set<string>()
  const queue = [clusterId]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const name of [id, ...namesOf(discourse, id)]) {
      const from = split?.cluster_id === name ? split.split_from : discourse.splits.get(name)
      if (from === undefined || found.has(from)) continue
      found.add(from)
      queue.push(from, discourse.aliases.get(from) ?? from)
    }
  }
  return [...found]
}

const named = (discourse: Discourse, clusterId: string): readonly string[] =>
  [clusterId, ...namesOf(discourse, clusterId)].flatMap((name) => [...keysBy(discourse.postsByClaim, name)])

/** Posts that name one of the story's entities and sound like it; all others it cannot win. */
function alike(discourse: Discourse, story: EnrichedStory): readonly string[] {
  const found = new Set<string>()
  const looked = new Set<string>()
  for (const id of story.entities.keys()) {
    for (const key of keysBy(discourse.postsByEntity, id)) {
      if (looked.has(key)) continue
      looked.add(key)
      const post = discourse.posts.get(key)
      if (post !== undefined && post.cluster_id !== story.clusterId && isLike(story, post)) found.add(key)
    }
  }
  return [...found]
}
