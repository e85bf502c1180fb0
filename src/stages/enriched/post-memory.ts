import { canonical, closeIfEmpty, storyOf, type Discourse } from './discourse.ts'
import { addTo, takeFrom, type KeysBy } from './keys-by.ts'
import { textTraces } from './post-text.ts'
import { postKey, type RememberedPost } from './changelog.ts'
import { entityIds } from './story.ts'
import { countTerms, uncountTerms } from './term-counts.ts'
import { terms } from './themes.ts'

/** Puts a post in the place of the one before it; null: it is forgotten. */
export function foldPost(discourse: Discourse, key: string, written: RememberedPost | null): void {
  const before = discourse.posts.get(key) ?? null
  const post = written === null ? null : completed(written)
  if (before !== null) unlink(discourse, key, before)
  shelve(discourse, key, post)
  if (post !== null) link(discourse, key, post)
  recount(discourse, before, post)
  if (before !== null) close(discourse, before)
}

function close(discourse: Discourse, { cluster_id }: RememberedPost): void {
  const left = discourse.stories.get(cluster_id ?? '')
  if (left !== undefined) closeIfEmpty(discourse, left)
}

function shelve({ posts, texts }: Discourse, key: string, post: RememberedPost | null): void {
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

/** Of a post written before its traces were kept they follow from its text. */
const completed = (post: RememberedPost): RememberedPost =>
  post.text_hash === '' && post.text !== '' ? { ...post, ...textTraces(post.text) } : post

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

/** Where a post stands, and by what: who arrives finds by these the posts it may concern. */
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

/** Key of the post it answers; null: it answers none. */
export const parentKey = (key: string, { platform, reply_to }: Pick<RememberedPost, 'platform' | 'reply_to'>) =>
  reply_to === null ? null : postKey(key.slice(0, key.indexOf(':')), { platform, post_id: reply_to })
