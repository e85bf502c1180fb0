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

export interface Answers {
  readonly posts: readonly PostView[]
  /** Addresses (`at://…`) of posts that are no more. */
  readonly gone: readonly string[]
}

/** What stands below the first post of a thread: at most `most` posts, the upper ones first. Blocked ones are passed over. */
export function answersIn(thread: unknown, most: number): Answers {
  const nodes: z.output<typeof Node>[] = []
  let level = repliesOf(thread)
  while (level.length > 0 && nodes.length < most) {
    nodes.push(...level.flatMap((reply) => Node.safeParse(reply).data ?? []))
    level = level.flatMap(repliesOf)
  }
  return {
    posts: nodes.flatMap(({ post }) => PostView.safeParse(post).data ?? []).slice(0, most),
    gone: nodes.flatMap(({ notFound, uri }) => (notFound === true && uri !== undefined ? [uri] : [])),
  }
}

const repliesOf = (node: unknown): readonly unknown[] => Node.safeParse(node).data?.replies ?? []
