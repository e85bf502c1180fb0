interface MissingFromAnswer {
  readonly post_id: string
  /** Id of the post it answers; null: none. */
  readonly reply_to: string | null
}

/**
 * Known posts that threads, read as a whole, ought to have shown and did not: they answer a post that was shown, or one
 * that is missing itself. `shown` are the ids of those threads' posts.
 */
export function missingFrom<Post extends MissingFromAnswer>(
  known: readonly Post[],
  shown: ReadonlySet<string>,
): readonly Post[] {
  const missing = new Map<string, Post>()
  for (let before = -1; before < missing.size;) {
    before = missing.size
    for (const post of known) {
      const { post_id, reply_to } = post
      const belongs = reply_to !== null && (shown.has(reply_to) || missing.has(reply_to))
      if (belongs && !shown.has(post_id)) missing.set(post_id, post)
    }
  }
  return [...missing.values()]
}
