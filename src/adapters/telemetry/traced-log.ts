import { SpanKind, type Span } from '@opentelemetry/api'
import type { Clock } from '../../ports/clock.ts'
import type { Batch, Log, LogRecord, OutRecord } from '../../ports/log.ts'
import { contextIn, contextOf, ending, headersOf, TRACEPARENT, type Spans } from './spans.ts'

/** Older records are re-reads, for example by a rebuild: their traces were exported long ago. */
const FRESH_MS = 3_600_000

/**
 * A log whose records carry their trace. A record written for a request continues the request's trace. Each record of a
 * batch gets its own span, whose header the runtime copies to that record's outputs, so an article can be followed
 * through every topic. Records without the header cause no overhead.
 */
export const tracedLog = (log: Log, spans: Spans, clock: Clock): Log => ({
  produce: (records) => sending(spans, records, (signed) => log.produce(signed)),
  consume: async (subscription, handle) => {
    const reading = { spans, group: subscription.group, handle, since: () => clock.now() - FRESH_MS }
    return log.consume(subscription, (batch) => processing(reading, batch))
  },
  writer: (id) => log.writer(id),
  read: (topic, partition, from) => log.read(topic, partition, from),
  starts: (topic) => log.starts(topic),
  ends: (topic) => log.ends(topic),
  since: (topic, time) => log.since(topic, time),
  committed: (group, topic) => log.committed(group, topic),
  forget: (group) => log.forget(group),
  partitionOf: (key, partitions) => log.partitionOf(key, partitions),
  incarnation: (topic, partition) => log.incarnation(topic, partition),
  epochEnd: (topic, partition, epoch) => log.epochEnd(topic, partition, epoch),
  notes: (group, topic) => log.notes(group, topic),
  close: () => log.close(),
})

type Send = (records: readonly OutRecord[]) => Promise<number>

async function sending({ tracer, current: doing }: Spans, records: readonly OutRecord[], send: Send): Promise<number> {
  const now = doing.getStore()
  if (!now?.writes) return send(records)

  const spans: Span[] = []
  const signed = records.map((record): OutRecord => {
    if (record.headers?.[TRACEPARENT] !== undefined) return record
    const attributes = { 'messaging.operation.type': 'send', ...messaging(record) }
    const span = tracer.startSpan(`send ${record.topic}`, { kind: SpanKind.PRODUCER, attributes }, now.context)
    spans.push(span)
    return { ...record, headers: { ...record.headers, ...headersOf(span) } }
  })
  return ending(spans, () => send(signed))
}

interface TracedBatch {
  readonly spans: Spans
  readonly group: string
  readonly handle: (batch: Batch) => Promise<void>
  /** Records with an older timestamp (milliseconds since 1970) are not traced. */
  readonly since: () => number
}

async function processing({ spans, group, handle, since }: TracedBatch, batch: Batch): Promise<void> {
  const from = since()
  const started: Span[] = []
  const records = batch.records.map((record): LogRecord => {
    if (record.headers[TRACEPARENT] === undefined || record.loggedAt < from) return record
    const span = spans.tracer.startSpan(`${group} ${record.topic}`, spanOf(group, record), contextIn(record.headers))
    started.push(span)
    return { ...record, headers: { ...record.headers, ...headersOf(span) } }
  })
  const [first, ...others] = started
  if (first === undefined) {
    await handle(batch)
    return
  }
  const also = others.map((span) => ({ context: span.spanContext() }))
  await spans.current.run({ context: contextOf(first), links: also, writes: false }, async () => {
    await ending(started, () => handle({ ...batch, records }))
  })
}

const spanOf = (group: string, record: LogRecord) => ({
  kind: SpanKind.CONSUMER,
  attributes: {
    ...messaging(record),
    'messaging.operation.name': group,
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': group,
    'messaging.destination.partition.id': String(record.partition),
    'messaging.kafka.offset': record.offset,
  },
})

const messaging = ({ topic, key }: Pick<OutRecord, 'topic' | 'key'>) => ({
  'messaging.system': 'kafka',
  'messaging.destination.name': topic,
  ...(key === null ? {} : { 'messaging.kafka.message.key': key }),
})
