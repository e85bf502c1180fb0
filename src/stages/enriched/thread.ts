import type { Discourse } from './discourse.ts'
import { keysBy } from './keys-by.ts'
import type { RememberedPost } from './changelog.ts'
import { parentKey } from './memory.ts'

/** The posts as they are, or as they will be. */
export type Posts = (key: string) => RememberedPost | undefined

/** Nobody looks further up than this: of deeper threads the first post is the one so far above. */
const DEEPEST = 1_000

/**
 * Keys of the posts that a post answers, at one remove or at several, as far as they are remembered: its parent first,
 * the thread's first post last. Posts that answer each other in a circle have as their first the one whose key is least,
 * whichever of them came first.
 */
export function ancestors(posts: Posts, key: string): readonly string[] {
  const path = new Set([key])
  let next = parentOf(posts, key)
  while (next !== null && !path.has(next) && path.size <= DEEPEST) {
    path.add(next)
    next = parentOf(posts, next)
  }
  const walked = [...path]
  if (next === null || !path.has(next)) return walked.slice(1)

  const circle = walked.slice(walked.indexOf(next)).sort()
  return walked.slice(1, walked.indexOf(circle[0] ?? key) + 1)
}

function parentOf(posts: Posts, key: string): string | null {
  const post = posts(key)
  const parent = post === undefined ? null : parentKey(key, post)
  return parent === null || posts(parent) === undefined ? null : parent
}

/** Keys of all that answer one of these, at one remove or at several; not the given ones. */
export function descendants({ postsByParent }: Discourse, keys: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const queue = [...keys]
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const child of keysBy(postsByParent, key)) {
      if (found.has(child)) continue
      found.add(child)
      queue.push(child)
    }
  }
  return found
}
