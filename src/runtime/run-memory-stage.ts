import { RecordTooLarge, type Consumer, type LogRecord, type OutRecord, type Place } from '../ports/log.ts'
import { Checkpointing } from './checkpointing.ts'
import { consumeParts, type RecordPart, timedParts, type PartSize } from './consume-parts.ts'
import { shortened, isFor, placeLogged } from './dead-letter.ts'
import {
  DecisionThrew,
  decidedOn,
  decideInOrder,
  release,
  takeOver,
  type Decisions,
  type HeldState,
  pausing,
} from './held-memory.ts'
import { InLogOrder } from './in-log-order.ts'
import { leaseEnded } from './lease.ts'
import { atCurrentOffsets, byTopic, readInputs, together, type ReadBatch, type ReadInput } from './read-inputs.ts'
import { floodGate, type FloodGate, emittedOf, lettersOf, report, untouched, type Judgement } from './outcomes.ts'
import { partitionName } from './health.ts'
import { Stale, Stopped } from './retry.ts'
import { withChanges, type RestoredState } from './restorable.ts'
import type { RuntimePorts } from './running.ts'
import type { MemoryStage, Outcome } from './shapes.ts'
import { stopwatch } from './stopwatch.ts'

/**
 * Runs a stateful stage in the consumer group of its name until stopped, with one state and one writer per partition.
 */
export async function runMemoryStage<State, In, Out, Remembered, Row>(
  stage: MemoryStage<State, In, Out, Remembered, Row>,
  running: RuntimePorts,
): Promise<Consumer> {
  const runner = new MemoryRunner(stage, running)
  await runner.checkpointing.start()
  return consumeParts(
    {
      name: stage.name,
      group: stage.name,
      topics: stage.reads.map(({ name }) => name),
      minBytes: 1,
      maxWaitMs: 500,
      // the runner measures its parts itself, without their writes
      size: { next: () => runner.size.next(), took: () => undefined },
      standbys: runner.checkpointing,
      isRestored: () => runner.checkpointing.isRestored,
      onJoined: (partitions) => runner.checkpointing.own(partitions),
      onAssigned: (partitions) => runner.assigned(partitions),
      handle: (part) => part.insist('decide and write', () => runner.handle(part)),
      close: () => runner.close(),
    },
    running,
  )
}

/** A revocation is noticed this soon while a table is being filled, milliseconds. */
const TABLE_POLL_MS = 200

interface AssignedState<State, Row> extends HeldState<State, Row> {
  order: InLogOrder
  /** Whether another process may have had the partition since the last write. */
  unsure: boolean
}

/** The records of one transaction, of several topics, in the order in which they are decided. */
interface RunMemoryStageChunk {
  readonly records: readonly LogRecord[]
  /** The offsets to commit, by topic. */
  readonly next: ReadonlyMap<string, number>
  readonly setAside: boolean
}

class MemoryRunner<State, In, Out, Remembered, Row = never> {
  private readonly stage: MemoryStage<State, In, Out, Remembered, Row>
  private readonly running: RuntimePorts
  private readonly gate: FloodGate
  readonly size: PartSize
  private readonly held = new Map<number, AssignedState<State, Row>>()
  readonly checkpointing: Checkpointing<State, Remembered>
  /** Partitions with records that are being decided. */
  private readonly deciding = new Set<number>()
  /** How often deciding an input has thrown, by its offset. */
  private readonly threw = new Map<string, number>()
  /** Partitions in which the log rejected a record as too large. Their dead letters are written without bytes. */
  private readonly tooLarge = new Set<string>()

  constructor(stage: MemoryStage<State, In, Out, Remembered, Row>, running: RuntimePorts) {
    this.stage = stage
    this.running = running
    this.gate = floodGate(stage.name, running.limits)
    this.size = timedParts(running.limits)
    this.checkpointing = new Checkpointing(stage, running, {
      has: (partition) => this.held.has(partition) || this.deciding.has(partition),
      discard: (partition) => this.forget(partition),
    })
  }

  /** Keeps the state of the partitions that stay here, since restoring it may take minutes. */
  async assigned(partitions: ReadonlySet<number>): Promise<void> {
    for (const held of this.held.values()) held.unsure = true
    await Promise.all([...this.held.keys()].filter((one) => !partitions.has(one)).map((one) => this.forget(one)))
  }

  async close(): Promise<void> {
    for (const [partition, held] of this.held) await this.saveAtClose(partition, held)
    await this.assigned(new Set())
    await this.checkpointing.stop()
  }

  /** A slow part may still be in progress, and another process may have the partition already. */
  private async saveAtClose(partition: number, held: AssignedState<State, Row>): Promise<void> {
    if (this.deciding.has(partition)) return
    const { logger } = this.running
    await this.save(partition, held, { onChunk: () => undefined, isLast: true }).catch((err: unknown) => {
      logger.info({ stage: this.stage.name, partition, err }, 'the state was not saved')
    })
  }

  /**
   * After a failure it is unknown what was written, so the state is discarded and the next attempt restores it. `Stale`
   * and `Stopped` are thrown between two transactions only, when all updates of the state are written.
   */
  async handle(part: RecordPart): Promise<void> {
    try {
      this.deciding.add(part.partition)
      await this.decideAndWrite(part)
    } catch (cause) {
      if (cause instanceof Stale || cause instanceof Stopped) this.readAgain(part.partition)
      else await this.forget(part.partition)
      if (cause instanceof RecordTooLarge) this.tooLarge.add(partitionName(part))
      if (cause instanceof DecisionThrew) {
        const place = placeName(cause.place)
        this.threw.set(place, (this.threw.get(place) ?? 0) + 1)
      }
      throw cause
    } finally {
      this.deciding.delete(part.partition)
    }
  }

  /** Decides what is not committed yet, starting with the older records of the stage's other topics. */
  private async decideAndWrite(part: RecordPart): Promise<void> {
    // 1. Restore the state.
    const held = (await this.confirmed(part.partition)) ?? (await part.restoring(() => this.restore(part)))

    // 2. Skip what is committed: a part of another topic may have included it.
    const readUpTo = held.readUpTo.get(part.topic) ?? 0
    if (readUpTo >= part.next) return
    const fresh = part.records.filter(({ offset }) => offset >= readUpTo)
    if (fresh.length === 0) await part.commit()

    // 3. Decide and write, one transaction after the other, since the older records of other topics may be many.
    const size = part.alone ? 1 : Math.max(fresh.length, this.size.next())
    const chunks = held.order.chunks({ topic: part.topic, records: fresh }, held.readUpTo, size)
    let setAside = part.setAside // the first record in order: earlier ones were committed before the crash
    for await (const records of chunks) {
      await this.transact(part, held, { records, next: nextOf(records, part), setAside })
      setAside = false
      if (records.at(-1) !== fresh.at(-1)) part.throwIfInterrupted()
    }
    held.readUpTo.set(part.topic, part.next)
    await this.save(part.partition, held, { onChunk: () => part.throwIfInterrupted() })
  }

  /** Saves a state if enough of it has changed. `isLast`: the process ends. */
  private async save(
    partition: number,
    held: AssignedState<State, Row>,
    { onChunk, isLast = false }: { readonly onChunk: () => void; readonly isLast?: boolean },
  ): Promise<void> {
    if (!this.checkpointing.isSaveDue(held.unsaved, isLast)) return
    const end = await this.checkpointing.endAfter(partition, held.position)
    if (end === null) return
    await this.commitAgain(partition, held) // no other process has written before that end
    const { state, unsaved } = held
    held.unsaved = await this.checkpointing.save(partition, { ...end, state, unsaved }, onChunk)
    held.position = end
  }

  /** Output, state updates and offsets are written in one transaction. */
  private async transact(
    part: RecordPart,
    held: AssignedState<State, Row>,
    { records, next, setAside }: RunMemoryStageChunk,
  ): Promise<void> {
    await part.risk((control) => this.rehearse(held, control))
    const deciding = stopwatch(this.running.clock)

    // 1. Decode.
    const inputs = setAside ? untouched(records) : await deciding.during(() => this.prepared(records))

    // 2. Decide, one after the other.
    await this.tableComplete(part, held, inputs)
    const decisions = await deciding.during(() =>
      decideInOrder(this.stage, held, {
        inputs: inputs.read.map((read) => ({ ...read, refused: this.throwsAlways(read.record) })),
        pause: pausing(this.running.clock),
      }),
    )
    this.gate.check(decisions.outcomes)

    // 3. Write records and offsets in one transaction. Skip the transaction if there are no records.
    const letters = lettersOf(this.stage.name, { inputs, outcomes: decisions.outcomes })
    const written = [
      ...(await this.encode({ inputs, ...decisions }, part.partition)),
      ...(this.tooLarge.has(partitionName(part)) ? letters.map(shortened) : letters),
    ]
    await part.survived()
    // no check whether the partition was revoked: a new owner fences this writer before it restores the state
    if (written.length === 0 && next.size === 1 && next.get(part.topic) === part.next) await part.commit()
    else await held.writer.write(written, { group: this.stage.name, next: placesOf(next, part.partition) })

    held.unsaved = withChanges(
      held.unsaved,
      written.filter(({ topic }) => topic === this.stage.memory.changelog.name),
    )
    for (const [topic, offset] of next) held.readUpTo.set(topic, offset)
    await held.table?.committed()
    // without the write, which hardly takes longer for many records: in a busy process it would make parts ever smaller
    this.size.took(records.length, deciding.ms())
    this.reportOn(part, inputs, decisions)
  }

  /** Decides records without an effect: the state does not change. */
  private async rehearse(held: HeldState<State, Row>, records: readonly LogRecord[]): Promise<void> {
    const { read } = await this.prepared(records)
    const pause = pausing(this.running.clock)
    for (const { input } of read) await decidedOn(this.stage, { state: held.state, input, found: new Map() }, pause)
  }

  /** Waits until the table has all rows, if an input needs one. */
  private async tableComplete(
    part: RecordPart,
    { state, table }: AssignedState<State, Row>,
    { read }: ReadBatch<In>,
  ): Promise<void> {
    if (table === null || table.isComplete) return
    if (read.every(({ input }) => this.stage.table?.needed(state, input).length === 0)) return
    const complete = table.complete.then(() => true)
    const { clock } = this.running
    await part.restoring(async () => {
      while (!(await Promise.race([complete, clock.sleep(TABLE_POLL_MS).then(() => false)]))) part.throwIfInterrupted()
    })
  }

  /** The state of a partition, if no other process had the partition meanwhile. */
  private async confirmed(partition: number): Promise<AssignedState<State, Row> | undefined> {
    const held = this.held.get(partition)
    if (held?.unsure !== true) return held
    try {
      await this.commitAgain(partition, held)
      held.unsure = false
      return held
    } catch (err) {
      this.running.logger.info({ stage: this.stage.name, partition, err }, 'state is restored')
      await this.forget(partition)
      return undefined
    }
  }

  /** Commits the known offsets once more. The log accepts a transaction only of the newest writer. */
  private async commitAgain(partition: number, { readUpTo, writer }: AssignedState<State, Row>): Promise<void> {
    const next = new Map([...readUpTo].filter(([, offset]) => offset > 0))
    if (next.size === 0) throw new Error('nothing was committed')
    await writer.write([], { group: this.stage.name, next: placesOf(next, partition) })
  }

  private async restore(part: RecordPart): Promise<AssignedState<State, Row>> {
    const { metrics } = this.running
    const onChunk = () => part.throwIfInterrupted()
    await leaseEnded(this.stage, part, this.running)
    const known = await this.checkpointing.taken(part.partition, onChunk)
    let reached = known
    const onEndedEarly = (state: RestoredState<State>): void => void (reached = state)
    const from = { ...this.running, known, onChunk, onEndedEarly }
    const taken = await takeOver(this.stage, part.partition, from).catch((cause: unknown) => {
      // after a rebalance the partition may stay: a restore of minutes does not begin again
      this.checkpointing.giveBack(part.partition, reached)
      throw cause
    })
    const held = { ...taken, order: this.orderOf(part.partition), unsure: false }
    this.held.set(part.partition, held)
    metrics.count('story_restores_total', { stage: this.stage.name })
    return held
  }

  /** The state is as it was written, but records may have been read ahead that are not decided. */
  private readAgain(partition: number): void {
    const held = this.held.get(partition)
    if (held !== undefined) held.order = this.orderOf(partition)
  }

  private orderOf(partition: number): InLogOrder {
    const { log, clock, limits } = this.running
    const topics = this.stage.reads.map(({ name }) => name)
    return new InLogOrder({ log, clock, topics, partition, settleMs: limits.settleMs })
  }

  private async forget(partition: number): Promise<void> {
    const held = this.held.get(partition)
    this.held.delete(partition)
    if (held !== undefined) await release(held)
  }

  private async prepared(records: readonly LogRecord[]): Promise<ReadBatch<In>> {
    const inputs = together(await Promise.all(byTopic(records).map((run) => this.decoded(run))))
    if (this.stage.prepare === undefined || inputs.read.length === 0) return inputs

    const prepared = await this.stage.prepare(inputs.read.map(({ input }) => input))
    const read = inputs.read.flatMap(({ record }, i): ReadInput<In>[] => {
      const input = prepared[i]
      return input === undefined ? [] : [{ record, input }]
    })
    if (read.length !== inputs.read.length || prepared.length !== read.length) {
      throw new Error(`${this.stage.name} prepared ${prepared.length} of ${inputs.read.length} inputs`)
    }
    return { ...inputs, read }
  }

  private async decoded(records: readonly LogRecord[]): Promise<ReadBatch<In>> {
    const topic = records[0]?.topic
    const reads = this.stage.reads.find(({ name }) => name === topic)
    if (reads === undefined) throw new Error(`${this.stage.name} does not read ${topic ?? 'nothing'}`)
    return atCurrentOffsets(await readInputs(reads, records.filter(isFor(this.stage.name)), this.running.codec))
  }

  private throwsAlways(record: LogRecord): boolean {
    return (this.threw.get(placeName(placeLogged(record))) ?? 0) >= this.running.limits.throws
  }

  private async encode(
    { inputs, outcomes, entries, rows }: Judgement<Out> & Decisions<Out, Remembered, Row>,
    partition: number,
  ): Promise<readonly OutRecord[]> {
    const { writes, writesByKey, memory, table } = this.stage
    const { codec } = this.running
    return Promise.all([
      ...[...emittedOf({ inputs, outcomes })].map(async ({ event, headers }) => ({
        topic: writes.name,
        key: writes.key(event),
        value: await codec.encode(writes, event),
        headers,
        // an output stays in the partition of its inputs, so that a reader of several topics finds a namespace in one
        // partition
        ...(writesByKey === true ? {} : { partition }),
      })),
      ...entries.map(async ({ key, value }) => ({
        topic: memory.changelog.name,
        key,
        value: value === null ? null : await codec.encode(memory.changelog, value),
        // state updates go to the same partition of the changelog, whatever their keys
        partition,
      })),
      ...rows.map(async (row) => {
        if (table === undefined) throw new Error(`${this.stage.name} has no table`)
        const { changelog } = table
        return { topic: changelog.name, key: changelog.key(row), value: await codec.encode(changelog, row), partition }
      }),
    ])
  }

  private reportOn(
    part: RecordPart,
    inputs: ReadBatch<In>,
    { outcomes }: { readonly outcomes: readonly Outcome<Out>[] },
  ): void {
    for (const { record } of inputs.read) this.threw.delete(placeName(placeLogged(record)))
    this.tooLarge.delete(partitionName(part))
    this.gate.remember(outcomes)
    const { metrics } = this.running
    const events = outcomes.reduce((sum, outcome) => sum + (outcome.kind === 'emit' ? outcome.events.length : 0), 0)
    metrics.count('story_events_total', { stage: this.stage.name, topic: this.stage.writes.name }, events)
    report(part, { inputs, outcomes }, { name: this.stage.name, running: this.running })
  }
}

/**
 * The next offset after the last record of each topic. For the part's own topic it includes offset gaps once the end of
 * the part is reached.
 */
function nextOf(records: readonly LogRecord[], part: RecordPart): ReadonlyMap<string, number> {
  const next = new Map(records.map(({ topic, offset }) => [topic, offset + 1]))
  const last = part.records.at(-1)
  return last !== undefined && next.get(part.topic) === last.offset + 1 ? next.set(part.topic, part.next) : next
}

const placesOf = (next: ReadonlyMap<string, number>, partition: number): readonly Place[] =>
  [...next].map(([topic, offset]) => ({ topic, partition, offset }))

const placeName = ({ topic, partition, offset }: Place): string => `${topic} ${partition} ${offset}`
