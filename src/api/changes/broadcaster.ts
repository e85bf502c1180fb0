import type { BaseLogger } from 'pino'
import { CHANGE_TYPES, type ChangePublished, changesPublished, type ChangeType } from '../../events/changes.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Codec, type Log, type LogRecord, RETRIED_FOR, viewGroup, viewGroupOf } from '../../ports/log.ts'
import { changes } from '../../views/row-per-event.ts'
import { EngineUnavailable } from '../http/engine-deadline.ts'
import { ReplayBuffer, type ReplayBufferSize } from './replay-buffer.ts'
import { withBoundTimes } from '../../events/topic.ts'
import type { FeedChange } from '../../views/changes/page.ts'
import { instant } from '../../views/instant.ts'

interface BroadcasterPorts {
  readonly log: Pick<Log, 'ends' | 'committed' | 'read' | 'partitionOf'>
  readonly codec: Codec
  readonly clock: Clock
  readonly logger: Pick<BaseLogger, 'warn' | 'error'>
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal
}

const TOPIC = changesPublished.name
const VIEW = viewGroup(changes.name)
const POLL_EVERY_MS = 250
/** Clients reconnect within seconds, and continuing costs less than starting again. */
const LINGER_MS = 10_000
/** If the lag exceeds this size, older changes are skipped: the buffer could not hold them. */
const BUFFER_SIZE: ReplayBufferSize = { maxChanges: 20_000, maxBytes: 32 * 1024 * 1024 }

interface FeedFloor {
  readonly floor: readonly number[]
  /** `null`: all. */
  readonly partition: number | null
  /** The store that was read; `null` if there is one only. */
  readonly server: string | null
}

/** Where the first change of a namespace was read since the buffer began. */
interface SeenOffset {
  readonly partition: number
  readonly offset: number
}

/**
 * Follows the feed of all namespaces once for all subscribers of this instance: it polls the end offsets every 250 ms
 * and reads if there is more. It starts at the view's committed offset, so that the buffer holds what the view does
 * not have yet. While the log is unavailable it waits, and then continues where it stopped.
 */
export class Broadcaster {
  readonly buffer: ReplayBuffer
  /** Incremented when the buffer begins again: positions derived from the previous buffer are no longer valid. */
  generation = 0
  /** When a poll last read everything, in milliseconds since 1970. */
  caughtUpAt = 0
  private readonly ports: BroadcasterPorts
  private readonly size: ReplayBufferSize
  private readonly due: FeedDue
  private next: number[] | null = null
  private seen = new Map<string, SeenOffset>()
  private readonly wakers = new Map<string, Set<() => void>>()
  private subscribers = 0
  private lastLeftAt = -Infinity
  private polling: Promise<void> | null = null
  private running = false

  constructor(ports: BroadcasterPorts, size: ReplayBufferSize = BUFFER_SIZE) {
    this.ports = ports
    this.size = size
    this.buffer = new ReplayBuffer(size)
    this.due = new FeedDue(ports.clock)
  }

  /**
   * Subscribes to a namespace: calls `wake` when there may be new changes. Returns the function that unsubscribes.
   * Rejects with `EngineUnavailable` if the feed cannot be read.
   */
  async join(namespace: string, wake: () => void): Promise<() => void> {
    this.subscribers += 1
    const own = this.wakers.get(namespace) ?? new Set()
    this.wakers.set(namespace, own.add(wake))
    let isJoined = true
    const leave = (): void => {
      if (!isJoined) return
      isJoined = false
      this.subscribers -= 1
      this.lastLeftAt = this.ports.clock.now()
      own.delete(wake)
      if (own.size === 0) this.wakers.delete(namespace)
    }
    if (!this.running) void this.follow()
    try {
      await this.polling
    } catch (cause) {
      leave()
      throw new EngineUnavailable('the feed cannot be read', { cause })
    }
    return leave
  }

  /** The partition of a namespace; `null` until the first poll. */
  partitionOf(namespace: string): number | null {
    return this.next === null ? null : this.ports.log.partitionOf(namespace, this.next.length)
  }

  /** The next offset to read. All earlier changes were read, and the buffer holds those that were not evicted. */
  reached(partition: number): number {
    return this.next?.[partition] ?? 0
  }

  /** Whether the view has everything before the buffer's floor. */
  async viewReaches({ floor, partition, server }: FeedFloor): Promise<boolean> {
    const group = server === null ? VIEW : viewGroupOf(changes.name, server)
    const committed = await this.ports.log.committed(group, TOPIC)
    const isThere = (p: number): boolean => (committed[p] ?? 0) >= (floor[p] ?? 0)
    return partition === null ? floor.every((_, p) => isThere(p)) : isThere(partition)
  }

  firstSeen(namespace: string): SeenOffset | null {
    return this.seen.get(namespace) ?? null
  }

  /**
   * Follows the feed while there are subscribers. `polling` is the poll that new subscribers wait for: the first one, or
   * one after a failure; otherwise `null`.
   */
  private async follow(): Promise<void> {
    const { clock, logger, stopping } = this.ports
    this.running = true
    let failing = false
    for (let first = true; this.hasSubscribers(); first = false) {
      const attempt = this.poll()
      if (first || failing) this.polling = attempt
      try {
        await attempt
        this.polling = null
        failing = false
      } catch (err) {
        if (!failing) logger.warn({ err }, 'feed_not_readable')
        failing = true
      }
      await clock.sleep(POLL_EVERY_MS, stopping)
    }
    this.running = false
  }

  private hasSubscribers(): boolean {
    if (this.ports.stopping.aborted) return false
    return this.subscribers > 0 || this.ports.clock.now() - this.lastLeftAt < LINGER_MS
  }

  private async poll(): Promise<void> {
    const now = this.ports.clock.now()
    const ends = await this.ports.log.ends(TOPIC)
    const next = this.next !== null && this.follows(this.next, ends) ? this.next : await this.begin(ends)
    for (const [partition, end] of ends.entries()) {
      if (!this.due.is(partition, end, next[partition] ?? 0)) continue
      await this.readPartition(partition, next)
      this.due.recordRead(partition, end, next[partition] ?? 0)
    }
    this.caughtUpAt = now
  }

  /** Whether reading can continue at `next`: not if the topic was recreated, nor if the lag exceeds the buffer's size. */
  private follows(next: readonly number[], ends: readonly number[]): boolean {
    const { maxChanges } = this.size
    return ends.every((end, p) => (next[p] ?? 0) <= end && end - (next[p] ?? 0) <= maxChanges)
  }

  private async begin(ends: readonly number[]): Promise<number[]> {
    const committed = await this.ports.log.committed(VIEW, TOPIC)
    const next = ends.map((end, p) => Math.min(end, Math.max(committed[p] ?? 0, end - this.size.maxChanges)))
    this.next = next
    this.seen = new Map()
    this.buffer.begin(next)
    this.due.begin()
    this.generation += 1
    for (const namespace of this.wakers.keys()) this.wake(namespace)
    return next
  }

  private async readPartition(partition: number, next: number[]): Promise<void> {
    const touched = new Set<string>()
    try {
      for await (const records of this.ports.log.read(TOPIC, partition, next[partition] ?? 0)) {
        for (const record of records) {
          next[partition] = record.offset + 1
          if (record.headers[RETRIED_FOR] !== undefined) continue // it was published at its original position
          const found = await publishedChange(record, this.ports.codec)
          if (found === null) this.ports.logger.error({ partition, offset: record.offset }, 'change_not_understood')
          else touched.add(this.append(found))
        }
      }
    } finally {
      for (const namespace of touched) this.wake(namespace)
    }
  }

  /** Returns the namespace. */
  private append({ namespace, change }: PublishedChange): string {
    const { partition, offset } = change
    if (!this.seen.has(namespace)) this.seen.set(namespace, { partition, offset })
    this.buffer.push(namespace, change)
    return namespace
  }

  private wake(namespace: string): void {
    for (const wake of this.wakers.get(namespace) ?? []) wake()
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
  const { event_id: id, ...event } = withBoundTimes(changesPublished, decoded.event, loggedAt)
  const { namespace, type, owner, occurred_at, data } = event
  return {
    namespace,
    change: { ...{ id, type, owner, data, offset, partition }, occurred_at: iso(occurred_at), logged_at: loggedAt },
  }
}

/** A newer version of the service may publish other types. */
const isKnown = ({ type }: ChangePublished): boolean => KNOWN.has(type)
const KNOWN: ReadonlySet<ChangeType> = new Set(CHANGE_TYPES)

/** The time format of the store's responses. */
const iso = (ms: number): string => `${instant(ms).replace(' ', 'T')}Z`

const FIRST_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 30_000

/**
 * Decides whether a partition is worth reading. Its end offset may follow transaction markers, which consumers never
 * see, or records of an open transaction. While the end offset does not change, reads therefore back off.
 */
export class FeedDue {
  private readonly clock: Clock
  private lastReads = new Map<number, { readonly end: number; readonly retryAt: number; readonly waitMs: number }>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  begin(): void {
    this.lastReads = new Map()
  }

  is(partition: number, end: number, next: number): boolean {
    if (next >= end) return false
    const last = this.lastReads.get(partition)
    return last?.end !== end || this.clock.now() >= last.retryAt
  }

  /** Records a read that advanced to `next`. */
  recordRead(partition: number, end: number, next: number): void {
    const last = this.lastReads.get(partition)
    const waitMs = last?.end === end && next < end ? Math.min(last.waitMs * 2, MAX_BACKOFF_MS) : FIRST_BACKOFF_MS
    this.lastReads.set(partition, { end, waitMs, retryAt: this.clock.now() + waitMs })
  }
}
