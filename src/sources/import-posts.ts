import { type PostFields, postIntake, type PostRefusal } from '../domain/intake/posts.ts'
import { BrokerClock } from '../state/settings/broker-clock.ts'
import { discoursePosts, type PostObserved } from '../events/discourse.ts'
import type { ProducedBy } from '../events/envelope.ts'
import { derivedId } from '../events/ids.ts'
import { clockTicked } from '../events/settings.ts'
import { publisher, type PublisherPorts } from './publisher.ts'
import type { SourceRecord } from './records.ts'
import { flushTick } from './settle-stories.ts'

export interface RefusedPost {
  readonly line: number
  readonly reason: PostRefusal | Extract<SourceRecord, { kind: 'malformed' }>['reason']
  /** The invalid field; `null` if the line is not a record. */
  readonly field: string | null
}

export interface PostsTally {
  readonly accepted: number
  readonly refusals: readonly RefusedPost[]
}

export interface PostSource {
  readonly records: AsyncIterable<SourceRecord>
  readonly namespace: string
  readonly rate: number | null
}

/**
 * Imports posts into `discourse.posts`. Importing a file again writes the same events, which changes nothing. A final
 * scheduler tick marks the import as complete, so that stages emit what they hold back immediately instead of at the
 * next full minute.
 */
export async function importPosts(source: PostSource, ports: PublisherPorts): Promise<PostsTally> {
  const out = publisher(ports, { topic: discoursePosts, rate: source.rate })
  const { namespace } = source
  const tally = await intakePosts(source.records, (fields) => out.add(observedPost(namespace, fields)))
  await out.flush()
  if (tally.accepted > 0) await sendFlushTick(namespace, ports)
  return tally
}

async function sendFlushTick(namespace: string, ports: PublisherPorts): Promise<void> {
  await new BrokerClock(ports).check({ topic: clockTicked.name, key: namespace })
  const ticks = publisher(ports, { topic: clockTicked })
  await ticks.add(flushTick(namespace, ports.clock.now(), 0))
  await ticks.flush()
}

/** A dry run: counts what would be accepted and rejected. */
export const tryPosts = (records: AsyncIterable<SourceRecord>): Promise<PostsTally> =>
  intakePosts(records, async () => undefined)

async function intakePosts(
  records: AsyncIterable<SourceRecord>,
  add: (fields: PostFields) => Promise<void>,
): Promise<PostsTally> {
  const refusals: RefusedPost[] = []
  let accepted = 0
  for await (const record of records) {
    const given =
      record.kind === 'fields'
        ? postIntake(record.fields)
        : ({ kind: 'refused', reason: record.reason, field: null } as const)
    if (given.kind === 'refused') {
      refusals.push({ line: record.line, reason: given.reason, field: given.field })
    } else {
      await add(given.fields)
      accepted += 1
    }
  }
  return { accepted, refusals }
}

const BY: ProducedBy = { stage: 'import', version: '1' }

/** The event of an imported post. Its id is derived from the content, so a repeated import gives the same event. */
function observedPost(namespace: string, fields: PostFields): PostObserved {
  const content = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const event_id = derivedId(BY, [namespace, fields.platform, fields.post_id, JSON.stringify(content)].join('\n'))
  return { event_id, namespace, ...fields }
}
