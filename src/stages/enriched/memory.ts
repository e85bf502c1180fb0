import {
  canonical,
  closeIfEmpty,
  noDiscourse,
  storyOf,
  type Discourse,
  type EnrichedState,
  parentKey,
} from './discourse.ts'
import { addTo, takeFrom, type KeysBy } from '../../state/keys-by.ts'
import { setPointer } from '../../state/pointers.ts'
import { countTerms, uncountTerms } from './indexes.ts'
import {
  NONE,
  type EnrichedRecord,
  type EnrichedUpdate,
  type EnrichedMemberRecord,
  type EmissionState,
  type RememberedPost,
} from './changelog.ts'
import { addArticle, entityIds, removeArticle } from './story.ts'
import { textTraces } from './observed-posts.ts'
import { terms } from './themes.ts'

export function evolve(state: EnrichedState, change: EnrichedUpdate): EnrichedState {
  const namespace = change.key.slice(0, change.key.indexOf(':'))
  const discourse = state.namespaces.get(namespace) ?? noDiscourse()
  const { members, posts } = discourse
  const [articlesBefore, postsBefore] = [members.size, posts.size]
  state.namespaces.set(namespace, discourse)
  apply(discourse, change)
  state.members += members.size - articlesBefore
  state.posts += posts.size - postsBefore
  const { aliases, emissions, splits } = discourse
  if (members.size + posts.size + aliases.size + emissions.size + splits.size === 0) state.namespaces.delete(namespace)
  return state
}

/** The key includes the kind, since a tombstone has no value. */
function apply(discourse: Discourse, { key, value }: EnrichedUpdate): void {
  const thing = value ?? NONE
  const [, kind] = key.split(':', 2)
  if (kind === 'member') applyMember(discourse, key, thing.member)
  else if (kind === 'post') applyPost(discourse, key, thing.post)
  else if (kind === 'telling') applyEmission(discourse, key, thing.telling)
  else applyPointer(discourse, key, thing)
}

function applyPointer(
  discourse: Discourse,
  key: string,
  { alias, split }: Pick<EnrichedRecord, 'alias' | 'split'>,
): void {
  const [, kind = ''] = key.split(':', 2)
  const story = storyIn(key, kind)
  if (kind === 'alias') setPointer(discourse.aliases, discourse.mergedInto, [story, alias?.merged_into])
  else if (kind === 'split') setPointer(discourse.splits, discourse.splitInto, [story, split?.split_from])
}

function applyMember(discourse: Discourse, key: string, member: EnrichedMemberRecord | null): void {
  const before = discourse.members.get(key)
  if (before !== undefined) unlinkMember(discourse, key, before)
  if (member === null) {
    discourse.members.delete(key)
    return
  }
  discourse.members.set(key, member)
  addArticle(storyOf(discourse, member.cluster_id), key, member)
  const url = canonical(member.url)
  if (url !== null) discourse.byUrl.set(url, key)
  for (const id of entityIds(member)) addTo(discourse.byEntity, id, member.cluster_id)
}

function unlinkMember(discourse: Discourse, key: string, member: EnrichedMemberRecord): void {
  const story = storyOf(discourse, member.cluster_id)
  removeArticle(story, key, member)
  const url = canonical(member.url)
  if (url !== null && discourse.byUrl.get(url) === key) discourse.byUrl.delete(url)
  for (const id of entityIds(member)) if (!story.entities.has(id)) takeFrom(discourse.byEntity, id, story.clusterId)
  closeIfEmpty(discourse, story)
}

const storyIn = (key: string, kind: string): string => key.slice(key.indexOf(`:${kind}:`) + kind.length + 2)

function applyEmission(discourse: Discourse, key: string, emission: EmissionState | null): void {
  if (emission === null) discourse.emissions.delete(key)
  else discourse.emissions.set(key, emission)
  if ((emission?.untold ?? 0) > 0) discourse.pending.add(key)
  else discourse.pending.delete(key)
}

/** Replaces a post by its newer version; `null` deletes it. */
function applyPost(discourse: Discourse, key: string, written: RememberedPost | null): void {
  const before = discourse.posts.get(key) ?? null
  const post = written === null ? null : completed(written)
  if (before !== null) unlink(discourse, key, before)
  storePost(discourse, key, post)
  if (post !== null) link(discourse, key, post)
  recount(discourse, before, post)
  const left = discourse.stories.get(before?.cluster_id ?? '')
  if (left !== undefined) closeIfEmpty(discourse, left)
}

/** Derives the text traces of a post that was written before they were stored. */
const completed = (post: RememberedPost): RememberedPost =>
  post.text_hash === '' && post.text !== '' ? { ...post, ...textTraces(post.text) } : post

function storePost({ posts, texts }: Discourse, key: string, post: RememberedPost | null): void {
  if (post === null) posts.delete(key)
  else posts.set(key, post)
  if (post === null || post.text === '') texts.delete(key)
  else texts.set(key, post.fetched_at)
}

function recount({ terms: counts }: Discourse, before: RememberedPost | null, after: RememberedPost | null): void {
  if (before?.words === after?.words) return
  if (before !== null) uncountTerms(counts, terms(before.words), before.log_order)
  if (after !== null) countTerms(counts, terms(after.words), after.log_order)
}

function link(discourse: Discourse, key: string, post: RememberedPost): void {
  for (const [index, by] of indexed(discourse, key, post)) addTo(index, by, key)
  if (post.cluster_id === null || post.deleted) return
  addTo(storyOf(discourse, post.cluster_id).posts, post.platform, key)
}

function unlink(discourse: Discourse, key: string, post: RememberedPost): void {
  for (const [index, by] of indexed(discourse, key, post)) takeFrom(index, by, key)
  const story = discourse.stories.get(post.cluster_id ?? '')
  if (story !== undefined) takeFrom(story.posts, post.platform, key)
}

/** The indexes that contain a post, with its key in each. */
function indexed(discourse: Discourse, key: string, post: RememberedPost): readonly (readonly [KeysBy, string])[] {
  const url = canonical(post.article_url)
  const parent = parentKey(key, post)
  const claim = post.claimed_cluster_id
  const named = claim === null ? [...entityIds(post)] : []
  return [
    ...named.map((id) => [discourse.postsByEntity, id] as const),
    ...(url === null ? [] : [[discourse.postsByUrl, url] as const]),
    ...(claim === null ? [] : [[discourse.postsByClaim, claim] as const]),
    ...(parent === null ? [] : [[discourse.postsByParent, parent] as const]),
  ]
}
