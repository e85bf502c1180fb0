import type { Topic } from '../events/topic.ts'
import type { Clock } from '../ports/clock.ts'
import type { Codec, Log, OutRecord } from '../ports/log.ts'

export interface PublisherPorts extends RetryPorts {
  readonly log: Pick<Log, 'produce'>
  readonly codec: Codec
}

export interface PublisherOptions<Event> {
  readonly topic: Topic<Event>
  /** Events per second; by default, and if `null`, no limit. */
  readonly rate?: number | null
  /** Called after each batch with the number of events the log has accepted so far. */
  readonly onAccepted?: (events: number) => void
}

export interface Publisher<Event> {
  add(event: Event): Promise<void>
  /** Resolves when the log has accepted all added events. */
  flush(): Promise<void>
}

const BATCH_BYTES = 1024 * 1024
const BATCH_EVENTS = 500

/** Publishes events to a topic, in order, in batches of limited size. Retries while the log is unavailable. */
export function publisher<Event>(ports: PublisherPorts, publishing: PublisherOptions<Event>): Publisher<Event> {
  const { topic, rate = null, onAccepted } = publishing
  const most = rate === null ? BATCH_EVENTS : Math.max(1, Math.min(BATCH_EVENTS, Math.floor(rate)))
  const startedAt = ports.clock.now()
  let records: OutRecord[] = []
  let bytes = 0
  let accepted = 0

  const flush = async (): Promise<void> => {
    if (records.length === 0) return
    const batch = records
    await retryWhileUnavailable(ports, () => ports.log.produce(batch))
    accepted += batch.length
    records = []
    bytes = 0
    onAccepted?.(accepted)
    if (rate !== null) await ports.clock.sleep(Math.max(0, startedAt + (accepted * 1000) / rate - ports.clock.now()))
  }

  const add = async (event: Event): Promise<void> => {
    const value = await retryWhileUnavailable(ports, () => ports.codec.encode(topic, event))
    records.push({ topic: topic.name, key: topic.key(event), value })
    bytes += value.length
    if (bytes >= BATCH_BYTES || records.length >= most) await flush()
  }

  return { add, flush }
}

export interface RetryPorts {
  readonly clock: Clock
  /**
   * Called when the log did not respond, before a retry. If it throws, the retries end and the caller gets that error.
   */
  readonly onUnavailable: (cause: unknown) => void
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000
/** A broker restarts within seconds; after ten minutes the request fails. */
const TIMEOUT_MS = 600_000

/** Retries a request until the log responds. Throws if the log is unavailable for ten minutes. */
export async function retryWhileUnavailable<Result>(
  { clock, onUnavailable }: RetryPorts,
  request: () => Promise<Result>,
): Promise<Result> {
  const givesUpAt = clock.now() + TIMEOUT_MS
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await request()
    } catch (cause) {
      if (clock.now() >= givesUpAt) throw new Error('the log has been unavailable for ten minutes', { cause })
      onUnavailable(cause)
      await clock.sleep(wait)
    }
  }
}
