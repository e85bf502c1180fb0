import { CHANGE_TYPES, changesPublished, type ChangePublished, type ChangeType } from '../../events/changes.ts'
import { withBoundTimes } from '../../events/log-time.ts'
import type { Codec, LogRecord } from '../../ports/log.ts'
import type { FeedChange } from '../../views/changes/page.ts'
import { instant } from '../../views/instant.ts'

export interface PublishedChange {
  readonly namespace: string
  readonly change: FeedChange
}

/** A record of the feed as its readers get it; null: it is none that we understand. */
export async function publishedChange(record: LogRecord, codec: Codec): Promise<PublishedChange | null> {
  if (record.value === null) return null
  const decoded = await codec.decode(changesPublished, record.value)
  if (decoded.kind === 'malformed' || !isKnown(decoded.event)) return null

  const { offset, partition, loggedAt } = record
  const { namespace, event_id, type, occurred_at, data } = withBoundTimes(changesPublished, decoded.event, loggedAt)
  return {
    namespace,
    change: { ...{ id: event_id, type, data, offset, partition }, occurred_at: iso(occurred_at), logged_at: loggedAt },
  }
}

/** Another version of the service may know more types. */
const isKnown = ({ type }: ChangePublished): boolean => KNOWN.has(type)
const KNOWN: ReadonlySet<ChangeType> = new Set(CHANGE_TYPES)

/** As the store answers it. */
const iso = (ms: number): string => `${instant(ms).replace(' ', 'T')}Z`
