import type { StoryEnriched } from '../../events/discourse.ts'
import { derivedEnvelope, type EventCause } from '../../state/derived-envelope.ts'
import { STAGES } from '../../events/stages.ts'
import { type Discourse, type EnrichedState, ancestors, parentKey } from './discourse.ts'
import { nothingLeft, receptions, type ReceivedPosts, type Reception } from './reception.ts'
import { postKey, type EnrichedMemberRecord, type RememberedPost, type EnrichedSubject } from './changelog.ts'
import type { DueEmission } from './emissions.ts'
import { postsWith } from './indexes.ts'

interface RecordCause extends EventCause {
  readonly loggedAt: number
}

/**
 * The due records, one for each event time at which the content changes. The valid record at a point in time is the
 * newest one not after it. When the last post is gone, one final record is emitted.
 */
export function records(
  after: EnrichedState,
  cause: RecordCause,
  due: readonly DueEmission[],
): readonly StoryEnriched[] {
  const discourse = after.namespaces.get(cause.event.namespace)
  return due.flatMap((one) =>
    receivedAt(discourse, cause.event.namespace, one).map(([moment, made]): StoryEnriched => ({
      ...envelope(cause, one, moment),
      ...(made ?? nothingLeft(cause.loggedAt)),
    })),
  )
}

/**
 * The event id includes the position, since a post that returns to an earlier text is the same event at another
 * position and needs its own record.
 */
function envelope({ event, place }: RecordCause, { cluster_id, platform }: EnrichedSubject, moment: number) {
  const about = [event.event_id, `${place.partition}:${place.offset}`, cluster_id, platform, moment].join('\n')
  const cause = { event: { ...event, occurred_at: moment }, place }
  return { ...derivedEnvelope(STAGES.enriched, cause, about), cluster_id, platform }
}

type ReceivedAt = readonly (readonly [moment: number, made: Reception | null])[]

function receivedAt(discourse: Discourse | undefined, namespace: string, due: DueEmission): ReceivedAt {
  const posts = discourse === undefined ? [] : postsOf(discourse, due)
  const times = posts.map(({ created_at }) => created_at)
  const start = startOf(times[0] ?? Infinity, due)
  if (start === Infinity) return []
  if (discourse === undefined || posts.length === 0) return [[start, null]]

  const at = moments(times, start)
  const made = receptions({ ...storyContext(discourse, namespace, due), posts }, at)
  return made.map((reception, i) => [at[i] ?? start, reception])
}

/** What posts are compared with. */
function storyContext(
  discourse: Discourse,
  namespace: string,
  { cluster_id }: EnrichedSubject,
): Omit<ReceivedPosts, 'posts'> {
  const story = discourse.stories.get(cluster_id)
  return {
    members: [...(story?.articles.values() ?? [])].sort(byEventTime),
    story_title: story?.founding?.title ?? '',
    threadOf: (post) => threadOf(discourse, namespace, post),
    postsWith: (term, arrival) => postsWith(discourse.terms, term, arrival),
  }
}

/**
 * The event time at which to start: `from`, or if there is no post yet, that of the first post or of an emitted record
 * that no longer holds.
 */
function startOf(firstPost: number, { from, since }: DueEmission): number {
  if (firstPost <= from) return from
  return since === null ? firstPost : Math.min(firstPost, Math.max(from, since))
}

const postsOf = ({ stories, posts }: Discourse, { cluster_id, platform }: EnrichedSubject): readonly RememberedPost[] =>
  [...(stories.get(cluster_id)?.posts.get(platform) ?? [])]
    .flatMap((key) => posts.get(key) ?? [])
    .sort((a, b) => a.created_at - b.created_at || (a.post_id < b.post_id ? -1 : 1))

const byEventTime = (a: EnrichedMemberRecord, b: EnrichedMemberRecord): number =>
  a.occurred_at - b.occurred_at || (a.article_id < b.article_id ? -1 : 1)

function threadOf({ posts }: Discourse, namespace: string, post: RememberedPost): string | null {
  const key = postKey(namespace, post)
  if (parentKey(key, post) === null) return post.url
  const first = ancestors((one) => posts.get(one), key).at(-1)
  return posts.get(first ?? '')?.url ?? post.url
}

/** Maximum records emitted at once for one story and platform. */
const MOST = 24

/**
 * The event times of the records to emit after a change at `from`: that time and those of the later posts. If there are
 * too many, an even sample by rank that includes the last. Ascending and distinct; `times` is ascending and may have
 * duplicates.
 */
export function moments(times: readonly number[], from: number): readonly number[] {
  const all = [from]
  for (const time of times) if (time > (all.at(-1) ?? from)) all.push(time)
  if (all.length <= MOST) return all
  return Array.from({ length: MOST }, (_, i) => all[Math.round((i * (all.length - 1)) / (MOST - 1))] ?? from)
}
