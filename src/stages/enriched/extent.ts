import type { RememberedPost } from './changelog.ts'

const MOST_THREADS = 100

/** Address of the first post of a post's thread. */
export type ThreadOf = (post: RememberedPost) => string | null

/** Of all posts, copies too, added in order of event time: how many, where and when. */
export function extentTally(threadOf: ThreadOf) {
  const threads = latest()
  let [posts, arrival, fetched_at, window_start, window_end] = [0, -Infinity, -Infinity, 0, 0]
  return {
    add(post: RememberedPost): void {
      posts += 1
      if (posts === 1) window_start = post.created_at
      window_end = post.created_at
      arrival = Math.max(arrival, post.log_order)
      fetched_at = Math.max(fetched_at, post.fetched_at)
      const thread = threadOf(post)
      if (thread !== null) threads.add(thread)
    },
    extent: () => ({
      comment_count_analyzed: posts,
      thread_urls: threads.newest(MOST_THREADS),
      ...{ arrival, fetched_at, window_start, window_end },
    }),
  }
}

/** Things named one after the other, and those that were named last: looking at them costs nothing for those before. */
function latest() {
  const named: string[] = []
  const last = new Map<string, number>()
  return {
    add(thing: string): void {
      last.set(thing, named.length)
      named.push(thing)
    },
    newest(most: number): string[] {
      const found: string[] = []
      for (let i = named.length - 1; i >= 0 && found.length < most; i--) {
        const thing = named[i] ?? ''
        if (last.get(thing) === i) found.push(thing)
      }
      return found
    },
  }
}
