import { discoursePolled, discoursePosts, type Platform, type PlatformPolled } from '../../events/discourse.ts'
import { withBoundTimes, type Topic } from '../../events/topic.ts'
import { postFlaw, type PostFields } from '../../domain/intake/posts.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Codec, Log } from '../../ports/log.ts'
import { publisher } from '../publisher.ts'
import type { Budget } from './budget.ts'
import { deletionOf, isOwn, ownPoll, ownPost } from './own-post.ts'
import { Polls, PublishedPosts } from './published-posts.ts'

export interface PublishingPorts {
  readonly log: Pick<Log, 'read' | 'ends' | 'produce'>
  readonly codec: Codec
  readonly clock: Clock
  readonly platform: Platform
  readonly budget: Budget
  /** The log did not accept a batch; it is retried. */
  readonly onLogAway: (cause: unknown) => void
}

export interface SeenPosts {
  readonly posts: readonly PostFields[]
  /** Ids of posts that no longer exist; those never published are ignored. */
  readonly gone: readonly string[]
}

export interface PublishedCounts {
  readonly published: number
  readonly deleted: number
  /** Posts that violate our rules. */
  readonly flawed: number
}

/** The result of a poll, without the fields that the connector adds. */
export type PollReport = Omit<
  PlatformPolled,
  'event_id' | 'platform' | 'polled_at' | 'published' | 'posts_read_in_month'
>

/**
 * The published posts of one connector, and the only way to publish more. Its rounds and its stream share one instance.
 */
export interface PostPublishing {
  readonly posts: PublishedPosts
  readonly polls: Polls
  /** Publishes those of the posts just seen that are new or changed. */
  publish(namespace: string, seen: SeenPosts): Promise<PublishedCounts>
  /** Records a poll. Call only after its posts were published, so that a restart from here loses none. */
  report(poll: PollReport, counts: PublishedCounts): Promise<PlatformPolled>
}

export const NOTHING_PUBLISHED: PublishedCounts = { published: 0, deleted: 0, flawed: 0 }

/** Restores the state of this connector from the log. */
export async function openPublishing(ports: PublishingPorts): Promise<PostPublishing> {
  const { clock, platform, budget } = ports
  const posts = new PublishedPosts()
  const polls = new Polls()
  await each(ports, discoursePosts, (event, loggedAt) => {
    if (event.platform === platform && isOwn(event)) posts.add(event, loggedAt)
  })
  const addPoll = (event: PlatformPolled): void => {
    polls.add(event)
    budget.restore(event.polled_at, event.posts_read_in_month)
  }
  await each(ports, discoursePolled, (event, loggedAt) => {
    if (event.platform === platform) addPoll(withBoundTimes(discoursePolled, event, loggedAt))
  })

  return {
    posts,
    polls,
    publish: (namespace, seen) => publish({ ports, posts }, namespace, seen),
    report: async (poll, { published, deleted }) => {
      const polled_at = clock.now()
      budget.count(polled_at, poll.posts_read)
      const event = ownPoll({
        ...poll,
        platform,
        polled_at,
        published: published + deleted,
        posts_read_in_month: budget.readIn(polled_at),
      })
      await send(ports, discoursePolled, [event])
      addPoll(event)
      return event
    },
  }
}

interface PublisherParts {
  readonly ports: PublishingPorts
  readonly posts: PublishedPosts
}

async function publish({ ports, posts }: PublisherParts, namespace: string, seen: SeenPosts): Promise<PublishedCounts> {
  const now = ports.clock.now()
  const { platform } = ports
  const changed = once(seen.posts).flatMap((fields) => posts.seen(namespace, fields, now) ?? [])
  const sound = changed.filter((event) => postFlaw(event) === null)
  const deletions = [...goneOf(seen)]
    .flatMap((id) => posts.get(namespace, id) ?? [])
    .map(({ post_id, created_at }) => ownPost(namespace, deletionOf({ platform, post_id, created_at })))
  await send(ports, discoursePosts, [...sound, ...deletions])
  for (const event of [...sound, ...deletions]) posts.add(event, now)
  return { published: sound.length, deleted: deletions.length, flawed: changed.length - sound.length }
}

/** Keeps one version of each post; if a post was found twice, the one with an article link. */
function once(posts: readonly PostFields[]): readonly PostFields[] {
  const found = new Map<string, PostFields>()
  for (const post of posts) {
    const other = found.get(post.post_id)
    if (!post.deleted && (other === undefined || other.article_url === null)) found.set(post.post_id, post)
  }
  return [...found.values()]
}

const goneOf = ({ posts, gone }: SeenPosts): ReadonlySet<string> =>
  new Set([...gone, ...posts.filter(({ deleted }) => deleted).map(({ post_id }) => post_id)])

/** Each call uses its own publisher: rounds and stream send concurrently, and each waits only for its own events. */
async function send<Event>(ports: PublishingPorts, topic: Topic<Event>, events: readonly Event[]): Promise<void> {
  const { log, codec, clock, onLogAway } = ports
  const sending = publisher({ log, codec, clock, onUnavailable: onLogAway }, { topic })
  for (const event of events) await sending.add(event)
  await sending.flush()
}

async function each<Event>(
  { log, codec }: PublishingPorts,
  topic: Topic<Event>,
  take: (event: Event, loggedAt: number) => void,
): Promise<void> {
  const partitions = (await log.ends(topic.name)).length
  for (let partition = 0; partition < partitions; partition++) {
    for await (const records of log.read(topic.name, partition, 0)) {
      for (const { value, loggedAt } of records) {
        const decoded = value === null ? null : await codec.decode(topic, value)
        if (decoded?.kind === 'event') take(decoded.event, loggedAt)
      }
    }
  }
}
