import { canonicalUrl } from '../../../events/canonical-url.ts'
import type { PostFields } from '../../../domain/intake/posts.ts'
import type { StoryTarget } from '../targets.ts'
import { claimOf } from '../words.ts'
import type { FoundTweets, Tweet } from './shapes.ts'

const OWN_HOST = /^https?:\/\/(?:[\w-]+\.)*(?:twitter\.com|x\.com|t\.co|twimg\.com)(?:[/?#]|$)/i
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The posts of an answer, those that moved most people first. */
export function postsOf(
  { data, includes }: Pick<FoundTweets, 'data' | 'includes'>,
  target: StoryTarget,
): readonly PostFields[] {
  const names = new Map((includes?.users ?? []).map(({ id, username }) => [id, username]))
  const articles = new Set(target.urls.map(canonicalUrl))
  return [...(data ?? [])]
    .sort((a, b) => engagement(b) - engagement(a) || (a.id < b.id ? -1 : 1))
    .map((tweet) => {
      const post = postOf(tweet, names.get(tweet.author_id ?? '') ?? null)
      const link = linkOf(tweet, articles)
      const isArticle = link !== null && articles.has(canonicalUrl(link))
      return { ...post, article_url: link, cluster_id: isArticle ? null : claimOf(target, post.text) }
    })
}

function engagement({ public_metrics: counts }: Tweet): number {
  const { like_count, retweet_count, reply_count, quote_count } = counts ?? {}
  return [like_count, retweet_count, reply_count, quote_count].reduce<number>((sum, count) => sum + (count ?? 0), 0)
}

const postOf = (tweet: Tweet, username: string | null): PostFields => ({
  platform: 'twitter',
  post_id: tweet.id,
  url: `https://x.com/${username ?? 'i'}/status/${tweet.id}`,
  author: username ?? tweet.author_id ?? null,
  text: textOf(tweet),
  created_at: Date.parse(tweet.created_at),
  reply_to: parentOf(tweet),
  cluster_id: null,
  article_url: null,
  score: scoreOf(tweet),
  deleted: false,
})

/** Whole, where it is long; X sends `&`, `<` and `>` as entities. */
const textOf = ({ note_tweet, text }: Tweet): string =>
  (note_tweet?.text ?? text).replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)

const parentOf = ({ referenced_tweets }: Tweet): string | null =>
  referenced_tweets?.find(({ type }) => type === 'replied_to')?.id ?? null

/** Likes and reposts. */
const scoreOf = ({ public_metrics: counts }: Tweet): number | null =>
  counts === null || counts === undefined ? null : (counts.like_count ?? 0) + (counts.retweet_count ?? 0)

/** One of the story's articles, else the first address that leads away from X. */
function linkOf({ entities }: Tweet, articles: ReadonlySet<string | null>): string | null {
  const links = (entities?.urls ?? [])
    .map(({ unwound_url, expanded_url }) => unwound_url ?? expanded_url ?? '')
    .filter((url) => canonicalUrl(url) !== null && !OWN_HOST.test(url))
  return links.find((url) => articles.has(canonicalUrl(url))) ?? links[0] ?? null
}
