import { canonicalUrl } from '../../events/canonical-url.ts'
import { addTo, takeFrom, type KeysBy } from './keys-by.ts'
import type { Remembered, RememberedAlias, RememberedMember, RememberedPost } from './remembered.ts'
import { emptyShelf, put, type Shelf } from './shelf.ts'
import { addArticle, entityIds, noStory, removeArticle, type Story } from './story.ts'
import { countTerms, uncountTerms, type TermArrivals } from './term-counts.ts'
import { terms } from './themes.ts'

/** What one namespace's public says about its stories. Owned and mutated by `evolve`. */
export interface Discourse {
  readonly members: Shelf<RememberedMember>
  readonly posts: Shelf<RememberedPost>
  /** Those with an article or a post. */
  readonly stories: Map<string, Story>
  /** Canonical URL to the key of its article. */
  readonly byUrl: Map<string, string>
  /** Entity id to the stories that name it. */
  readonly byEntity: KeysBy
  readonly postsByEntity: KeysBy
  /** By the canonical URL of the article they link to. */
  readonly postsByUrl: KeysBy
  /** By the story their producer names. */
  readonly postsByClaim: KeysBy
  /** A story that went into another one to that one. */
  readonly aliases: Map<string, string>
  /** The same the other way. */
  readonly mergedInto: KeysBy
  /** In how many posts each term stands: what themes are weighed against. */
  readonly terms: TermArrivals
}

export interface State {
  readonly namespaces: Map<string, Discourse>
  /** In memory, over all namespaces. */
  members: number
  posts: number
}

export const nothing = (): State => ({ namespaces: new Map(), members: 0, posts: 0 })

export const noDiscourse = (): Discourse => ({
  members: emptyShelf(),
  posts: emptyShelf(),
  stories: new Map(),
  byUrl: new Map(),
  byEntity: new Map(),
  postsByEntity: new Map(),
  postsByUrl: new Map(),
  postsByClaim: new Map(),
  aliases: new Map(),
  mergedInto: new Map(),
  terms: new Map(),
})

export const canonical = (url: string | null): string | null => (url === null ? null : canonicalUrl(url))

/** Folds one remembered thing, or its end, into the state. */
export function evolve(
  state: State,
  { key, value }: { readonly key: string; readonly value: Remembered | null },
): State {
  const namespace = key.slice(0, key.indexOf(':'))
  const discourse = state.namespaces.get(namespace) ?? noDiscourse()
  const { members, posts } = discourse
  const [articlesBefore, postsBefore] = [members.things.size, posts.things.size]
  state.namespaces.set(namespace, discourse)
  unlink(discourse, key)
  link(discourse, key, value)
  state.members += members.things.size - articlesBefore
  state.posts += posts.things.size - postsBefore
  if (members.things.size + posts.things.size + discourse.aliases.size === 0) state.namespaces.delete(namespace)
  return state
}

function unlink(discourse: Discourse, key: string): void {
  const member = discourse.members.things.get(key)
  if (member !== undefined) unlinkMember(discourse, key, member)
  const post = discourse.posts.things.get(key)
  if (post !== undefined) unlinkPost(discourse, key, post)
  const story = aliasOf(key)
  const target = discourse.aliases.get(story)
  if (target !== undefined) takeFrom(discourse.mergedInto, target, story)
  discourse.aliases.delete(story)
}

/** The story an alias is of; of other things no story's name. */
const aliasOf = (key: string): string => /^[^:]*:alias:(.*)$/s.exec(key)?.[1] ?? ''

function link(discourse: Discourse, key: string, value: Remembered | null): void {
  if (value === null) {
    discourse.members.things.delete(key)
    discourse.posts.things.delete(key)
  } else if (value.member !== null) linkMember(discourse, key, value.member)
  else if (value.post !== null) linkPost(discourse, key, value.post)
  else linkAlias(discourse, value.alias)
}

function linkMember(discourse: Discourse, key: string, member: RememberedMember): void {
  put(discourse.members, key, member)
  addArticle(storyOf(discourse, member.cluster_id), key, member)
  const url = canonical(member.url)
  if (url !== null) discourse.byUrl.set(url, key)
  for (const id of entityIds(member)) addTo(discourse.byEntity, id, member.cluster_id)
}

function unlinkMember(discourse: Discourse, key: string, member: RememberedMember): void {
  const story = storyOf(discourse, member.cluster_id)
  removeArticle(story, key, member)
  const url = canonical(member.url)
  if (url !== null && discourse.byUrl.get(url) === key) discourse.byUrl.delete(url)
  for (const id of entityIds(member)) if (!story.entities.has(id)) takeFrom(discourse.byEntity, id, story.clusterId)
  closeIfEmpty(discourse, story)
}

function linkAlias(discourse: Discourse, { cluster_id, merged_into }: RememberedAlias): void {
  discourse.aliases.set(cluster_id, merged_into)
  addTo(discourse.mergedInto, merged_into, cluster_id)
}

function linkPost(discourse: Discourse, key: string, post: RememberedPost): void {
  put(discourse.posts, key, post)
  if (post.cluster_id !== null) storyOf(discourse, post.cluster_id).posts.add(key)
  for (const [index, by] of indexed(discourse, post)) addTo(index, by, key)
  countTerms(discourse.terms, terms(post.text), post.log_order)
}

function unlinkPost(discourse: Discourse, key: string, post: RememberedPost): void {
  const story = post.cluster_id === null ? undefined : discourse.stories.get(post.cluster_id)
  story?.posts.delete(key)
  if (story !== undefined) closeIfEmpty(discourse, story)
  for (const [index, by] of indexed(discourse, post)) takeFrom(index, by, key)
  uncountTerms(discourse.terms, terms(post.text), post.log_order)
}

/** Where a post stands, and by what: an article that arrives finds by these the posts it may concern. */
function indexed(discourse: Discourse, post: RememberedPost): readonly (readonly [KeysBy, string])[] {
  const url = canonical(post.article_url)
  return [
    ...[...entityIds(post)].map((id) => [discourse.postsByEntity, id] as const),
    ...(url === null ? [] : [[discourse.postsByUrl, url] as const]),
    ...(post.claimed_cluster_id === null ? [] : [[discourse.postsByClaim, post.claimed_cluster_id] as const]),
  ]
}

function storyOf(discourse: Discourse, clusterId: string): Story {
  const story = discourse.stories.get(clusterId) ?? noStory(clusterId)
  discourse.stories.set(clusterId, story)
  return story
}

function closeIfEmpty(discourse: Discourse, { clusterId, articles, posts }: Story): void {
  if (articles.size + posts.size === 0) discourse.stories.delete(clusterId)
}
