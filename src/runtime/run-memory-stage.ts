import { RecordTooLarge, type Consumer, type LogRecord, type OutRecord } from '../ports/log.ts'
import { consumeParts, type Part } from './consume-parts.ts'
import { shortened } from './dead-letter.ts'
import { DecisionThrew, decideInOrder, takeOver, type Decisions, type Held } from './held-memory.ts'
import { timedParts } from './part-size.ts'
import { readInputs, type Inputs, type Read } from './read-inputs.ts'
import { FloodGate } from './reject-flood.ts'
import { lettersOf, report, untouched } from './report.ts'
import type { Running } from './running.ts'
import type { MemoryStage, Outcome } from './shapes.ts'

/** Runs a stage with memory in the group of its name until stopped: one memory and one writer a partition. */
export async function runMemoryStage<State, In, Out, Remembered>(
  stage: MemoryStage<State, In, Out, Remembered>,
  running: Running,
): Promise<Consumer> {
  const runner = new MemoryRunner(stage, running)
  return await consumeParts(
    {
      name: stage.name,
      group: stage.name,
      topics: stage.reads.map(({ name }) => name),
      minBytes: 1,
      maxWaitMs: 200,
      size: timedParts({ ...running.limits, partMs: running.limits.memoryPartMs }),
      // whoever wrote meanwhile may have changed everything
      onAssigned: async () => {
        await runner.forgetAll()
      },
      handle: async (part) => {
        await part.insist('decide and write', async () => {
          await runner.handle(part)
        })
      },
      close: async () => {
        await runner.forgetAll()
      },
    },
    running,
  )
}

class MemoryRunner<State, In, Out, Remembered> {
  private readonly stage: MemoryStage<State, In, Out, Remembered>
  private readonly running: Running
  private readonly gate: FloodGate
  private readonly held = new Map<number, Held<State>>()
  /** How often deciding an input has thrown, by its place. */
  private readonly threw = new Map<string, number>()
  /** What was in hand when the log said that a record is too large: its dead letters are written short. */
  private readonly tooLarge = new Set<string>()

  constructor(stage: MemoryStage<State, In, Out, Remembered>, running: Running) {
    this.stage = stage
    this.running = running
    this.gate = new FloodGate(stage.name, running.limits)
  }

  async forgetAll(): Promise<void> {
    await Promise.all([...this.held.keys()].map(async (partition) => await this.forget(partition)))
  }

  /** After any failure nobody knows what was written: throw the memory away; the next attempt restores it. */
  async handle(part: Part): Promise<void> {
    try {
      await this.decideAndWrite(part)
    } catch (cause) {
      await this.forget(part.partition)
      if (cause instanceof RecordTooLarge) this.tooLarge.add(`${part.topic} ${part.partition}`)
      if (cause instanceof DecisionThrew) {
        const place = `${part.topic} ${part.partition} ${cause.offset}`
        this.threw.set(place, (this.threw.get(place) ?? 0) + 1)
      }
      throw cause
    }
  }

  /** What is emitted, what is remembered and what was read become true together, in one transaction. */
  private async decideAndWrite(part: Part): Promise<void> {
    // 1. Remember.
    const held = this.held.get(part.partition) ?? (await this.restore(part.partition))

    // 2. Decode what was not read for good before.
    const readUpTo = held.readUpTo.get(part.topic) ?? 0
    if (readUpTo >= part.next) return
    const fresh = part.records.filter(({ offset }) => offset >= readUpTo)
    const inputs = part.setAside ? untouched(fresh) : await this.prepared(part.topic, fresh)

    // 3. Decide, one after the other.
    const decisions = decideInOrder(
      this.stage,
      held,
      inputs.read.map((read) => ({ ...read, refused: this.throwsAlways(read.record) })),
    )
    this.gate.check(decisions.outcomes)

    // 4. Write all of it and the offsets at once; a transaction without records would be a waste.
    const letters = lettersOf(this.stage.name, { inputs, outcomes: decisions.outcomes })
    const records = [
      ...(await this.encode(decisions, part.partition)),
      ...(this.tooLarge.has(`${part.topic} ${part.partition}`) ? letters.map(shortened) : letters),
    ]
    await part.ours()
    if (records.length === 0) await part.commit()
    else await held.writer.write(records, { group: this.stage.name, next: [this.nextPlace(part)] })

    held.readUpTo.set(part.topic, part.next)
    this.reportOn(part, inputs, decisions)
  }

  private async restore(partition: number): Promise<Held<State>> {
    const held = await takeOver(this.stage, partition, this.running)
    this.held.set(partition, held)
    this.running.metrics.count('story_restores_total', { stage: this.stage.name })
    return held
  }

  private async forget(partition: number): Promise<void> {
    const held = this.held.get(partition)
    this.held.delete(partition)
    await held?.writer.close()
  }

  private async prepared(topic: string, records: readonly LogRecord[]): Promise<Inputs<In>> {
    const reads = this.stage.reads.find(({ name }) => name === topic)
    if (reads === undefined) throw new Error(`${this.stage.name} does not read ${topic}`)
    const inputs = await readInputs(reads, records, this.running.codec)
    if (this.stage.prepare === undefined || inputs.read.length === 0) return inputs

    const prepared = await this.stage.prepare(inputs.read.map(({ input }) => input))
    const read = inputs.read.flatMap(({ record }, i): Read<In>[] => {
      const input = prepared[i]
      return input === undefined ? [] : [{ record, input }]
    })
    if (read.length !== inputs.read.length || prepared.length !== read.length) {
      throw new Error(`${this.stage.name} prepared ${prepared.length} of ${inputs.read.length} inputs`)
    }
    return { ...inputs, read }
  }

  private throwsAlways({ topic, partition, offset }: LogRecord): boolean {
    return (this.threw.get(`${topic} ${partition} ${offset}`) ?? 0) >= this.running.limits.throws
  }

  private async encode(
    { outcomes, entries }: Decisions<Out, Remembered>,
    partition: number,
  ): Promise<readonly OutRecord[]> {
    const { writes, memory } = this.stage
    const { codec } = this.running
    const events = outcomes.flatMap((outcome) => (outcome.kind === 'emit' ? outcome.events : []))
    return await Promise.all([
      ...events.map(async (event) => ({
        topic: writes.name,
        key: writes.key(event),
        value: await codec.encode(writes, event),
      })),
      ...entries.map(async ({ key, value }) => ({
        topic: memory.changelog.name,
        key,
        value: value === null ? null : await codec.encode(memory.changelog, value),
        // the memory of a partition lies in the same partition, whatever its keys
        partition,
      })),
    ])
  }

  private nextPlace({ topic, partition, next }: Part) {
    return { topic, partition, offset: next }
  }

  private reportOn(part: Part, inputs: Inputs<In>, { outcomes }: { readonly outcomes: readonly Outcome<Out>[] }): void {
    this.threw.clear()
    this.tooLarge.delete(`${part.topic} ${part.partition}`)
    this.gate.remember(outcomes)
    const { metrics } = this.running
    const events = outcomes.reduce((sum, outcome) => sum + (outcome.kind === 'emit' ? outcome.events.length : 0), 0)
    metrics.count('story_events_total', { stage: this.stage.name, topic: this.stage.writes.name }, events)
    report(part, { inputs, outcomes }, { name: this.stage.name, running: this.running })
  }
}
