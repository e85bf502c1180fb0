import { canonicalUrl } from '../../events/canonical-url.ts'
import type { Platform } from '../../events/discourse.ts'
import { vectors } from '../../events/vector.ts'
import { terms } from './themes.ts'
import type { RememberedMember, RememberedPost, Remembered } from './remembered.ts'

/** What one namespace's public says about its stories. Owned and mutated by `evolve`. */
export interface Discourse {
  readonly members: Map<string, RememberedMember>
  readonly stories: Map<string, Story>
  /** Canonical URL to the article it belongs to. */
  readonly byUrl: Map<string, string>
  /** Entity id to the stories that name it. */
  readonly byEntity: Map<string, Set<string>>
  /** In the order of their last writing, so that the oldest can leave first. */
  readonly posts: Map<string, RememberedPost>
  /** Keys of posts no story was found for, yet. */
  readonly unmatched: Set<string>
  /** How often each term stands in any remembered post: what themes are weighed against. */
  readonly termCounts: Map<string, number>
}

export interface Story {
  readonly clusterId: string
  readonly articles: Set<string>
  readonly posts: Set<string>
  /** Sum of the members' vectors, float64[384]. */
  readonly sum: Float64Array
}

export type State = Map<string, Discourse>

export const noDiscourse = (): Discourse => ({
  members: new Map(),
  stories: new Map(),
  byUrl: new Map(),
  byEntity: new Map(),
  posts: new Map(),
  unmatched: new Set(),
  termCounts: new Map(),
})

export const memberKey = (namespace: string, articleId: string): string => `${namespace}:member:${articleId}`
export const postKey = (namespace: string, platform: Platform, postId: string): string =>
  `${namespace}:post:${platform}:${postId}`

/** Folds one remembered thing, or its end, into the state. */
export function evolve(state: State, entry: { readonly key: string; readonly value: Remembered | null }): State {
  const namespace = entry.key.slice(0, entry.key.indexOf(':'))
  const discourse = state.get(namespace) ?? noDiscourse()
  state.set(namespace, discourse)
  forget(discourse, entry.key)
  if (entry.value?.member) addMember(discourse, entry.key, entry.value.member)
  if (entry.value?.post) addPost(discourse, entry.key, entry.value.post)
  return state
}

function forget(discourse: Discourse, key: string): void {
  const member = discourse.members.get(key)
  if (member !== undefined) removeMember(discourse, key, member)
  const post = discourse.posts.get(key)
  if (post !== undefined) removePost(discourse, key, post)
}

function addMember(discourse: Discourse, key: string, member: RememberedMember): void {
  discourse.members.set(key, member)
  const story = storyOf(discourse, member.cluster_id)
  story.articles.add(key)
  addVector(story.sum, member, 1)
  const url = member.url === null ? null : canonicalUrl(member.url)
  if (url !== null) discourse.byUrl.set(url, key)
  for (const { entity_id } of member.entities) {
    discourse.byEntity.set(entity_id, (discourse.byEntity.get(entity_id) ?? new Set()).add(member.cluster_id))
  }
}

function removeMember(discourse: Discourse, key: string, member: RememberedMember): void {
  discourse.members.delete(key)
  const story = storyOf(discourse, member.cluster_id)
  story.articles.delete(key)
  addVector(story.sum, member, -1)
  const url = member.url === null ? null : canonicalUrl(member.url)
  if (url !== null && discourse.byUrl.get(url) === key) discourse.byUrl.delete(url)
  for (const { entity_id } of member.entities) {
    if (!names(discourse, story, entity_id)) discourse.byEntity.get(entity_id)?.delete(story.clusterId)
  }
}

const names = (discourse: Discourse, story: Story, entityId: string): boolean =>
  [...story.articles].some((key) => discourse.members.get(key)?.entities.some((e) => e.entity_id === entityId))

function addPost(discourse: Discourse, key: string, post: RememberedPost): void {
  discourse.posts.set(key, post)
  if (post.cluster_id === null) discourse.unmatched.add(key)
  else storyOf(discourse, post.cluster_id).posts.add(key)
  for (const term of terms(post.text)) discourse.termCounts.set(term, (discourse.termCounts.get(term) ?? 0) + 1)
}

function removePost(discourse: Discourse, key: string, post: RememberedPost): void {
  discourse.posts.delete(key)
  discourse.unmatched.delete(key)
  if (post.cluster_id !== null) discourse.stories.get(post.cluster_id)?.posts.delete(key)
  for (const term of terms(post.text)) {
    const left = (discourse.termCounts.get(term) ?? 0) - 1
    if (left > 0) discourse.termCounts.set(term, left)
    else discourse.termCounts.delete(term)
  }
}

function storyOf(discourse: Discourse, clusterId: string): Story {
  const known = discourse.stories.get(clusterId)
  if (known !== undefined) return known
  const story: Story = { clusterId, articles: new Set(), posts: new Set(), sum: new Float64Array(384) }
  discourse.stories.set(clusterId, story)
  return story
}

function addVector(sum: Float64Array, { vector }: RememberedMember, sign: 1 | -1): void {
  const [values] = vectors(vector)
  values?.forEach((value, i) => (sum[i] = (sum[i] ?? 0) + sign * value))
}
