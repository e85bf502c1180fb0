interface MissingFromAnswer {
  readonly post_id: string
  /** The id of the post it replies to; `null` if there is none. */
  readonly reply_to: string | null
}

/**
 * Known posts that are missing in threads that were read completely: they reply to a post that was shown, or to a missing
 * one. `shown` are the ids of the posts of those threads.
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
