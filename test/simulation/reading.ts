import { articlesAnalyzed, articlesIngested, articlesScored } from '../../src/events/articles.ts'
import { changesPublished } from '../../src/events/changes.ts'
import { discoursePolled, discoursePosts, storiesEnriched } from '../../src/events/discourse.ts'
import { storiesLinked } from '../../src/events/graph.ts'
import { withBoundTimes, type Topic } from '../../src/events/topic.ts'
import { derivedId } from '../../src/events/ids.ts'
import { articlesClustered } from '../../src/events/ledger.ts'
import { storiesTransitioned } from '../../src/events/lifecycle.ts'
import { clockTicked, correctionsRequested } from '../../src/events/settings.ts'
import { monitorsChanged, storiesMatched } from '../../src/events/monitors.ts'
import { trendsDetected } from '../../src/events/trends.ts'
import { webhooksChanged, webhooksDelivered } from '../../src/events/webhooks.ts'
import type { LogRecord, Place } from '../../src/ports/log.ts'
import type { Input } from '../../src/runtime/shapes.ts'
import { codec } from './simulation.ts'

const TOPICS = [
  ...[articlesIngested, articlesScored, articlesAnalyzed, articlesClustered, changesPublished],
  ...[discoursePosts, discoursePolled, storiesEnriched, storiesLinked, storiesTransitioned],
  ...[clockTicked, correctionsRequested, trendsDetected, webhooksChanged, webhooksDelivered],
  ...[monitorsChanged, storiesMatched],
] as readonly Topic<never>[]

export const topicNamed = (name: string): Topic<never> => {
  const found = TOPICS.find((topic) => topic.name === name)
  if (found === undefined) throw new Error(`a check knows no topic ${name}`)
  return found
}

export const placeName = ({ topic, partition, offset }: Place): string => `${topic} ${partition} ${offset}`

/** A record as a check sees it; null: no event. */
export async function inputOf<Event>(topic: Topic<Event>, record: LogRecord): Promise<Input<Event> | null> {
  if (record.value === null) return null
  const decoded = await codec.decode(topic, record.value)
  if (decoded.kind === 'malformed') return null
  const { partition, offset, loggedAt } = record
  const place = { topic: record.topic, partition, offset }
  const event = withBoundTimes(topic, withId(decoded.event, place), loggedAt)
  return { event, topic: record.topic, place, loggedAt }
}

/** An event without an id has its place for one. */
function withId<Event>(event: Event, { topic, partition, offset }: Place): Event {
  if (typeof event !== 'object' || event === null || !('event_id' in event) || event.event_id !== '') return event
  return { ...event, event_id: derivedId({ stage: topic, version: '1' }, `${partition}:${offset}`) }
}

/** Everything of a record that a reader sees but where it stands. */
export const contentOf = ({ key, value, headers }: Pick<LogRecord, 'key' | 'value' | 'headers'>): string =>
  JSON.stringify([key, value?.toString('latin1') ?? null, headers])
