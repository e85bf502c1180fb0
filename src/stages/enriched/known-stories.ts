import { DAY_MS } from '../../domain/days.ts'
import { keysBy, type KeysBy } from '../../state/keys-by.ts'
import { firstOnTheWay, pointingTo } from '../../state/pointers.ts'
import { isMerge, isSplit } from '../../state/story-index.ts'
import { canonical, type Discourse } from './discourse.ts'
import {
  type RememberedAlias,
  type EnrichedMemberRecord,
  type RememberedSplit,
  type RememberedPost,
  memberKey,
} from './changelog.ts'
import { addArticle, copyOf, likenessTo, noStory, removeArticle, type EnrichedStory } from './story.ts'
import type { ArticleClustered, StoryChange } from '../../events/ledger.ts'

/** The stories a post may be assigned to: those with an article in memory. */
export interface KnownStories {
  get(clusterId: string): EnrichedStory | undefined
  /** The story with this id, or the one it was merged into. */
  named(clusterId: string): EnrichedStory | undefined
  /** A story and those split off it. */
  family(story: EnrichedStory): readonly EnrichedStory[]
  /** The story of the article with this canonical URL. */
  linkedBy(url: string): string | undefined
  /** Stories with an article that names the entity. */
  naming(entityId: string): Iterable<string>
}

/** An article in its new state, and its key. */
export interface PlacedMemberKey {
  readonly key: string
  readonly member: EnrichedMemberRecord
}

export interface KnownPlacement {
  readonly placed: readonly PlacedMemberKey[]
  /** A story that is merged into another one by the change. */
  readonly alias: RememberedAlias | null
  /** A story that is split off by the change. */
  readonly split: RememberedSplit | null
}

export interface ChangedKnownStories extends KnownStories {
  /** The stories that gain or lose articles, in their new state. */
  readonly changed: ReadonlyMap<string, EnrichedStory>
}

/** The stories before any change. */
export const NOTHING_PLACED: KnownPlacement = { placed: [], alias: null, split: null }

/** The stories after these articles are assigned. A copy, since deciding must not change the state. */
export function withPlaced(discourse: Discourse, { placed, alias, split }: KnownPlacement): ChangedKnownStories {
  const changed = new Map<string, EnrichedStory>()
  const changing = (id: string): EnrichedStory => {
    const story = changed.get(id) ?? copyOf(discourse.stories.get(id) ?? noStory(id))
    changed.set(id, story)
    return story
  }
  const byUrl = new Map<string | null, string>()
  for (const { key, member } of placed) {
    const before = discourse.members.get(key)
    if (before !== undefined) removeArticle(changing(before.cluster_id), key, before)
    addArticle(changing(member.cluster_id), key, member)
    byUrl.set(canonical(member.url), member.cluster_id)
  }
  const keys = new Set(placed.map(({ key }) => key))
  const get = (id: string) => withArticles(changed.get(id) ?? discourse.stories.get(id))
  const aliases =
    alias === null ? discourse.aliases : new Map(discourse.aliases).set(alias.cluster_id, alias.merged_into)
  const names = (id: string) => namesWith(discourse, id, alias)
  const splitInto = split === null ? discourse.splitInto : withSplit(discourse.splitInto, split)
  return {
    changed,
    get,
    named: (id) => firstOnTheWay(aliases, id, get),
    family: (story) => family(story, { get, names, splitInto }),
    linkedBy: (url) =>
      byUrl.get(url) ?? (keys.has(discourse.byUrl.get(url) ?? '') ? undefined : storyOfUrl(discourse, url)),
    naming: (id) => naming(discourse, changed, id),
  }
}

function* naming(discourse: Discourse, changed: ReadonlyMap<string, EnrichedStory>, id: string): Generator<string> {
  for (const cluster of keysBy(discourse.byEntity, id)) if (!changed.has(cluster)) yield cluster
  for (const { clusterId, entities } of changed.values()) if (entities.has(id)) yield clusterId
}

interface Lineage {
  readonly get: (id: string) => EnrichedStory | undefined
  /** All ids of stories that were merged into a story. */
  readonly names: (id: string) => ReadonlySet<string>
  readonly splitInto: KeysBy
}

/** The story and all stories split off it, or off a story merged into it, in id order. */
function family(story: EnrichedStory, { get, names, splitInto }: Lineage): readonly EnrichedStory[] {
  const found = new Map([[story.clusterId, story]])
  const queue = [story.clusterId]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const name of [id, ...names(id)]) {
      for (const child of keysBy(splitInto, name)) {
        const opened = get(child)
        if (opened === undefined || found.has(child)) continue
        found.set(child, opened)
        queue.push(child)
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1))
}

const withSplit = (splitInto: KeysBy, { cluster_id, split_from }: RememberedSplit): KeysBy =>
  new Map(splitInto).set(split_from, new Set([...keysBy(splitInto, split_from), cluster_id]))

function namesWith(discourse: Discourse, id: string, alias: RememberedAlias | null): ReadonlySet<string> {
  if (alias?.merged_into !== id) return namesOf(discourse, id)
  return new Set([...namesOf(discourse, id), alias.cluster_id, ...namesOf(discourse, alias.cluster_id)])
}

/** All ids of stories that were merged into this one, directly or indirectly. */
export const namesOf = ({ mergedInto }: Discourse, clusterId: string): ReadonlySet<string> =>
  pointingTo(mergedInto, clusterId)

const withArticles = (story: EnrichedStory | undefined): EnrichedStory | undefined =>
  story?.articles.size === 0 ? undefined : story

function storyOfUrl({ byUrl, members }: Discourse, url: string): string | undefined {
  const article = byUrl.get(url)
  return article === undefined ? undefined : members.get(article)?.cluster_id
}

/** Maximum distance of the post from the story's nearest article. */
const NEARBY_MS = 7 * DAY_MS

type Placeable = Pick<
  RememberedPost,
  'claimed_cluster_id' | 'article_url' | 'entities' | 'vector' | 'cross_vector' | 'created_at'
>

/**
 * The story a post is about. If its producer names a story, that one; if stories were split off it, the one of its link
 * or parent, else the most similar. Otherwise the story of the article it links to, then that of the post it replies
 * to, then the most similar by entities and vector. Depends only on the post, its thread and the stories' articles, so
 * the order of arrival does not matter.
 */
export function match(stories: KnownStories, post: Placeable, parentStory: string | null): string | null {
  const claimed = post.claimed_cluster_id
  const url = canonical(post.article_url)
  const linked = url === null ? undefined : stories.linkedBy(url)
  if (claimed === null) return linked ?? parentStory ?? mostSimilar(stories, post)
  const story = stories.named(claimed)
  if (story === undefined) return null
  const family = stories.family(story)
  const linkedStory = [linked, parentStory].find((id) => family.some(({ clusterId }) => clusterId === id))
  return linkedStory ?? nearest(family, story, post).clusterId
}

/** The story most similar to the post; `named` wins ties. */
function nearest(family: readonly EnrichedStory[], named: EnrichedStory, post: Placeable): EnrichedStory {
  if (family.length === 1) return named
  const likeness = likenessTo(post)
  return family.reduce((best, story) => (likeness(story) > likeness(best) ? story : best), named)
}

/**
 * Whether a post that names an entity of this story could be assigned to it: near in time and similar. Similarity is
 * tested last because it costs more.
 */
export const isSimilar = (story: EnrichedStory, post: Placeable): boolean =>
  isNear(story, post) && likenessTo(post)(story) >= 1

function mostSimilar(stories: KnownStories, post: Placeable): string | null {
  const likeness = likenessTo(post)
  const named = new Set(post.entities.flatMap(({ entity_id }) => [...stories.naming(entity_id)]))
  let best: string | null = null
  let most = 1
  for (const id of named) {
    const story = stories.get(id)
    if (story === undefined || !isNear(story, post)) continue
    const like = likeness(story)
    const wins = best === null ? like >= most : like > most || (like === most && id < best)
    if (!wins) continue
    best = id
    most = like
  }
  return best
}

function isNear({ articles }: EnrichedStory, { created_at }: Placeable): boolean {
  for (const { occurred_at } of articles.values()) if (Math.abs(occurred_at - created_at) <= NEARBY_MS) return true
  return false
}

/** The new assignment of the articles of a change that are in memory, and the alias or split that follows from it. */
export function moved(discourse: Discourse, event: ArticleClustered, change: StoryChange): KnownPlacement {
  const placed = change.article_ids.flatMap((id): PlacedMemberKey[] => {
    const key = memberKey(event.namespace, id)
    const member = discourse.members.get(key)
    if (member === undefined || member.cluster_id === event.cluster_id) return []
    return [{ key, member: { ...member, cluster_id: event.cluster_id } }]
  })
  const alias = aliasOf(discourse, event, { change, placed })
  return { placed, alias, split: alias === null && placed.length > 0 ? splitOf(event, change) : null }
}

/**
 * The alias of a story that is merged into another one or loses its last articles to it, whatever the action is called.
 * It is kept only while there is a story to point to.
 */
function aliasOf(
  discourse: Discourse,
  event: ArticleClustered,
  { change, placed }: { readonly change: StoryChange; readonly placed: readonly PlacedMemberKey[] },
): RememberedAlias | null {
  const { cluster_id } = event
  const { from_cluster_id: from } = change
  if (from === null || from === cluster_id) return null
  const goes = isMerge(event, change) || isEmptied(discourse, from, placed)
  return goes && (placed.length > 0 || articlesOf(discourse, cluster_id) > 0)
    ? { cluster_id: from, merged_into: cluster_id }
    : null
}

const articlesOf = ({ stories }: Discourse, id: string): number => stories.get(id)?.articles.size ?? 0

function isEmptied({ stories }: Discourse, from: string, placed: readonly PlacedMemberKey[]): boolean {
  const articles = stories.get(from)?.articles
  const evicted = new Set(placed.map(({ key }) => key))
  return articles !== undefined && articles.size > 0 && [...articles.keys()].every((key) => evicted.has(key))
}

function splitOf(event: ArticleClustered, change: StoryChange): RememberedSplit | null {
  const { from_cluster_id: from } = change
  return isSplit(event, change) && from !== null && from !== event.cluster_id
    ? { cluster_id: event.cluster_id, split_from: from }
    : null
}
