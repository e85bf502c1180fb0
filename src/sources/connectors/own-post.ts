import type { Platform, PlatformPolled, PostObserved } from '../../events/discourse.ts'
import { derivedId } from '../../events/ids.ts'
import { characters, isArticleUrl, wellFormed } from '../../domain/intake/articles.ts'
import type { PostFields } from '../../domain/intake/posts.ts'

const VERSION = '1'
const MAX_POST_CHARACTERS = 40_000
const MAX_URL_LENGTH = 2_048
const MAX_SCORE = 2 ** 31 - 1

/**
 * The event of a post as a connector saw it. Its id is derived from the content without the score, so an unchanged post
 * gives the same event.
 */
export function ownPost(namespace: string, fields: PostFields): PostObserved {
  const content = Object.entries(fields).filter(([name]) => name !== 'score')
  const text = JSON.stringify(content.sort(([a], [b]) => (a < b ? -1 : 1)))
  return { event_id: idOf(fields.platform, [namespace, fields.post_id, text].join('\n')), namespace, ...fields }
}

/** Whether a connector published the event, and not another producer. */
export const isOwn = ({ event_id, namespace, ...fields }: PostObserved): boolean =>
  ownPost(namespace, fields).event_id === event_id

export const ownPoll = (poll: Omit<PlatformPolled, 'event_id'>): PlatformPolled => ({
  event_id: idOf(poll.platform, `polled\n${JSON.stringify(Object.entries(poll).sort(([a], [b]) => (a < b ? -1 : 1)))}`),
  ...poll,
})

const idOf = (platform: Platform, text: string): string =>
  derivedId({ stage: `connector:${platform}`, version: VERSION }, text)

/** The event fields of a deletion: only what identifies the post. */
export const deletionOf = (post: Pick<PostFields, 'platform' | 'post_id' | 'created_at'>): PostFields => ({
  platform: post.platform,
  post_id: post.post_id,
  created_at: post.created_at,
  deleted: true,
  text: '',
  url: null,
  author: null,
  reply_to: null,
  cluster_id: null,
  article_url: null,
  score: null,
})

/**
 * Normalises a post to our rules without changing its meaning. The result reads back from the log unchanged, so that
 * the derived id stays the same.
 */
export const tidied = (fields: PostFields): PostFields => ({
  ...fields,
  post_id: wellFormed(fields.post_id),
  reply_to: fields.reply_to === null ? null : wellFormed(fields.reply_to),
  text: cut(wellFormed(fields.text).trim()),
  author: fields.author === null ? null : wellFormed(fields.author),
  url: linkOrNull(fields.url),
  article_url: linkOrNull(fields.article_url),
  score: fields.score === null || !Number.isFinite(fields.score) ? null : clamped(fields.score),
})

const cut = (text: string): string =>
  text.length <= MAX_POST_CHARACTERS || characters(text) <= MAX_POST_CHARACTERS
    ? text
    : Array.from(text).slice(0, MAX_POST_CHARACTERS).join('')

const linkOrNull = (url: string | null): string | null =>
  url !== null && url.length <= MAX_URL_LENGTH && isArticleUrl(url) ? wellFormed(url) : null

const clamped = (score: number): number => Math.min(Math.max(Math.round(score), -MAX_SCORE), MAX_SCORE)
