import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { Place, TransactionalWriter } from '../ports/log.ts'
import type { ReadInput } from './read-inputs.ts'
import type { Entry } from '../state/entry.ts'
import type { ChangelogPosition } from '../state/checkpoint.ts'
import { DiskTable, tablePartition } from '../state/disk-table.ts'
import { MemoryCheckpoints } from '../state/memory-checkpoints.ts'
import type { Restorable, Restoring, Unsaved } from './restorable.ts'
import { restoreState, withCopy, type CopyPorts } from './restored-state.ts'
import type { AnyDecided, FoundRows, Input, MemoryStage, Outcome, StageTable } from './shapes.ts'

/** The state of one partition, and the only writer that may change it. */
export interface HeldState<State, Row = never> {
  state: State
  unsaved: Unsaved
  /** Up to which the changelog was read, or this process had written it when the state was saved last. */
  position: ChangelogPosition
  /** Closed by `release`, with the writer. `null` if the stage has no table. */
  readonly table: DiskTable<Row> | null
  readonly writer: TransactionalWriter
  /** Committed offset by topic. Any record before it is a duplicate. */
  readonly readUpTo: Map<string, number>
}

interface Remembering<State, Remembered, Row = never> extends Restorable<State, Remembered> {
  readonly table?: Pick<StageTable<never, never, Row>, 'changelog'>
  readonly reads: readonly { readonly name: string }[]
}

/**
 * Restores the state of a partition. The order matters: the new writer first fences the previous one, which aborts its
 * open transaction and settles any commit in flight. Only then is the changelog complete and the committed offset
 * final.
 */
export async function takeOver<State, Remembered, Row = never>(
  stage: Remembering<State, Remembered, Row>,
  partition: number,
  { log, codec, clock, logger, checkpoints = null, known = null, onChunk = () => undefined, ...on }: TakingOver<State>,
): Promise<HeldState<State, Row>> {
  // 1. Fence the previous writer.
  const writer = await log.writer(`${stage.name}-${partition}`)
  const ports = { ...on, log, codec, clock, logger, checkpoints, known, onChunk }
  let table: DiskTable<Row> | null = null
  try {
    table = await openTable(stage, partition, ports)
    return { writer, table, ...(await restored(stage, partition, ports)) }
  } catch (cause) {
    await release({ writer, table })
    throw cause
  }
}

export async function release({ writer, table }: Pick<HeldState<unknown, unknown>, 'writer' | 'table'>): Promise<void> {
  await table?.close()
  await writer.close()
}

/** Without a disk that works, the whole table is in memory. */
async function openTable<Row>(
  { name, table }: Pick<Remembering<never, never, Row>, 'name' | 'table'>,
  partition: number,
  ports: CopyPorts,
): Promise<DiskTable<Row> | null> {
  if (table === undefined) return null
  const opened = { stage: name, partition, changelog: table.changelog }
  return withCopy(tablePartition(opened, partition), ports, ({ checkpoints, ...given }) =>
    DiskTable.open(opened, { ...given, checkpoints: checkpoints ?? new MemoryCheckpoints() }),
  )
}

type TakingOver<State> = Pick<Restoring<State>, 'log' | 'codec' | 'clock' | 'logger'> & Partial<Restoring<State>>

async function restored<State, Remembered>(
  stage: Remembering<State, Remembered>,
  partition: number,
  ports: Restoring<State>,
): Promise<Omit<HeldState<State>, 'writer' | 'table'>> {
  // 2. Replay the changelog.
  const { state, unsaved, ...position } = await restoreState(stage, partition, ports)

  // 3. Read the committed offsets.
  const { log } = ports
  const readUpTo = new Map<string, number>()
  for (const { name } of stage.reads) readUpTo.set(name, (await log.committed(stage.name, name))[partition] ?? 0)
  return { state, unsaved, position, readUpTo }
}

export interface Decisions<Out, Remembered, Row = never> {
  readonly outcomes: readonly Outcome<Out>[]
  /** The newest entry of each key that changed. */
  readonly entries: readonly Entry<Remembered>[]
  /** The newest row of each key of the table that was set. */
  readonly rows: readonly Row[]
}

/** An exception from the stage's own code, with the input that caused it. */
export class DecisionThrew extends Error {
  override readonly name = 'DecisionThrew'
  readonly place: Place

  constructor(place: Place, cause: unknown) {
    super(`deciding threw at ${place.topic} ${place.partition} ${place.offset}`, { cause })
    this.place = place
  }
}

interface DecidedInput<In> extends ReadInput<In> {
  /** Deciding this input has thrown too often. */
  readonly refused: boolean
}

/** Decides inputs one after the other. The state updates of each input are applied before the next is decided. */
export async function decideInOrder<State, In, Out, Remembered, Row = never>(
  stage: MemoryStage<State, In, Out, Remembered, Row>,
  held: HeldState<State, Row>,
  { inputs, pause }: { readonly inputs: readonly DecidedInput<In>[]; readonly pause: LoopPause },
): Promise<Decisions<Out, Remembered, Row>> {
  const entries = new Map<string, Entry<Remembered>>()
  const rows = new Map<string, Row>()
  const outcomes: Outcome<Out>[] = []
  for (const { input, refused } of inputs) {
    await pause()
    if (refused) {
      outcomes.push({ kind: 'reject', reason: 'decision_threw' })
      continue
    }
    const found = await foundRows(stage, held, input)
    const decided = await decidedOn(stage, { state: held.state, input, found }, pause)
    for (const [key, row] of setRows(stage, held, decided)) rows.set(key, row)
    for (const entry of decided.remember) {
      await pause()
      held.state = wrapped(input, () => stage.memory.evolve(held.state, entry))
      entries.set(entry.key, entry)
    }
    outcomes.push(decided.kind === 'deferred' ? wrapped(input, () => decided.outcome(held.state)) : decided)
  }
  return { outcomes, entries: [...entries.values()], rows: [...rows.values()] }
}

/** The rows that a decision sets, by key. From now on they are found. */
function setRows<Row>(
  { table }: { readonly table?: Pick<StageTable<never, never, Row>, 'changelog'> },
  held: Pick<HeldState<unknown, Row>, 'table'>,
  { rows = [] }: { readonly rows?: readonly Row[] },
): readonly (readonly [string, Row])[] {
  if (table === undefined) return []
  held.table?.set(rows)
  return rows.map((row) => [table.changelog.key(row), row])
}

async function foundRows<State, In, Row>(
  { table }: { readonly table?: StageTable<State, In, Row> },
  held: HeldState<State, Row>,
  input: Input<In>,
): Promise<FoundRows<Row>> {
  const needed = table === undefined ? [] : wrapped(input, () => table.needed(held.state, input))
  return held.table === null || needed.length === 0 ? new Map<string, Row>() : held.table.rows(needed)
}

interface Deciding<State, In, Row> {
  readonly state: State
  readonly input: Input<In>
  readonly found: FoundRows<Row>
}

export async function decidedOn<State, In, Out, Remembered, Row = never>(
  stage: MemoryStage<State, In, Out, Remembered, Row>,
  { state, input, found }: Deciding<State, In, Row>,
  pause: LoopPause,
): Promise<AnyDecided<State, Out, Remembered, Row>> {
  const steps = wrapped(input, () => stage.deliberate?.(state, input) ?? null)
  if (steps === null) return wrapped(input, () => stage.decide(state, input, found))
  for (;;) {
    const step = wrapped(input, () => steps.next())
    if (step.done === true) return step.value
    await pause()
  }
}

/** Wraps an exception from the stage's own code. */
function wrapped<Result>({ place }: { readonly place: Place }, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    throw new DecisionThrew(place, cause)
  }
}

/**
 * The longest time without yielding to the event loop, in milliseconds. An API response waits for about ten of these
 * turns.
 */
const TURN_MS = 8

/** Yields to the event loop if the turn is used up. */
type LoopPause = () => Promise<void>

export function pausing({ now }: Pick<Clock, 'now'>): LoopPause {
  let since = now()
  return async () => {
    if (now() - since < TURN_MS) return
    await setImmediate()
    since = now()
  }
}
