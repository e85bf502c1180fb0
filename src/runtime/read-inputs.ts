import { derivedId } from '../events/ids.ts'
import { withBoundTimes, type Topic } from '../events/topic.ts'
import type { Codec, Headers, LogRecord, Place } from '../ports/log.ts'
import { firstLogged, placeLogged } from './dead-letter.ts'
import type { Input } from './shapes.ts'

export interface ReadInput<Event> {
  readonly record: LogRecord
  readonly input: Input<Event>
}

export interface Malformed {
  readonly record: LogRecord
  readonly reason: string
  readonly cause?: unknown
}

export interface ReadBatch<Event> {
  /** In the order of the log. */
  readonly read: readonly ReadInput<Event>[]
  readonly malformed: readonly Malformed[]
  readonly tombstones: number
}

/** Decodes records. An undecodable record is part of the result; an unavailable registry throws. */
export async function readInputs<Event>(
  topic: Topic<Event>,
  records: readonly LogRecord[],
  codec: Codec,
): Promise<ReadBatch<Event>> {
  const read: ReadInput<Event>[] = []
  const malformed: Malformed[] = []
  for (const record of records) {
    if (record.value === null) continue
    const decoded = await codec.decode(topic, record.value)
    if (decoded.kind === 'event') read.push({ record, input: inputOf(topic, decoded.event, record) })
    else malformed.push({ record, reason: decoded.reason, cause: decoded.cause })
  }
  return { read, malformed, tombstones: records.length - read.length - malformed.length }
}

/** The headers that outputs take from their input, so that an article can be followed through every topic. */
export const propagatedHeaders = ({ headers: { request_id, traceparent } }: LogRecord): Headers => ({
  ...(request_id === undefined ? {} : { request_id }),
  ...(traceparent === undefined ? {} : { traceparent }),
})

/** Only the topic, partition and offset of a record. */
export const logPlace = ({ topic, partition, offset }: Place): Place => ({ topic, partition, offset })

function inputOf<Event>(topic: Topic<Event>, event: Event, record: LogRecord): Input<Event> {
  const first = firstLogged(record)
  const { loggedAt } = first
  const bounded = withBoundTimes(topic, identified(event, first), loggedAt)
  return { event: bounded, topic: record.topic, place: logPlace(first), loggedAt }
}

/** The same inputs with their current offsets. A stateful stage decides a retried record at its new position. */
export const atCurrentOffsets = <Event>(inputs: ReadBatch<Event>): ReadBatch<Event> => ({
  ...inputs,
  read: inputs.read.map(({ record, input }) => ({
    record,
    input: { ...input, place: placeLogged(record), loggedAt: record.loggedAt },
  })),
})

/** An event without an id gets one derived from its offset, so a repeated read gives the same id. */
export function identified<Event>(event: Event, { topic, partition, offset }: Place): Event {
  if (typeof event !== 'object' || event === null || !('event_id' in event) || event.event_id !== '') return event
  return { ...event, event_id: derivedId({ stage: topic, version: '1' }, `${partition}:${offset}`) }
}

/** Groups consecutive records of the same topic. */
export function byTopic(records: readonly LogRecord[]): readonly (readonly LogRecord[])[] {
  const runs: LogRecord[][] = []
  for (const record of records) {
    const run = runs.at(-1)
    if (run?.[0]?.topic === record.topic) run.push(record)
    else runs.push([record])
  }
  return runs
}

export const together = <Event>(parts: readonly ReadBatch<Event>[]): ReadBatch<Event> => ({
  read: parts.flatMap(({ read }) => read),
  malformed: parts.flatMap(({ malformed }) => malformed),
  tombstones: parts.reduce((sum, { tombstones }) => sum + tombstones, 0),
})
