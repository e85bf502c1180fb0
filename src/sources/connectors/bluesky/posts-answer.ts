import { z } from 'zod'
import type { HttpAnswer } from '../../../ports/http.ts'
import { shaped } from '../request-within.ts'
import { PlatformAway } from '../platform.ts'
import { PostView } from './post.ts'

const PostsAnswer = z.object({ posts: z.array(PostView), cursor: z.string().optional() })

/** A list of posts as a search, or a question for certain ones, answers it. */
export function postsIn(answer: HttpAnswer): z.output<typeof PostsAnswer> {
  if (answer.status !== 200) throw new PlatformAway(`http_${answer.status}`)
  return shaped(answer, PostsAnswer)
}
