import type { LogRecord } from '../../src/ports/log.ts'
import type { Topic } from '../../src/events/topic.ts'
import type { Input, MemoryStage, Outcome } from '../../src/runtime/shapes.ts'
import { changed } from '../../src/stages/changed/stage.ts'
import { clustered } from '../../src/stages/clustered/stage.ts'
import { detected } from '../../src/stages/detected/stage.ts'
import { enriched } from '../../src/stages/enriched/stage.ts'
import { matched } from '../../src/stages/matched/stage.ts'
import { linked } from '../../src/stages/linked/stage.ts'
import { transitioned } from '../../src/stages/transitioned/stage.ts'
import { letterKey, type SimulationLetter } from './dead-letters.ts'
import { decisionNeeds, replayedPosts } from './doubles.ts'
import { contentOf, inputOf, placeName } from './reading.ts'
import { codec, type Simulation } from './simulation.ts'

type Letters = ReadonlyMap<string, readonly SimulationLetter[]>

interface StoredEntry {
  readonly topic: string
  /** Where it must lie; null: where its key says. */
  readonly partition: number | null
  readonly content: string
}

/** Stages with memory: rebuilt from their inputs, in the order of the log, they say and remember the same to the byte. */
export async function checkMemories(world: Simulation, letters: Letters): Promise<void> {
  await checkMemory(world, letters, clustered(decisionNeeds.clustered))
  await checkMemory(world, letters, enriched(replayedPosts))
  await checkMemory(world, letters, linked(decisionNeeds.linked))
  await checkMemory(world, letters, transitioned(decisionNeeds.transitioned))
  await checkMemory(world, letters, detected(decisionNeeds.detected))
  await checkMemory(world, letters, matched(decisionNeeds.matched))
  await checkMemory(world, letters, changed(decisionNeeds.changed))
}

async function checkMemory<State, In, Out, Remembered, Row = never>(
  world: Simulation,
  letters: Letters,
  stage: MemoryStage<State, In, Out, Remembered, Row>,
): Promise<void> {
  const replay = new Replay(world, letters, stage)
  for (let partition = 0; partition < world.broker.width; partition++) await replay.live(partition)
}

class Replay<State, In, Out, Remembered, Row> {
  private readonly world: Simulation
  private readonly letters: Letters
  private readonly stage: MemoryStage<State, In, Out, Remembered, Row>

  constructor(world: Simulation, letters: Letters, stage: MemoryStage<State, In, Out, Remembered, Row>) {
    this.world = world
    this.letters = letters
    this.stage = stage
  }

  async live(partition: number): Promise<void> {
    const { stage } = this
    let state = stage.memory.empty()
    const remembered = new Map<string, string>()
    const rows = new Map<string, Row>()
    const entries: StoredEntry[] = []
    for (const record of this.inLogOrder(partition)) {
      const input = await this.read(record)
      if (input === null) continue
      const decided = await this.decide(state, input, rows)
      const outcome = decided?.outcome() ?? null
      if (decided !== null) {
        for (const { key, value } of decided.entries) {
          if (value === null) remembered.delete(key)
          else remembered.set(key, (await codec.encode(stage.memory.changelog, value)).toString('latin1'))
        }
        for (const row of decided.rows) rows.set(stage.table?.changelog.key(row) ?? '', row)
        state = decided.state
      }
      this.checkLetter(record, outcome ?? 'decision_threw')
      if (outcome?.kind === 'emit') entries.push(...(await this.contents(record, outcome.events)))
    }
    this.checkStored(partition, entries)
    this.checkRemembered(stage.memory.changelog.name, partition, remembered)
    if (stage.table !== undefined) await this.checkTable(stage.table.changelog, partition, rows)
  }

  /** By the time the log took them, then by topic, then by offset. */
  private inLogOrder(partition: number): readonly LogRecord[] {
    const { reads } = this.stage
    return reads
      .flatMap(({ name }, index) =>
        this.world.broker.partition(name, partition).records.map((record) => ({ record, index })),
      )
      .sort((a, b) => a.record.loggedAt - b.record.loggedAt || a.index - b.index || a.record.offset - b.record.offset)
      .map(({ record }) => record)
  }

  /** Null: there is nothing to decide. */
  private async read(record: LogRecord): Promise<Input<In> | null> {
    if (record.value === null) return null
    const dead = this.lettersOf(record)
    if (dead.some(({ reason }) => reason === 'process_crashed')) return null
    const input = await inputOf(this.topicOf(record), record)
    if (input === null) {
      if (dead.length !== 1) this.violation(`${dead.length} dead letters of ${placeName(record)}, which is no event`)
      return null
    }
    return (await this.stage.prepare?.([input]))?.[0] ?? input
  }

  private topicOf({ topic }: LogRecord): Topic<In> {
    const found = this.stage.reads.find(({ name }) => name === topic)
    if (found === undefined) throw new Error(`${this.stage.name} does not read ${topic}`)
    return found
  }

  private async decide(state: State, input: Input<In>, rows: ReadonlyMap<string, Row>) {
    try {
      const needed = this.stage.table?.needed(state, input) ?? []
      const found = new Map([...rows].filter(([key]) => needed.includes(key)))
      const decided = this.stage.decide(state, input, found)
      let after = state
      for (const entry of decided.remember) after = this.stage.memory.evolve(after, entry)
      const outcome = (): Outcome<Out> => (decided.kind === 'deferred' ? decided.outcome(after) : decided)
      return { entries: decided.remember, rows: decided.rows ?? [], state: after, outcome }
    } catch {
      return null
    }
  }

  private checkLetter(record: LogRecord, outcome: Outcome<Out> | 'decision_threw'): void {
    const dead = this.lettersOf(record)
    const reason = outcome === 'decision_threw' ? outcome : outcome.kind === 'reject' ? outcome.reason : null
    const expected = reason === null ? [] : [reason]
    const found = dead.map((letter) => letter.reason)
    if (found.join() !== expected.join())
      this.violation(`dead letters [${found.join()}] of ${placeName(record)}, not [${expected.join()}]`)
  }

  private async contents(record: LogRecord, events: readonly Out[]): Promise<readonly StoredEntry[]> {
    const { writes, writesByKey } = this.stage
    const { request_id } = record.headers
    const headers = request_id === undefined ? {} : { request_id }
    return Promise.all(
      events.map(async (event) => {
        const content = contentOf({ key: writes.key(event), value: await codec.encode(writes, event), headers })
        return { topic: writes.name, partition: writesByKey === true ? null : record.partition, content }
      }),
    )
  }

  private checkStored(partition: number, entries: readonly StoredEntry[]): void {
    const { writes, writesByKey } = this.stage
    const expected = entries.map(({ content }) => content)
    const ours = new Set(expected)
    const from =
      writesByKey === true
        ? this.world.broker.records(writes.name)
        : this.world.broker.partition(writes.name, partition).records
    const found = from.map(contentOf).filter((content) => writesByKey !== true || ours.has(content))
    // what goes where its key says is in order only key by key; here that is said of partitions with one reader in all
    const isOrdered = writesByKey !== true || this.world.broker.width === 1
    const [a, b] = isOrdered ? [found, expected] : [[...found].sort(), [...expected].sort()]
    const at = a.findIndex((content, i) => content !== b[i])
    if (a.length === b.length && at < 0) return
    const where = at < 0 ? b.length : at
    this.violation(
      `wrote ${a.length} to ${writes.name} ${partition}, a replay ${b.length}; they differ from the ${where}th on`,
    )
  }

  private async checkTable(table: Topic<Row>, partition: number, rows: ReadonlyMap<string, Row>): Promise<void> {
    const expected = new Map<string, string>()
    for (const [key, row] of rows) expected.set(key, (await codec.encode(table, row)).toString('latin1'))
    this.checkRemembered(table.name, partition, expected)
  }

  private checkRemembered(name: string, partition: number, expected: ReadonlyMap<string, string>): void {
    const found = new Map<string, string>()
    for (const { key, value } of this.world.broker.partition(name, partition).records) {
      if (key === null) continue
      if (value === null) found.delete(key)
      else found.set(key, value.toString('latin1'))
    }
    for (const [key, value] of expected) {
      if (found.get(key) !== value) this.violation(`${name} ${partition} holds another ${key} than a replay`)
    }
    for (const key of found.keys()) {
      if (!expected.has(key)) this.violation(`${name} ${partition} holds ${key}, which a replay has not`)
    }
  }

  private lettersOf(record: LogRecord): readonly SimulationLetter[] {
    return this.letters.get(letterKey(this.stage.name, placeName(record))) ?? []
  }

  private violation(what: string): void {
    this.world.violation(`${this.stage.name}: ${what}`)
  }
}
