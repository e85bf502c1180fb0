import pLimit, { type LimitFunction } from 'p-limit'
import type { Batch, Consumer, LogRecord, Place } from '../ports/log.ts'
import { CrashGuard, NoteInHand, unguarded, type CrashGuardPlan } from './crash-guard.ts'
import type { Pulse } from './health.ts'
import { GivenUp, insist, Stale, Stopped, type RetryFailure, type Insisting } from './retry.ts'
import type { RuntimePorts, Limits } from './running.ts'

/** Some records of one partition, in order: the unit that is decided, written and committed together. */
export interface RecordPart {
  readonly topic: string
  readonly partition: number
  readonly records: readonly LogRecord[]
  /** What to commit when it is done. */
  readonly next: number
  /** True: the process crashed hereabouts. It is one record, and what else is done with it is to be done one by one. */
  readonly alone: boolean
  /** True: the process died on it too often, it must not be decided again. */
  readonly setAside: boolean
  /** Tries a step until it succeeds or the part is not ours any more. */
  insist<Result>(step: string, attempt: () => Promise<Result>): Promise<Result>
  /** Call before what might kill the process: decoding and deciding. */
  risk(): Promise<void>
  /** What is in hand has been decided and has killed nobody: what comes now is no fault of it. */
  survived(): Promise<void>
  /** Throws when the partition was taken away. Call before every write: what another consumer does we must not. */
  ours(): Promise<void>
  /** Throws when we are stopping. Call between the steps of a part that may be long, once what is done is committed. */
  goOn(): void
  /** `at`: not all of it is done for good, a restart is to read from there. */
  commit(at?: number): Promise<void>
}

export interface ConsumeWork {
  /** Its label in metrics and logs. */
  readonly name: string
  readonly group: string
  readonly topics: readonly string[]
  readonly minBytes: number
  readonly maxWaitMs: number
  readonly size: PartSize
  /** False: it commits behind what it has read, where the notes that find a deadly message have no place. */
  readonly guarded?: boolean
  onAssigned?(): Promise<void>
  /** Commits as its last step. */
  handle(part: RecordPart): Promise<void>
  close?(): Promise<void>
}

/** The loop under every stage and view: batches to parts, parts to `handle`, in order, until stopped. */
export async function consumeParts(work: ConsumeWork, running: RuntimePorts): Promise<Consumer> {
  const loop = new Loop(work, running)
  const consumer = running.log.consume(
    {
      group: work.group,
      topics: work.topics,
      minBytes: work.minBytes,
      maxWaitMs: work.maxWaitMs,
      onAssigned: () => loop.assigned(),
      onJoined: (places) => loop.joined(places),
      onCrash: running.onCrash,
    },
    async (batch) => {
      await loop.handle(batch)
    },
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
  private readonly guard: Pick<CrashGuard, 'forget' | 'open' | 'plan' | 'done'>
  /** By partition: one batch at a time, in the order of arrival. */
  private readonly turns = new Map<number, LimitFunction>()
  private readonly stopping = new AbortController()
  private readonly pulse: Pulse
  /** Partitions whose lag is reported. */
  private readonly reportedLags = new Map<string, Omit<Place, 'offset'>>()

  constructor(work: ConsumeWork, running: RuntimePorts) {
    this.work = work
    this.running = running
    this.pulse = running.metrics.pulse(work.group, running.clock.now())
    this.guard = work.guarded === false ? unguarded : new CrashGuard(running.log, work.group, running.limits.crashes)
  }

  stop(): void {
    this.stopping.abort()
  }

  joined(places: readonly Omit<Place, 'offset'>[]): void {
    // an effect commits behind what it has read: its lag does not show its health
    if (this.work.guarded !== false) this.pulse.reads = places
    const ours = new Set(places.map(placeName))
    for (const [name, { topic, partition }] of this.reportedLags) {
      if (ours.has(name)) continue
      this.reportedLags.delete(name) // its new owner reports its lag
      this.running.metrics.unset('story_lag_records', { stage: this.work.name, topic, partition: String(partition) })
    }
  }

  async assigned(): Promise<void> {
    this.guard.forget()
    await this.work.onAssigned?.()
  }

  /** All topics of one partition share a turn: a stage with memory has one memory a partition. */
  async handle(batch: Batch): Promise<void> {
    try {
      await this.turnsOf(batch.partition)(() => this.whileBeating(batch))
    } catch (cause) {
      this.note(cause)
      throw cause
    }
  }

  private turnsOf(partition: number): LimitFunction {
    const turns = this.turns.get(partition) ?? pLimit(1)
    this.turns.set(partition, turns)
    return turns
  }

  private async whileBeating(batch: Batch): Promise<void> {
    const beat = setInterval(() => void stillOurs(batch), this.running.limits.heartbeatMs)
    this.pulse.took(batch, this.running.clock.now())
    try {
      await this.parts(batch)
    } finally {
      this.recovered(batch)
      this.pulse.left(batch, this.running.clock.now())
      clearInterval(beat)
    }
  }

  private async parts(batch: Batch): Promise<void> {
    const { clock, metrics } = this.running
    const how = this.insisting(batch)
    let rest = await insist('look up the committed offset', () => this.guard.open(batch), how)
    while (rest.length > 0) {
      goOn(this.stopping.signal)
      const started = clock.now()
      const plan = this.guard.plan(batch, rest, this.work.size.next())
      const part = partOf(batch, plan, how)
      await this.work.handle(part)

      this.guard.done(batch, part.next)
      this.recovered(batch)
      this.pulse.progressed(batch, clock.now())
      const took = clock.now() - started
      this.work.size.took(part.records.length, took)
      metrics.observe('story_part_seconds', { stage: this.work.name }, took / 1000)
      this.showLag(batch, part.next)
      rest = rest.slice(part.records.length)
    }
  }

  private insisting(batch: Batch): Insisting {
    const { clock, limits } = this.running
    return {
      clock,
      limits,
      signal: this.stopping.signal,
      stillOurs: () => stillOurs(batch),
      onFailure: (failure) => {
        this.warn(batch, failure)
      },
    }
  }

  /** What fails is retried by itself: the other partitions of the process go on. */
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
    this.reportedLags.set(placeName({ topic, partition }), { topic, partition })
    this.running.metrics.set('story_lag_records', { stage: this.work.name, topic, partition: String(partition) }, lag)
  }

  private note(cause: unknown): void {
    if (cause instanceof Stale) this.running.metrics.count('story_stale_batches_total', { stage: this.work.name })
    if (cause instanceof Stale || cause instanceof Stopped) return
    this.running.logger.error({ stage: this.work.name, err: cause }, 'stage stopped')
    if (!this.stopping.signal.aborted) this.onFatal(cause instanceof Error ? cause : new GivenUp('ended', { cause }))
  }
}

const placeName = ({ topic, partition }: Omit<Place, 'offset'>): string => `${topic} ${partition}`

/** A heartbeat that fails says nothing yet (the broker may be away); a partition taken away does. */
async function stillOurs(batch: Batch): Promise<boolean> {
  return batch.heartbeat().then(
    () => !batch.isStale(),
    () => !batch.isStale(),
  )
}

function goOn(signal: AbortSignal): void {
  if (signal.aborted) throw new Stopped('stopped between two parts')
}

/** Steps that wait for an engine to take something. */
const WRITES = new Set(['set aside', 'produce', 'insert', 'decide and write', 'record', 'commit'])
/** A client retries by itself what an engine refuses for the moment, half a minute and more: the others do not wait for that. */
const SLOW_WRITE_MS = 2_000

async function givingWay<Result>(batch: Batch, step: string, attempt: () => Promise<Result>): Promise<Result> {
  if (!WRITES.has(step)) return attempt()
  const slow = setTimeout(() => batch.giveWay(), SLOW_WRITE_MS)
  try {
    return await attempt()
  } finally {
    clearTimeout(slow)
  }
}

function partOf(batch: Batch, plan: CrashGuardPlan, how: Insisting): RecordPart {
  const last = plan.records.at(-1)
  const isEnd = last === undefined || last === batch.records.at(-1)
  const next = isEnd ? batch.end : last.offset + 1
  const note = new NoteInHand(batch, plan)
  const ours = async () => {
    note.end()
    if (!(await stillOurs(batch))) throw new Stale(`${batch.topic} ${batch.partition} was revoked`)
  }
  return {
    topic: batch.topic,
    partition: batch.partition,
    ...plan,
    next,
    ours,
    goOn: () => {
      goOn(how.signal)
    },
    insist: (step, attempt) => insist(step, () => givingWay(batch, step, () => note.during(attempt)), how),
    risk: async () => {
      await insist('note what is in hand', () => note.make(), how)
    },
    survived: async () => {
      await note.takeBack()
      note.end()
    },
    commit: async (at = next) => {
      await insist(
        'commit',
        async () => {
          await ours()
          await givingWay(batch, 'commit', () => batch.commit(at))
        },
        how,
      )
    },
  }
}

/** How many records to take in hand at once, so that a part takes about the wanted time. */
export interface PartSize {
  next(): number
  took(records: number, ms: number): void
}

const CAUTIOUS_START = 16

/** Grows at most fourfold a step: one lucky part must not make the next one an hour long. */
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

/** The whole batch as one part: for views, whose store likes few large inserts. */
export const wholeBatches: PartSize = { next: () => Number.MAX_SAFE_INTEGER, took: () => undefined }
