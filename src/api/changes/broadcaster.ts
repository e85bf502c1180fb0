import type { BaseLogger } from 'pino'
import { CHANGE_TYPES, type ChangePublished, changesPublished, type ChangeType } from '../../events/changes.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Codec, type Log, type LogRecord, RETRIED_FOR, viewGroup } from '../../ports/log.ts'
import { changes } from '../../views/row-per-event.ts'
import { EngineAway } from '../http/engine-deadline.ts'
import { Ring, type RingSize } from './replay-buffer.ts'
import { withBoundTimes } from '../../events/topic.ts'
import type { FeedChange } from '../../views/changes/page.ts'
import { instant } from '../../views/instant.ts'

interface HubPorts {
  readonly log: Pick<Log, 'ends' | 'committed' | 'read'>
  readonly codec: Codec
  readonly clock: Clock
  readonly logger: Pick<BaseLogger, 'warn' | 'error'>
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal
}

const TOPIC = changesPublished.name
const VIEW = viewGroup(changes.name)
const LOOK_EVERY_MS = 250
/** Clients reconnect within seconds, and continuing costs less than starting again. */
const LINGER_MS = 10_000
/** If the lag exceeds the ring's size, reading all of it has no benefit. */
const RING: RingSize = { maxChanges: 20_000, maxBytes: 32 * 1024 * 1024 }

/** Where the first change of a namespace was read since the hub started. */
interface SeenOffset {
  readonly partition: number
  readonly offset: number
}

/**
 * Follows the feed of all namespaces once for all subscribers of this instance: it polls the end offsets every 250 ms
 * and reads if there is more. It starts at the view's committed offset, so that the ring holds what the view does not
 * have yet. While the log is unavailable it waits, and then continues where it stopped.
 */
export class Hub {
  readonly ring: Ring
  /** Incremented when the ring starts again: positions derived from the previous ring are no longer valid. */
  generation = 0
  /** When it was last caught up, in milliseconds since 1970. */
  upToDateAt = 0
  private readonly ports: HubPorts
  private readonly size: RingSize
  private readonly due: FeedDue
  private next: number[] | null = null
  private seen = new Map<string, SeenOffset>()
  private readonly waking = new Map<string, Set<() => void>>()
  private listeners = 0
  private leftAt = -Infinity
  private looking: Promise<void> | null = null
  private running = false

  constructor(ports: HubPorts, size: RingSize = RING) {
    this.ports = ports
    this.size = size
    this.ring = new Ring(size)
    this.due = new FeedDue(ports.clock)
  }

  /**
   * Subscribes to a namespace: calls `wake` when there may be new changes. Returns the function that unsubscribes.
   * Rejects with `EngineAway` if the feed cannot be read.
   */
  async join(namespace: string, wake: () => void): Promise<() => void> {
    this.listeners += 1
    const those = this.waking.get(namespace) ?? new Set()
    this.waking.set(namespace, those.add(wake))
    let here = true
    const leave = (): void => {
      if (!here) return
      here = false
      this.listeners -= 1
      this.leftAt = this.ports.clock.now()
      those.delete(wake)
      if (those.size === 0) this.waking.delete(namespace)
    }
    if (!this.running) void this.follow()
    try {
      await this.looking
    } catch (cause) {
      leave()
      throw new EngineAway('the feed cannot be read', { cause })
    }
    return leave
  }

  /** The next offset to read. All earlier changes were read, and the ring holds those that were not evicted. */
  reached(partition: number): number {
    return this.next?.[partition] ?? 0
  }

  /**
   * Whether the view has everything before the ring's floor, for one partition, or for all if `partition` is `null`.
   */
  async viewReaches(floor: readonly number[], partition: number | null): Promise<boolean> {
    const committed = await this.ports.log.committed(VIEW, TOPIC)
    const isThere = (p: number): boolean => (committed[p] ?? 0) >= (floor[p] ?? 0)
    return partition === null ? floor.every((_, p) => isThere(p)) : isThere(partition)
  }

  firstSeen(namespace: string): SeenOffset | null {
    return this.seen.get(namespace) ?? null
  }

  /**
   * Follows the feed while there are subscribers. `looking` is set while the state is unknown: to the first attempt, or
   * to one after a failure.
   */
  private async follow(): Promise<void> {
    const { clock, logger, stopping } = this.ports
    this.running = true
    let away = false
    for (let first = true; this.hasReaders(); first = false) {
      const attempt = this.look()
      if (first || away) this.looking = attempt
      try {
        await attempt
        this.looking = null
        away = false
      } catch (err) {
        if (!away) logger.warn({ err }, 'feed_not_readable')
        away = true
      }
      await clock.sleep(LOOK_EVERY_MS, stopping)
    }
    this.running = false
  }

  private hasReaders(): boolean {
    if (this.ports.stopping.aborted) return false
    return this.listeners > 0 || this.ports.clock.now() - this.leftAt < LINGER_MS
  }

  private async look(): Promise<void> {
    const now = this.ports.clock.now()
    const ends = await this.ports.log.ends(TOPIC)
    const next = this.next !== null && this.follows(this.next, ends) ? this.next : await this.begin(ends)
    for (const [partition, end] of ends.entries()) {
      if (!this.due.is(partition, end, next[partition] ?? 0)) continue
      await this.readOn(partition, next)
      this.due.looked(partition, end, next[partition] ?? 0)
    }
    this.upToDateAt = now
  }

  /** Whether reading can continue at `next`: not if the topic was recreated, nor if the lag exceeds the ring's size. */
  private follows(next: readonly number[], ends: readonly number[]): boolean {
    const { maxChanges } = this.size
    return ends.every((end, p) => (next[p] ?? 0) <= end && end - (next[p] ?? 0) <= maxChanges)
  }

  private async begin(ends: readonly number[]): Promise<number[]> {
    const committed = await this.ports.log.committed(VIEW, TOPIC)
    const next = ends.map((end, p) => Math.min(end, Math.max(committed[p] ?? 0, end - this.size.maxChanges)))
    this.next = next
    this.seen = new Map()
    this.ring.begin(next)
    this.due.begin()
    this.generation += 1
    for (const namespace of this.waking.keys()) this.wake(namespace)
    return next
  }

  private async readOn(partition: number, next: number[]): Promise<void> {
    const touched = new Set<string>()
    try {
      for await (const records of this.ports.log.read(TOPIC, partition, next[partition] ?? 0)) {
        for (const record of records) {
          next[partition] = record.offset + 1
          if (record.headers[RETRIED_FOR] !== undefined) continue // it was published at its original position
          const found = await publishedChange(record, this.ports.codec)
          if (found === null) this.ports.logger.error({ partition, offset: record.offset }, 'change_not_understood')
          else touched.add(this.take(found))
        }
      }
    } finally {
      for (const namespace of touched) this.wake(namespace)
    }
  }

  /** Returns the namespace. */
  private take({ namespace, change }: PublishedChange): string {
    const { partition, offset } = change
    if (!this.seen.has(namespace)) this.seen.set(namespace, { partition, offset })
    this.ring.push(namespace, change)
    return namespace
  }

  private wake(namespace: string): void {
    for (const wake of this.waking.get(namespace) ?? []) wake()
  }
}

interface PublishedChange {
  readonly namespace: string
  readonly change: FeedChange
}

/** A record of the feed as subscribers receive it; `null` if it cannot be decoded or its type is unknown. */
async function publishedChange(record: LogRecord, codec: Codec): Promise<PublishedChange | null> {
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

/** A newer version of the service may publish other types. */
const isKnown = ({ type }: ChangePublished): boolean => KNOWN.has(type)
const KNOWN: ReadonlySet<ChangeType> = new Set(CHANGE_TYPES)

/** The time format of the store's responses. */
const iso = (ms: number): string => `${instant(ms).replace(' ', 'T')}Z`

const SOON_MS = 250
const LATEST_MS = 30_000

/**
 * Decides whether a partition is worth reading. Its end offset may follow transaction markers, which consumers never
 * see, or records of an open transaction. While the end offset does not change, reads therefore back off.
 */
export class FeedDue {
  private readonly clock: Clock
  private looks = new Map<number, { readonly end: number; readonly again: number; readonly waitMs: number }>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  begin(): void {
    this.looks = new Map()
  }

  is(partition: number, end: number, next: number): boolean {
    if (next >= end) return false
    const last = this.looks.get(partition)
    return last?.end !== end || this.clock.now() >= last.again
  }

  /** Records a read that advanced to `next`. */
  looked(partition: number, end: number, next: number): void {
    const last = this.looks.get(partition)
    const waitMs = last?.end === end && next < end ? Math.min(last.waitMs * 2, LATEST_MS) : SOON_MS
    this.looks.set(partition, { end, waitMs, again: this.clock.now() + waitMs })
  }
}
