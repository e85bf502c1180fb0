import { z } from 'zod'
import { isArticleUrl } from '../../../domain/intake/articles.ts'
import type { PostFields } from '../../../domain/intake/posts.ts'
import { canonicalUrl } from '../../../events/canonical-url.ts'
import type { HttpAnswer } from '../../../ports/http.ts'
import { PlatformUnavailable } from '../platform.ts'
import { shaped } from '../request-within.ts'

/** A post in search results and threads: the fields of `app.bsky.feed.defs#postView` that are used here. */
export const PostView = z.object({
  uri: z.string(),
  author: z.object({ did: z.string() }),
  record: z.unknown(),
  indexedAt: z.string(),
  replyCount: z.int().min(0).default(0),
  likeCount: z.int().min(0).default(0),
  repostCount: z.int().min(0).default(0),
})
export type PostView = z.output<typeof PostView>

/** The record that an author wrote. The network does not validate it, so a record with another shape is ignored. */
const Written = z.object({
  text: z.string(),
  createdAt: z.string(),
  reply: z.object({ parent: z.object({ uri: z.string() }) }).optional(),
  embed: z.unknown().optional(),
  facets: z.array(z.unknown()).catch([]),
})

const Card = z.object({ external: z.object({ uri: z.string() }) })
/** A card next to a quoted post. */
const CardBeside = z.object({ media: Card })
const Facet = z.object({ features: z.array(z.unknown()) })
const LinkFeature = z.object({ $type: z.literal('app.bsky.richtext.facet#link'), uri: z.string() })

/** A record of the network and when it was first seen. */
export interface SeenPost {
  /** `at://did/app.bsky.feed.post/rkey`. */
  readonly uri: string
  readonly record: unknown
  /** Milliseconds since 1970. */
  readonly seenAt: number
  /** Likes and reposts; `null` if not known. */
  readonly score: number | null
}

/** Canonical URLs of a story's articles. If a post has several links, a link to one of these is preferred. */
export type PostArticles = ReadonlySet<string>

/** `null` if the record is not a post or has no text. */
export function postOf({ uri, record, seenAt, score }: SeenPost, articles: PostArticles): PostFields | null {
  const match = /^at:\/\/(did:[^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(uri)
  const written = Written.safeParse(record)
  if (match === null || !written.success || written.data.text.trim() === '') return null
  const [, did = '', rkey = ''] = match
  const { text, createdAt, reply } = written.data
  return {
    platform: 'bluesky',
    post_id: uri,
    url: `https://bsky.app/profile/${did}/post/${rkey}`,
    author: did,
    text,
    created_at: momentOf(createdAt, seenAt),
    reply_to: reply?.parent.uri ?? null,
    cluster_id: null,
    article_url: articleOf(linksOf(written.data), articles),
    score,
    deleted: false,
  }
}

export const postOfView = (view: PostView, articles: PostArticles): PostFields | null =>
  postOf(
    {
      uri: view.uri,
      record: view.record,
      seenAt: Date.parse(view.indexedAt),
      score: view.likeCount + view.repostCount,
    },
    articles,
  )

/** The author's timestamp, but at most `seenAt`. `seenAt` if it is invalid. */
function momentOf(createdAt: string, seenAt: number): number {
  const authored = Date.parse(createdAt)
  return Number.isNaN(authored) || authored > seenAt ? seenAt : authored
}

/** The URLs that a post links to: its card first, then those in the text. */
function linksOf({ embed, facets }: Pick<z.output<typeof Written>, 'embed' | 'facets'>): readonly string[] {
  const card = Card.safeParse(embed).data ?? CardBeside.safeParse(embed).data?.media
  const features = facets.flatMap((facet) => Facet.safeParse(facet).data?.features ?? [])
  const links = features.flatMap((feature) => LinkFeature.safeParse(feature).data?.uri ?? [])
  return [...(card === undefined ? [] : [card.external.uri]), ...links].filter(isArticleUrl)
}

const articleOf = (links: readonly string[], articles: PostArticles): string | null =>
  links.find((link) => articles.has(canonicalUrl(link) ?? '')) ?? links[0] ?? null

const PostsAnswer = z.object({ posts: z.array(PostView), cursor: z.string().optional() })

/** Parses a response with a list of posts (`searchPosts` or `getPosts`). */
export function postsIn(answer: HttpAnswer): z.output<typeof PostsAnswer> {
  if (answer.status !== 200) throw new PlatformUnavailable(`http_${answer.status}`)
  return shaped(answer, PostsAnswer)
}
