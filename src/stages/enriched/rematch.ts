import { canonical, type Discourse } from './discourse.ts'
import { keysBy } from '../../state/keys-by.ts'
import {
  namesOf,
  type ChangedKnownStories,
  type PlacedMemberKey,
  type KnownPlacement,
  isSimilar,
} from './known-stories.ts'
import type { RememberedSplit } from './changelog.ts'
import type { EnrichedStory } from './story.ts'

/**
 * Keys of the posts whose story may change because of changed articles. All of them are settled again as if they had
 * arrived after the articles. Records therefore do not depend on the order in which articles and posts arrive, within
 * the limits of memory: evicting an article moves no post, and an evicted post is not matched again.
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

/** Posts that link to an article's current or previous URL. */
const linking = (discourse: Discourse, { key, member }: PlacedMemberKey): readonly string[] =>
  [member.url, discourse.members.get(key)?.url ?? null].flatMap((url) => [
    ...keysBy(discourse.postsByUrl, canonical(url)),
  ])

/** The story's own posts: those without a claimed story, which may move, or all of them if the headline changed. */
function own(discourse: Discourse, after: EnrichedStory): readonly string[] {
  const isSameHeadline = after.founding === discourse.stories.get(after.clusterId)?.founding
  return [...after.posts.values()].flatMap((keys) =>
    [...keys].filter((key) => !isSameHeadline || discourse.posts.get(key)?.claimed_cluster_id === null),
  )
}

interface Lineage {
  readonly split: RememberedSplit | null
  readonly stories: ChangedKnownStories
}

/**
 * Posts that wait for the story or lose it: those that name it, or a story merged into it. Among stories split off one
 * another, a post that names one may refer to another whenever one of them changes.
 */
function claiming(discourse: Discourse, after: EnrichedStory, { split, stories }: Lineage): readonly string[] {
  const before = discourse.stories.get(after.clusterId)?.articles.size ?? 0
  const above = splitFrom(discourse, after.clusterId, split)
  const isAlone = above.length === 0 && stories.family(after).length === 1
  if (isAlone && before > 0 && after.articles.size > 0) return []
  return [after.clusterId, ...above].flatMap((id) => named(discourse, id))
}

/** The stories it was split from, directly or indirectly, by their current and former ids. */
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

/** Posts that name one of the story's entities and are similar to it. Only these can move to it by entities. */
function alike(discourse: Discourse, story: EnrichedStory): readonly string[] {
  const found = new Set<string>()
  const compared = new Set<string>()
  for (const id of story.entities.keys()) {
    for (const key of keysBy(discourse.postsByEntity, id)) {
      if (compared.has(key)) continue
      compared.add(key)
      const post = discourse.posts.get(key)
      if (post !== undefined && post.cluster_id !== story.clusterId && isSimilar(story, post)) found.add(key)
    }
  }
  return [...found]
}
