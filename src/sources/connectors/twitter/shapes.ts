import { z } from 'zod'
import type { PostFields } from '../../../domain/intake/posts.ts'
import { canonicalUrl } from '../../../events/canonical-url.ts'
import type { StoryTarget } from '../platform.ts'
import { certainStory } from '../words.ts'

const count = z.number().nullish()

/** A post of X's API v2. Field names are from the types of twitter-api-v2. */
const Tweet = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  text: z.string(),
  created_at: z.string(),
  author_id: z.string().nullish(),
  note_tweet: z.object({ text: z.string() }).nullish(),
  public_metrics: z
    .object({ retweet_count: count, reply_count: count, like_count: count, quote_count: count })
    .nullish(),
  referenced_tweets: z.array(z.object({ type: z.string(), id: z.string() })).nullish(),
  entities: z
    .object({
      urls: z.array(z.object({ expanded_url: z.string().nullish(), unwound_url: z.string().nullish() })).nullish(),
    })
    .nullish(),
})

export type Tweet = z.infer<typeof Tweet>

/** Errors of single items. The items that were found are in `data`. */
const PartialErrors = z.array(z.object({ value: z.string().nullish(), resource_id: z.string().nullish() })).nullish()

/** If there are no posts, `data` is absent. A response with errors only is invalid, so `data` or `meta` is required. */
export const FoundTweets = z
  .object({
    data: z.array(Tweet).nullish(),
    includes: z.object({ users: z.array(z.object({ id: z.string(), username: z.string() })).nullish() }).nullish(),
    meta: z.object({ newest_id: z.string().nullish(), next_token: z.string().nullish() }).nullish(),
    errors: PartialErrors,
  })
  .refine(
    ({ data, meta }) => Array.isArray(data) || (meta !== null && meta !== undefined),
    'neither posts nor a summary',
  )
export type FoundTweets = z.infer<typeof FoundTweets>

export const LookupResponse = z
  .object({ data: z.array(z.object({ id: z.string() })).nullish(), errors: PartialErrors })
  .refine(({ data, errors }) => Array.isArray(data) || Array.isArray(errors), 'neither posts nor errors')

/** The body of a response with an error status: a problem document, or v1 errors. */
export const TwitterProblem = z.object({
  type: z.string().nullish(),
  title: z.string().nullish(),
  detail: z.string().nullish(),
  period: z.string().nullish(),
  errors: z.array(z.looseObject({ parameters: z.record(z.string(), z.unknown()).nullish() })).nullish(),
})
export type TwitterProblem = z.infer<typeof TwitterProblem>

const OWN_HOST = /^https?:\/\/(?:[\w-]+\.)*(?:twitter\.com|x\.com|t\.co|twimg\.com)(?:[/?#]|$)/i
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The posts of a response, most engagement first. */
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
      return { ...post, article_url: link, cluster_id: isArticle ? null : certainStory(target, post.text) }
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

/** The full text of a post, long posts included. X escapes `&`, `<` and `>`. */
const textOf = ({ note_tweet, text }: Tweet): string =>
  (note_tweet?.text ?? text).replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)

const parentOf = ({ referenced_tweets }: Tweet): string | null =>
  referenced_tweets?.find(({ type }) => type === 'replied_to')?.id ?? null

/** Likes and reposts. */
const scoreOf = ({ public_metrics: counts }: Tweet): number | null =>
  counts === null || counts === undefined ? null : (counts.like_count ?? 0) + (counts.retweet_count ?? 0)

/** The first link to one of the story's articles, else the first link outside X. */
function linkOf({ entities }: Tweet, articles: ReadonlySet<string | null>): string | null {
  const links = (entities?.urls ?? [])
    .map(({ unwound_url, expanded_url }) => unwound_url ?? expanded_url ?? '')
    .filter((url) => canonicalUrl(url) !== null && !OWN_HOST.test(url))
  return links.find((url) => articles.has(canonicalUrl(url))) ?? links[0] ?? null
}
