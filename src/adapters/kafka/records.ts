import type { IHeaders, KafkaMessage, Message, TopicMessages } from 'kafkajs'
import { groupBy } from '../../domain/group-by.ts'
import type { Headers, LogRecord, OutRecord } from '../../ports/log.ts'

/** Target size of one request. Many small requests use less broker memory than a few large ones. */
const REQUEST_BYTES = 1_000_000
/** Overhead of a record in addition to its key, value and headers. */
const OVERHEAD_BYTES = 100

/** Splits records, in order, into requests of about 1 MB. A larger record is sent alone. */
export function requestsOf(records: readonly OutRecord[]): readonly TopicMessages[][] {
  const requests: OutRecord[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const record of records) {
    const size = sizeOf(record)
    if (bytes + size > REQUEST_BYTES) {
      requests.push([])
      bytes = 0
    }
    bytes += size
    requests.at(-1)?.push(record)
  }
  return requests.map((some) => byTopic(some.map(addressed)))
}

interface Addressed {
  readonly topic: string
  readonly message: Message
}

const addressed = ({ topic, key, value, headers, partition }: OutRecord): Addressed => ({
  topic,
  message: { key, value, headers: { ...headers }, ...(partition === undefined ? {} : { partition }) },
})

const byTopic = (messages: readonly Addressed[]): TopicMessages[] =>
  [...groupBy(messages, ({ topic }) => topic)].map(([topic, of]) => ({ topic, messages: of.map((one) => one.message) }))

/** The broker that a message is written to; a message without a leader gets one when it is sent. */
export type LeaderOf = (topic: string, message: Message) => string | null

/** Splits a request into one for each leader. Messages of one leader stay in order. */
export function byLeader(request: readonly TopicMessages[], leaderOf: LeaderOf): readonly TopicMessages[][] {
  const all = request.flatMap(({ topic, messages }) => messages.map((message) => ({ topic, message })))
  return [...groupBy(all, ({ topic, message }) => leaderOf(topic, message)).values()].map(byTopic)
}

const sizeOf = ({ key, value, headers = {} }: OutRecord): number =>
  OVERHEAD_BYTES +
  (value?.length ?? 0) +
  [key ?? '', ...Object.entries(headers).flat()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)

export const recordOf = (topic: string, partition: number, message: KafkaMessage): LogRecord => ({
  topic,
  partition,
  offset: Number(message.offset),
  key: message.key === null ? null : message.key.toString('utf8'),
  value: message.value,
  headers: headersOf(message.headers ?? {}),
  loggedAt: Number(message.timestamp),
})

/** If a header occurs several times, the last one wins. */
function headersOf(headers: IHeaders): Headers {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const last = Array.isArray(value) ? value.at(-1) : value
    return last === undefined ? [] : [[name, last.toString()]]
  })
  return Object.fromEntries(entries) as Headers
}
