import type { PostFields } from '../../../domain/intake/posts.ts'
import type { CommentData, ThreadData } from './shapes.ts'

const SITE = 'https://www.reddit.com'
const GONE = new Set(['[deleted]', '[removed]', '[ Removed by Reddit ]', '[deleted by user]'])
const OWN_HOST = /^https?:\/\/(?:[\w-]+\.)*(?:reddit\.com|redd\.it|redditmedia\.com)(?:[/?#]|$)/i

/** Whether its author or a moderator took it away: what is left is its place in the thread. */
export const isGone = (data: ThreadData | CommentData): boolean =>
  'parent_id' in data
    ? saysGone(data.author) || saysGone(data.body)
    : saysGone(data.author) || saysGone(data.title) || saysGone(data.selftext) || isRemoved(data)

const saysGone = (text: string | null | undefined): boolean => GONE.has(text?.trim() ?? '')

const isRemoved = ({ removed_by_category: by }: ThreadData): boolean => by !== null && by !== undefined

/** `article`: the address of the article by which the thread was found; null: it was found by words. */
export const threadPost = (data: ThreadData, article: string | null): PostFields => ({
  ...shared(data),
  text: [data.title, data.selftext]
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n'),
  reply_to: null,
  article_url: article ?? linkOf(data),
  score: data.score ?? null,
})

export const commentPost = (data: CommentData, article: string | null): PostFields => ({
  ...shared(data),
  text: data.body ?? '',
  reply_to: data.parent_id,
  article_url: article,
  score: data.score_hidden === true ? null : (data.score ?? null),
})

const shared = ({ name, permalink, author, created_utc }: ThreadData | CommentData) => ({
  platform: 'reddit' as const,
  post_id: name,
  url: permalink === null || permalink === undefined ? null : `${SITE}${permalink}`,
  author: author ?? null,
  created_at: Math.round(created_utc * 1000),
  cluster_id: null,
  deleted: false,
})

/** What a link post links to, unless that is Reddit itself: its own thread, a picture, a video. */
function linkOf({ url, is_self }: ThreadData): string | null {
  if (is_self === true || url === null || url === undefined || url === '') return null
  return OWN_HOST.test(url) ? null : url
}
