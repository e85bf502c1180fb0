import { z } from 'zod'
import type { PostFields } from '../../../domain/intake/posts.ts'

const text = z.string().nullish()
const number = z.number().nullish()

/** A thread (`t3`). Field names are from Reddit's archived source code and its API documentation. */
const ThreadData = z.object({
  name: z.string(),
  title: text,
  selftext: text,
  url: text,
  permalink: text,
  author: text,
  score: number,
  num_comments: number,
  created_utc: z.number(),
  is_self: z.boolean().nullish(),
  removed_by_category: text,
})

const CommentData = z.object({
  name: z.string(),
  parent_id: z.string(),
  body: text,
  author: text,
  permalink: text,
  score: number,
  score_hidden: z.boolean().nullish(),
  created_utc: z.number(),
})

const MoreData = z.object({ id: z.string(), children: z.array(z.string()) })

export type ThreadData = z.infer<typeof ThreadData>
export type CommentData = z.infer<typeof CommentData>

export type Thing =
  | { readonly kind: 't3'; readonly data: ThreadData }
  | { readonly kind: 't1'; readonly data: CommentData & { readonly replies: RedditListing | null } }
  | { readonly kind: 'more'; readonly data: z.infer<typeof MoreData> }
  | { readonly kind: 'other' }

export interface RedditListing {
  readonly after: string | null
  readonly children: readonly Thing[]
}

const none = z.literal('').transform(() => null)
const Reply: z.ZodType<RedditListing | null> = z.lazy(() => z.union([none, z.null(), RedditListing]))

const Kinds: Readonly<Record<string, z.ZodType<Thing>>> = {
  t3: z.object({ kind: z.literal('t3'), data: ThreadData }),
  t1: z.object({ kind: z.literal('t1'), data: CommentData.extend({ replies: Reply.default(null) }) }),
  more: z.object({ kind: z.literal('more'), data: MoreData }),
}

/** Kinds that are not used here are ignored; the others must have their shape. */
const Thing: z.ZodType<Thing> = z.looseObject({ kind: z.string() }).transform((thing, context): Thing => {
  const shape = Object.hasOwn(Kinds, thing.kind) ? Kinds[thing.kind] : undefined
  if (shape === undefined) return { kind: 'other' }
  const parsed = shape.safeParse(thing)
  if (parsed.success) return parsed.data
  context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'no such thing' })
  return z.NEVER
})

export const RedditListing: z.ZodType<RedditListing> = z
  .object({ kind: z.literal('Listing'), data: z.object({ after: text, children: z.array(Thing) }) })
  .transform(({ data }) => ({ after: data.after ?? null, children: data.children }))

/** The response of `/comments/{id}`: the thread, then its comments. */
export const Tree = z.tuple([RedditListing, RedditListing])

export const MoreChildren = z.object({
  json: z.object({ data: z.object({ things: z.array(Thing) }).nullish() }),
})

export const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })
const SITE = 'https://www.reddit.com'
const GONE = new Set(['[deleted]', '[removed]', '[ Removed by Reddit ]', '[deleted by user]'])
const OWN_HOST = /^https?:\/\/(?:[\w-]+\.)*(?:reddit\.com|redd\.it|redditmedia\.com)(?:[/?#]|$)/i

/** Whether the author or a moderator removed it. Reddit keeps a placeholder in the thread. */
export const isGone = (data: ThreadData | CommentData): boolean =>
  'parent_id' in data
    ? saysGone(data.author) || saysGone(data.body)
    : saysGone(data.author) || saysGone(data.title) || saysGone(data.selftext) || isRemoved(data)

const saysGone = (text: string | null | undefined): boolean => GONE.has(text?.trim() ?? '')
const isRemoved = ({ removed_by_category: by }: ThreadData): boolean => by !== null && by !== undefined

/** `article`: URL of the article by which the thread was found; `null` if it was found by words. */
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

/** The target of a link post; `null` if it is Reddit itself (a thread, an image, a video). */
function linkOf({ url, is_self }: ThreadData): string | null {
  if (is_self === true || url === null || url === undefined || url === '') return null
  return OWN_HOST.test(url) ? null : url
}
