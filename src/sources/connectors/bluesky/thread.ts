import { z } from 'zod'
import { PostView } from './post.ts'

/** Fields of the three known kinds of nodes. For unknown kinds all fields are absent. */
const Node = z.object({
  uri: z.string().optional(),
  notFound: z.boolean().optional(),
  post: z.unknown().optional(),
  replies: z.array(z.unknown()).optional(),
})

export const ThreadAnswer = z.object({ thread: z.unknown() })

interface Answers {
  readonly posts: readonly PostView[]
  /** URIs (`at://…`) of deleted posts. */
  readonly gone: readonly string[]
  /** URIs of all posts of the thread, the first one included, if all replies of each were returned; else empty. */
  readonly complete: readonly string[]
}

/** The replies of a thread: at most `most` posts, level by level from the top. Blocked posts are skipped. */
export function answersIn(thread: unknown, most: number): Answers {
  const nodes: Node[] = []
  let level = repliesOf(thread)
  while (level.length > 0 && nodes.length < most) {
    nodes.push(...level.map(nodeOf))
    level = level.flatMap(repliesOf)
  }
  const isComplete = level.length === 0 && nodes.length <= most && [nodeOf(thread), ...nodes].every(isWhole)
  return {
    posts: viewsOf(nodes).slice(0, most),
    gone: nodes.flatMap(({ notFound, uri }) => (notFound === true && uri !== undefined ? [uri] : [])),
    complete: isComplete ? viewsOf([nodeOf(thread), ...nodes]).map(({ uri }) => uri) : [],
  }
}

type Node = z.output<typeof Node>

const nodeOf = (node: unknown): Node => Node.safeParse(node).data ?? {}

const viewsOf = (nodes: readonly Node[]): readonly PostView[] =>
  nodes.flatMap(({ post }) => PostView.safeParse(post).data ?? [])

/**
 * Whether all replies of a node were returned. Replies are missing below blocked posts and beyond the requested depth.
 */
function isWhole({ notFound, post, replies = [] }: Node): boolean {
  if (notFound === true) return true
  const view = PostView.safeParse(post).data
  return view !== undefined && replies.length >= view.replyCount
}

const repliesOf = (node: unknown): readonly unknown[] => Node.safeParse(node).data?.replies ?? []
