import { z } from 'zod'
import { PostView } from './post.ts'

/** Fields of the three kinds of nodes; of kinds to come nothing is known. */
const Node = z.object({
  uri: z.string().optional(),
  notFound: z.boolean().optional(),
  post: z.unknown().optional(),
  replies: z.array(z.unknown()).optional(),
})

export const ThreadAnswer = z.object({ thread: z.unknown() })

interface Answers {
  readonly posts: readonly PostView[]
  /** Addresses (`at://…`) of posts that are no more. */
  readonly gone: readonly string[]
  /** Addresses of all posts of the thread, the first one included, where each was given with all its answers; else none. */
  readonly complete: readonly string[]
}

/** What stands below the first post of a thread: at most `most` posts, the upper ones first. Blocked ones are passed over. */
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

/** Whether all that answers it was given; below what is blocked, or deeper than was asked, nothing is. */
function isWhole({ notFound, post, replies = [] }: Node): boolean {
  if (notFound === true) return true
  const view = PostView.safeParse(post).data
  return view !== undefined && replies.length >= view.replyCount
}

const repliesOf = (node: unknown): readonly unknown[] => Node.safeParse(node).data?.replies ?? []
