import type { Codec } from '../../ports/log.ts'
import { isArticleKey } from '../../state/entry.ts'
import { matchedMemory, type MatchedRecord, type MatchedStoryRecord } from '../../stages/matched/changelog.ts'

/** Makes one state entry of those of the two versions. */
export interface StateMerge {
  /** Whether the entry of the live version matters. */
  concerns(key: string): boolean
  /** `null` if a version has no entry, or if there should be none. */
  merged(live: Buffer | null, next: Buffer | null): Promise<Buffer | null>
}

/** How the entries of a changelog are merged; `null` if those of the new version hold. */
export function stateMerge(changelog: string, codec: Codec): StateMerge | null {
  if (changelog !== matchedMemory.name) return null
  return {
    concerns: (key) => !isArticleKey(key),
    merged: async (live, next) => {
      const [was, now] = [await decoded(live, codec), await decoded(next, codec)]
      const merged = mergedMatch(was, now)
      if (merged === was) return live
      return merged === now ? next : codec.encode(matchedMemory, merged)
    },
  }
}

async function decoded(bytes: Buffer | null, codec: Codec): Promise<MatchedRecord | null> {
  if (bytes === null) return null
  const found = await codec.decode(matchedMemory, bytes)
  if (found.kind === 'event') return found.event
  throw new Error(`an entry of ${matchedMemory.name} cannot be read: ${found.reason}`)
}

/**
 * What was sent and what is held back is known of the live version alone. A story that either version matched is not sent
 * again.
 */
function mergedMatch(live: MatchedRecord | null, next: MatchedRecord | null): MatchedRecord | null {
  if (isOfMessages(live) || isOfMessages(next)) return live
  const [was, now] = [storyOf(live), storyOf(next)]
  if (was === null) return next
  if (now !== null) return { ...now, story: withPublished(now.story, was.story) }
  return was.story.published.length > 0 ? live : null
}

type StoryEntry = MatchedRecord & { readonly story: MatchedStoryRecord }

const storyOf = (record: MatchedRecord | null): StoryEntry | null =>
  record?.story == null ? null : { ...record, story: record.story }

const isOfMessages = (record: MatchedRecord | null): boolean =>
  record !== null && (record.pace !== null || record.held !== null)

const withPublished = (story: MatchedStoryRecord, { published }: MatchedStoryRecord): MatchedStoryRecord => ({
  ...story,
  published: [...new Set([...story.published, ...published])].sort((a, b) => a - b),
})
