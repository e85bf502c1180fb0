import pLimit, { type LimitFunction } from 'p-limit'
import { isFiller, type Batch, type Consumer, type LogRecord, type Standbys } from '../ports/log.ts'
import { CrashGuard, PartNote, unguarded, type CrashGuardPlan } from './crash-guard.ts'
import { partitionName, type Pulse, type TopicPartition } from './health.ts'
import { GivenUp, insist, Stale, Stopped, type RetryFailure, type RetryOptions } from './retry.ts'
import type { RuntimePorts, Limits } from './running.ts'

/** Consecutive records of one partition that are decided, written and committed together. */
export interface RecordPart {
  readonly topic: string
  readonly partition: number
  readonly records: readonly LogRecord[]
  /** The offset to commit when the part is done. */
  readonly next: number
  /**
   * `true` after a crash near this offset: the part holds a single record, and all records decided with it are single
   * too.
   */
  readonly alone: boolean
  /** `true` if the process crashed on this record too often: it must not be decided again. */
  readonly setAside: boolean
  /** Retries a step until it succeeds or the partition is revoked. */
  insist<Result>(step: string, attempt: () => Promise<Result>): Promise<Result>
  /**
   * Call before a step that may crash the process: decoding and deciding. `control` takes the same step with other
   * records and has no effect. It is called before the last try of a record: if the process crashes there, the record is
   * not to blame.
   */
  risk(control: (records: readonly LogRecord[]) => Promise<unknown>): Promise<void>
  /** Like `risk`, but a failure is thrown and not retried. */
  riskOnce(control: (records: readonly LogRecord[]) => Promise<unknown>): Promise<void>
  /** Call once the records are decided: a crash from here on is not caused by them. */
  survived(): Promise<void>
  /** Throws if the partition was or may have been revoked. Call before every write: another consumer may already write. */
  ours(): Promise<void>
  /**
   * Throws if the process is stopping or the partition was revoked. Call between the steps of long work, when nothing is
   * half done.
   */
  throwIfInterrupted(): void
  /** The process is not ready during this work. */
  restoring<Result>(work: () => Promise<Result>): Promise<Result>
  /** `at`: an earlier offset, if part of the records is still pending and a restart must read from there. */
  commit(at?: number): Promise<void>
}

export interface ConsumeWork {
  /** The label in metrics and logs. */
  readonly name: string
  readonly group: string
  readonly topics: readonly string[]
  readonly minBytes: number
  readonly maxWaitMs: number
  /**
   * How many batches are handled at once; those of one topic partition in order. Default 1, in which case the batches of
   * all topics of one partition are in order, since a stateful stage has one state per partition.
   */
  readonly concurrency?: number
  readonly size: PartSize
  /** `false` for a consumer that commits behind its position: the crash notes would be at the wrong offset. */
  readonly guarded?: boolean
  readonly standbys?: Standbys
  /** Whether the process is ready as far as this work is concerned. */
  isRestored?(): boolean
  /** The partitions that this process has now, after each rebalance, before a batch of them is read. */
  onJoined?(partitions: ReadonlySet<number>): void
  /** The partitions that this process has now. Another process may have had any of them since the last call. */
  onAssigned?(partitions: ReadonlySet<number>): Promise<void>
  /** Must commit as its last step. */
  handle(part: RecordPart): Promise<void>
  close?(): Promise<void>
}

/** The loop under every stage and view: cuts batches into parts and passes them to `handle`, in order, until stopped. */
export async function consumeParts(work: ConsumeWork, running: RuntimePorts): Promise<Consumer> {
  const loop = new Loop(work, running)
  const consumer = running.log.consume(
    {
      group: work.group,
      topics: work.topics,
      minBytes: work.minBytes,
      maxWaitMs: work.maxWaitMs,
      ...(work.concurrency === undefined ? {} : { concurrency: work.concurrency }),
      ...(work.standbys === undefined ? {} : { standbys: work.standbys }),
      onAssigned: (places) => loop.assigned(places),
      onJoined: (places) => loop.joined(places),
      onCrash: running.onCrash,
    },
    (batch) => loop.handle(batch),
  )
  const stop = async () => {
    loop.stop()
    await (await consumer).stop()
    await work.close?.()
  }
  loop.onFatal = (cause) => {
    running.onCrash(cause)
    stop().catch((error: unknown) => running.logger.error({ stage: work.name, err: error }, 'stopping failed'))
  }
  await consumer
  return { stop }
}

class Loop {
  onFatal: (cause: Error) => void = () => undefined
  private readonly work: ConsumeWork
  private readonly running: RuntimePorts
  private readonly guard: Pick<CrashGuard, 'forget' | 'open' | 'plan' | 'control' | 'done'>
  /** Batches with the same limiter run one at a time, in order of arrival. */
  private readonly limiters = new Map<string, LimitFunction>()
  private readonly stopping = new AbortController()
  private readonly pulse: Pulse
  /** Partitions whose lag is reported. */
  private readonly reportedLags = new Map<string, TopicPartition>()

  constructor(work: ConsumeWork, running: RuntimePorts) {
    this.work = work
    this.running = running
    this.pulse = running.metrics.pulse(work.group, running.clock.now())
    if (work.isRestored !== undefined) this.pulse.isRestored = () => work.isRestored?.() ?? true
    this.guard = work.guarded === false ? unguarded : new CrashGuard(running.log, work.group, running.limits.crashes)
  }

  stop(): void {
    this.stopping.abort()
  }

  joined(partitions: readonly TopicPartition[]): void {
    this.work.onJoined?.(new Set(partitions.map(({ partition }) => partition)))
    // an effect commits behind its position, so its lag says nothing about its health
    if (this.work.guarded !== false) this.pulse.reads = partitions
    const ours = new Set(partitions.map(partitionName))
    for (const [name, { topic, partition }] of this.reportedLags) {
      if (ours.has(name)) continue
      this.reportedLags.delete(name) // its new owner reports its lag
      this.running.metrics.unset('story_lag_records', { stage: this.work.name, topic, partition: String(partition) })
    }
  }

  async assigned(places: readonly TopicPartition[]): Promise<void> {
    this.guard.forget()
    await this.work.onAssigned?.(new Set(places.map(({ partition }) => partition)))
  }

  async handle(batch: Batch): Promise<void> {
    try {
      await this.limiterOf(batch)(() => this.withHeartbeats(batch))
    } catch (cause) {
      this.reportEnd(cause)
      throw cause
    }
  }

  private limiterOf(batch: Batch): LimitFunction {
    const name = this.work.concurrency === undefined ? String(batch.partition) : partitionName(batch)
    const limiter = this.limiters.get(name) ?? pLimit(1)
    this.limiters.set(name, limiter)
    return limiter
  }

  private async withHeartbeats(batch: Batch): Promise<void> {
    const beat = setInterval(() => void stillOurs(batch), this.running.limits.heartbeatMs)
    this.pulse.batchStarted(batch, this.running.clock.now())
    try {
      await this.parts(batch)
    } finally {
      this.recovered(batch)
      this.pulse.batchEnded(batch, this.running.clock.now())
      clearInterval(beat)
    }
  }

  private async parts(batch: Batch): Promise<void> {
    const { clock, metrics } = this.running
    const how = this.retryOptions(batch)
    let rest = await insist('look up the committed offset', () => this.guard.open(batch), how)
    while (rest.length > 0) {
      throwIfAborted(this.stopping.signal)
      const started = clock.now()
      const plan = this.guard.plan(batch, rest, this.work.size.next())
      const part = partOf(batch, plan, { ...how, pulse: this.pulse, guard: this.guard })
      await this.work.handle(part)

      this.guard.done(batch, part.next)
      this.recovered(batch)
      this.pulse.progressed(batch, clock.now())
      const took = clock.now() - started
      this.work.size.took(plan.records.length, took)
      metrics.observe('story_part_seconds', { stage: this.work.name }, took / 1000)
      this.showLag(batch, part.next)
      rest = rest.slice(plan.records.length)
    }
  }

  private retryOptions(batch: Batch): RetryOptions {
    const { clock, limits } = this.running
    return {
      clock,
      limits,
      signal: this.stopping.signal,
      stillOurs: () => stillOurs(batch),
      onFailure: (failure) => this.warn(batch, failure),
    }
  }

  /** A failing batch is retried in the background so that the other partitions can continue. */
  private warn(batch: Batch, { step, cause, attempt, waitMs }: RetryFailure): void {
    const { topic, partition } = batch
    const { metrics, clock } = this.running
    batch.giveWay()
    metrics.count('story_retries_total', { stage: this.work.name, step })
    metrics.set('story_retrying', { stage: this.work.name, topic, partition: String(partition) }, 1)
    this.pulse.failed(batch, step, clock.now())
    this.running.logger.warn(
      { stage: this.work.name, topic, partition, step, attempt, waitMs, err: cause },
      'trying again',
    )
  }

  private recovered({ topic, partition }: Batch): void {
    this.running.metrics.unset('story_retrying', { stage: this.work.name, topic, partition: String(partition) })
  }

  private showLag({ topic, partition, highWatermark }: Batch, next: number): void {
    const lag = Math.max(0, highWatermark - next)
    this.reportedLags.set(partitionName({ topic, partition }), { topic, partition })
    this.running.metrics.set('story_lag_records', { stage: this.work.name, topic, partition: String(partition) }, lag)
  }

  private reportEnd(cause: unknown): void {
    if (cause instanceof Stale) this.running.metrics.count('story_stale_batches_total', { stage: this.work.name })
    if (cause instanceof Stale || cause instanceof Stopped) return
    this.running.logger.error({ stage: this.work.name, err: cause }, 'stage stopped')
    if (!this.stopping.signal.aborted) this.onFatal(cause instanceof Error ? cause : new GivenUp('ended', { cause }))
  }
}

/**
 * A failed heartbeat proves nothing, since the broker may be unavailable. A stale batch shows that the partition was
 * revoked, or may have been.
 */
async function stillOurs(batch: Batch): Promise<boolean> {
  await batch.heartbeat().catch(() => undefined)
  return !batch.isStale()
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Stopped('stopped between two parts')
}

/** Steps that wait for an external system to accept a write. */
const WRITES = new Set(['set aside', 'produce', 'insert', 'decide and write', 'record', 'commit'])
/**
 * Clients retry for 30 seconds or more. After this long, the other partitions stop waiting for a write. A stateful stage
 * decides within this step, for `Limits.partMs`.
 */
const SLOW_WRITE_MS = 4_000

async function yieldingIfSlow<Result>(batch: Batch, step: string, attempt: () => Promise<Result>): Promise<Result> {
  if (!WRITES.has(step)) return attempt()
  const slow = setTimeout(() => batch.giveWay(), SLOW_WRITE_MS)
  try {
    return await attempt()
  } finally {
    clearTimeout(slow)
  }
}

type Step = <Result>(name: string, attempt: () => Promise<Result>) => Promise<Result>

interface PartOptions extends RetryOptions {
  readonly pulse: Pulse
  readonly guard: Pick<CrashGuard, 'control'>
}

function partOf(batch: Batch, plan: CrashGuardPlan, how: PartOptions): RecordPart {
  const last = plan.records.at(-1)
  const isEnd = last === undefined || last === batch.records.at(-1)
  const next = isEnd ? batch.end : last.offset + 1
  const note = new PartNote(batch, plan)
  const ours = async () => {
    note.end()
    if (!(await stillOurs(batch))) throw new Stale(`${batch.topic} ${batch.partition} was revoked`)
  }
  const risk = async (control: (records: readonly LogRecord[]) => Promise<unknown>, step: Step): Promise<void> => {
    const { suspect } = note
    if (suspect !== null) {
      const due = await step('read the control', () => how.guard.control(batch, suspect.record, suspect.control))
      await step('note the control', () => note.control(due, () => control(due.records)))
    }
    await step('note what is in hand', () => note.make())
  }
  return {
    topic: batch.topic,
    partition: batch.partition,
    ...plan,
    records: plan.records.filter((record) => !isFiller(record)),
    next,
    ours,
    throwIfInterrupted: () => {
      throwIfAborted(how.signal)
      if (batch.isRevoked()) throw new Stale(`${batch.topic} ${batch.partition} was revoked`)
      how.pulse.progressed(batch, how.clock.now())
    },
    insist: (step, attempt) => insist(step, () => yieldingIfSlow(batch, step, () => note.during(attempt)), how),
    restoring: (work) => how.pulse.during(work),
    risk: (control) => risk(control, (step, attempt) => insist(step, attempt, how)),
    riskOnce: (control) => risk(control, (_, attempt) => attempt()),
    survived: async () => {
      await note.withdraw()
      note.end()
    },
    commit: (at = next) => {
      const commit = async () => {
        await ours()
        await yieldingIfSlow(batch, 'commit', () => batch.commit(at))
      }
      return insist('commit', commit, how)
    },
  }
}

/** Chooses the size of a part so that it takes about the configured time. */
export interface PartSize {
  next(): number
  took(records: number, ms: number): void
}

const CAUTIOUS_START = 16

/** A part grows at most fourfold per step, so that one fast part does not make the next one take an hour. */
export function timedParts({ partMs, partRecords }: Pick<Limits, 'partMs' | 'partRecords'>): PartSize {
  let size = Math.min(CAUTIOUS_START, partRecords)
  return {
    next: () => size,
    took: (records, ms) => {
      const fits = ms === 0 ? size * 4 : Math.floor((partMs * records) / ms)
      size = Math.max(1, Math.min(fits, size * 4, partRecords))
    },
  }
}

/** The whole batch as one part: for views, since few large inserts are efficient. */
export const wholeBatches: PartSize = { next: () => Number.MAX_SAFE_INTEGER, took: () => undefined }
