import type { Platform, StoryEnriched } from '../../events/discourse.ts'
import type { CausedBy, ProducedBy } from '../../events/envelope.ts'
import { derivedId } from '../../events/ids.ts'
import { PLATFORMS } from '../../events/post-rules.ts'
import type { Discourse, State } from './memory.ts'
import { nothingLeft, reception, type Reception } from './reception.ts'
import type { RememberedPost } from './remembered.ts'

export const ENRICHED: ProducedBy = { stage: 'enriched', version: '1' }

/** A record that may have to be written anew. */
export interface Subject {
  readonly clusterId: string
  readonly platform: Platform
  /** Whether there were posts, and so a record, before. */
  readonly had: boolean
}

/** The records of these stories, as they stand before a change; stories may repeat or be none. */
export function subjects(
  discourse: Discourse,
  stories: readonly (string | null | undefined)[],
  platforms: readonly Platform[] = PLATFORMS,
): readonly Subject[] {
  const ids = [...new Set(stories.flatMap((id) => id ?? []))].sort()
  return ids.flatMap((clusterId) =>
    platforms.map((platform) => ({ clusterId, platform, had: postsOf(discourse, clusterId, platform).length > 0 })),
  )
}

interface Cause {
  readonly event: { readonly event_id: string; readonly namespace: string }
  readonly place: CausedBy
  readonly loggedAt: number
}

/** The same records after the change. One that has lost its last post is written once more, empty. */
export function records(after: State, cause: Cause, about: readonly Subject[]): readonly StoryEnriched[] {
  const { event, place } = cause
  // a post that comes back after another text is the same event at another place: its record must be another
  const causedBy = `${event.event_id}\n${place.partition}:${place.offset}`
  const discourse = after.namespaces.get(event.namespace)
  return about.flatMap((subject, ordinal): StoryEnriched[] => {
    const made = received(discourse, subject) ?? (subject.had ? nothingLeft(cause.loggedAt) : null)
    if (made === null) return []
    const event_id = derivedId(ENRICHED, causedBy, ordinal)
    const { clusterId: cluster_id, platform } = subject
    const envelope = { event_id, namespace: event.namespace, caused_by: place, produced_by: ENRICHED }
    return [{ ...envelope, occurred_at: made.sample.window_end, cluster_id, platform, ...made }]
  })
}

/** Null without a post. */
function received(discourse: Discourse | undefined, { clusterId, platform }: Subject): Reception | null {
  const story = discourse?.stories.get(clusterId)
  if (discourse === undefined || story === undefined) return null
  const posts = postsOf(discourse, clusterId, platform)
  return posts.length === 0 ? null : reception(discourse, story, posts)
}

const postsOf = (discourse: Discourse, clusterId: string, platform: Platform): readonly RememberedPost[] =>
  [...(discourse.stories.get(clusterId)?.posts ?? [])].flatMap((key) => {
    const post = discourse.posts.things.get(key)
    return post?.platform === platform ? post : []
  })
