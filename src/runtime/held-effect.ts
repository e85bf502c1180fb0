import { LRUCache } from 'lru-cache'
import type { RecordPart } from './consume-parts.ts'
import { EffectLane, type Pending } from './effect-lane.ts'
import { lateCommit, recording, type LateCommit } from './effect-writes.ts'
import { Stale, GivenUp } from './retry.ts'
import { RecentOffsets } from './recent-offsets.ts'
import type { RuntimePorts, Limits } from './running.ts'
import type { Effect, Input } from './shapes.ts'
import type { Clock } from '../ports/clock.ts'

/** Number of finished tasks whose progress is kept in memory, so that a repeated first event starts nothing. */
const DONE_REMEMBERED = 20_000

/** Limit on pending tasks of all lanes of a partition: a few hundred megabytes. */
const MOST_IN_ALL = 100_000

interface AssignedPartition {
  readonly part: RecordPart
  /** The end offset of the partition when it was assigned. */
  readonly liveFrom: number
}

/** One assigned partition of an effect: its pending tasks, in lanes. */
export class HeldEffect<Event> {
  private readonly effect: Effect<Event>
  private readonly running: RuntimePorts
  readonly commit: LateCommit
  private readonly pending = new Map<string, Pending<Event>>()
  /** The same tasks by the offset of the newest event about each, in log order. */
  private readonly byOffset = new Map<number, Pending<Event>>()
  /** `null` if the effect has no state. */
  private readonly recent: RecentOffsets | null
  private readonly lanes = new Map<string, EffectLane<Event>>()
  private readonly done = new LRUCache<string, number>({ max: DONE_REMEMBERED })
  /** Refused tasks whose refusal is not recorded yet. */
  private readonly refused = new Set<Pending<Event>>()
  /** One controller per running attempt. */
  private readonly attempting = new Set<AbortController>()
  private readonly inFlight = new Set<Promise<unknown>>()
  private readonly write: ReturnType<typeof recording>
  private readonly hold: Hold
  private live = false
  private draining = false
  /** Records before this offset were written before the assignment. */
  private readonly liveFrom: number

  constructor(effect: Effect<Event>, running: RuntimePorts, { part, liveFrom }: AssignedPartition) {
    this.liveFrom = liveFrom
    this.effect = effect
    this.running = running
    this.recent = effect.state === undefined ? null : new RecentOffsets(effect.state.retentionMs)
    this.commit = lateCommit(running.clock)
    this.hold = new Hold(part, {
      clock: running.clock,
      limits: running.limits,
      isBusy: () => this.inFlight.size > 0,
      onLost: () => this.abortAttempts(),
      onBack: () => this.resume(),
    })
    this.write = recording((records) =>
      this.hold.part.insist('record', async () => {
        await this.hold.ours()
        await running.log.produce(records)
      }),
    )
  }

  get size(): number {
    return this.pending.size
  }

  /**
   * The offset from which a restart must read: the lowest offset of the newest events about pending tasks, and of those
   * that the effect's state is restored from. `null` if there are none.
   */
  get readFrom(): number | null {
    const recent = this.recent?.first(this.running.clock.now()) ?? null
    const [pending = recent] = this.byOffset.keys()
    return recent === null || pending === null ? pending : Math.min(recent, pending)
  }

  /**
   * Applies events in log order. No attempt is made until everything that was in the log at the assignment has been
   * read, since the result of an earlier attempt may come later in the log.
   */
  applyEvents(part: RecordPart, inputs: readonly Input<Event>[]): void {
    this.hold.part = part
    this.hold.observe(true)
    for (const input of inputs) this.applyEvent(input)
    if (!this.live && !this.draining && part.next >= this.liveFrom) this.goLive()
  }

  private goLive(): void {
    this.live = true
    for (const lane of this.lanes.values()) {
      for (const pending of lane.overflow()) this.refuse(pending)
      lane.goLive()
    }
  }

  /** Starts no further attempt and waits for the running ones. */
  async drain(): Promise<void> {
    this.draining = true
    for (const lane of this.lanes.values()) lane.hold()
    await Promise.allSettled(this.inFlight)
  }

  /** The partition is revoked: attempts are aborted, nothing is recorded. */
  end(): void {
    this.hold.end()
  }

  private abortAttempts(): void {
    for (const lane of this.lanes.values()) lane.hold()
    for (const one of this.attempting) one.abort()
  }

  private resume(): void {
    if (!this.live || this.draining) return
    for (const pending of this.refused) this.refuse(pending)
    for (const lane of this.lanes.values()) lane.goLive()
  }

  private applyEvent(input: Input<Event>): void {
    const { effect } = this
    effect.state?.observe(input.event)
    this.recent?.observe(input.place.offset, input.loggedAt)
    const id = effect.about(input.event)
    const lane = this.laneOf(input)
    lane.noteSuccess(input)
    const known = this.pending.get(id)
    if (effect.dueAt(input.event) === null) {
      this.done.set(id, effect.progress(input.event))
      this.forget(id, known)
      this.dropIdleLane(input)
    } else if (known === undefined) this.begin(id, input)
    else if (effect.progress(input.event) > effect.progress(known.input.event)) {
      this.byOffset.delete(known.input.place.offset)
      this.byOffset.set(input.place.offset, known)
      lane.moved(known, input)
    }
  }

  private begin(id: string, input: Input<Event>): void {
    if (this.effect.progress(input.event) <= (this.done.get(id) ?? -1)) return
    const since = this.effect.progress(input.event) === 0 ? input.loggedAt : null
    const pending: Pending<Event> = { input, since, state: 'waiting' }
    this.pending.set(id, pending)
    this.byOffset.set(input.place.offset, pending)
    if (!this.laneOf(input).add(pending, this.mostWaiting())) this.refuse(pending)
  }

  /** The waiting limit of one lane. It shrinks when all lanes together hold very many tasks. */
  private mostWaiting(): number {
    const { mostWaiting } = this.effect
    return this.pending.size < MOST_IN_ALL ? mostWaiting : Math.ceil(mostWaiting / 20)
  }

  private forget(id: string, known: Pending<Event> | undefined): void {
    if (known === undefined) return
    this.pending.delete(id)
    this.byOffset.delete(known.input.place.offset)
    if (known.state !== 'refused') this.laneOf(known.input).remove(known)
  }

  /** Drops an idle lane. */
  private dropIdleLane({ event }: Input<Event>): void {
    const name = this.effect.lane(event)
    if (this.lanes.get(name)?.isIdle === true) this.lanes.delete(name)
  }

  private laneOf({ event }: Input<Event>): EffectLane<Event> {
    const name = this.effect.lane(event)
    const known = this.lanes.get(name)
    if (known !== undefined) return known
    const lane = new EffectLane<Event>({
      effect: this.effect,
      clock: this.running.clock,
      attempt: (pending, wentWellAt) => this.tracked(this.attempt(pending, wentWellAt)),
      isPending: ({ input }) => this.byOffset.has(input.place.offset),
    })
    if (this.live && !this.draining && !this.hold.isLost) lane.goLive()
    this.lanes.set(name, lane)
    return lane
  }

  private async tracked<Result>(work: Promise<Result>): Promise<Result> {
    this.inFlight.add(work)
    void this.hold.watch()
    try {
      return await work
    } catch (cause) {
      this.hold.observe(false) // before another attempt of the same task can start
      throw cause
    } finally {
      this.inFlight.delete(work)
    }
  }

  private async attempt(pending: Pending<Event>, laneWentWellAt: number): Promise<boolean | null> {
    const { effect, running } = this
    const started = running.clock.now()
    const task = { input: pending.input, since: pending.since, laneWentWellAt }
    const { event, outcome } = await this.breakable((signal) => effect.attempt(task, signal))
    running.metrics.observe('story_attempt_seconds', { effect: effect.name }, (running.clock.now() - started) / 1000)
    await this.record(event, outcome)
    return effect.wentWell(event)
  }

  private async breakable<Result>(attempt: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const breaking = new AbortController()
    const { signal } = breaking
    this.attempting.add(breaking)
    try {
      return await this.hold.part.insist('attempt', async () => {
        await this.hold.ours()
        return attempt(signal).catch((cause: unknown) => {
          throw signal.aborted ? new Stale('the partition was revoked during an attempt', { cause }) : cause
        })
      })
    } finally {
      this.attempting.delete(breaking)
    }
  }

  /** A task that exceeds the limit is not dropped silently: the refusal is recorded as an event. */
  private refuse(pending: Pending<Event>): void {
    pending.state = 'refused'
    this.refused.add(pending)
    this.tracked(this.recordRefusal(pending)).then(
      () => this.refused.delete(pending),
      () => undefined, // aborted: recorded once the attempts go on
    )
  }

  private async recordRefusal({ input }: Pending<Event>): Promise<void> {
    const event = await this.hold.part.insist('refuse', async () => {
      await this.hold.ours()
      return this.effect.tooMany(input)
    })
    await this.record(event, 'too_many_waiting')
  }

  private async record(event: Event, outcome: string): Promise<void> {
    const { effect, running } = this
    const { follows } = effect
    const value = await this.hold.part.insist('encode', () => running.codec.encode(follows, event))
    await this.write({ topic: follows.name, key: follows.key(event), value })
    running.metrics.count('story_attempts_total', { effect: effect.name, outcome })
  }
}

/** A partition that seems revoked for this long is revoked: by then the broker has assigned it to another consumer. */
const LOST_FOR_GOOD_MS = 120_000

interface HoldOptions {
  readonly clock: Clock
  readonly limits: Pick<Limits, 'heartbeatMs'>
  /** Whether an attempt of the partition is in progress. */
  readonly isBusy: () => boolean
  readonly onLost: () => void
  readonly onBack: () => void
}

/**
 * Whether a partition is still assigned, checked while an attempt is in progress. A consumer whose heartbeats failed
 * for a while may still be a member of the group. In that case it continues.
 */
export class Hold {
  /** The last part, which can check whether the partition is still assigned. */
  part: RecordPart
  private readonly holding: HoldOptions
  private watching = false
  private ended = false
  private lostForMs = 0

  constructor(part: RecordPart, holding: HoldOptions) {
    this.part = part
    this.holding = holding
  }

  get isLost(): boolean {
    return this.ended || this.lostForMs > 0
  }

  end(): void {
    this.ended = true
    this.holding.onLost()
  }

  /** Throws if the partition is not assigned. */
  async ours(): Promise<void> {
    if (this.isLost) throw new Stale('the partition was revoked')
    await this.part.ours()
  }

  /** Takes a new observation of whether the partition is assigned. */
  observe(ours: boolean): void {
    if (this.ended || ours !== this.isLost) return
    this.lostForMs = ours ? 0 : this.holding.limits.heartbeatMs
    if (ours) this.holding.onBack()
    else this.holding.onLost()
  }

  async watch(): Promise<void> {
    if (this.watching) return
    this.watching = true
    const { clock, limits } = this.holding
    while (this.isWorthWatching()) {
      await clock.sleep(limits.heartbeatMs)
      if (this.lostForMs > 0) this.lostForMs += limits.heartbeatMs
      this.observe(await this.isOurs())
    }
    this.watching = false
  }

  private isWorthWatching(): boolean {
    if (this.ended || this.lostForMs > LOST_FOR_GOOD_MS) return false
    return this.lostForMs > 0 || this.holding.isBusy()
  }

  private async isOurs(): Promise<boolean> {
    return this.part.ours().then(
      () => true,
      (cause: unknown) => !(cause instanceof GivenUp),
    )
  }
}
