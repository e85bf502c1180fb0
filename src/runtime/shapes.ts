import type { Letter } from './dead-letter.ts'
import type { Topic } from '../events/topic.ts'
import type { Entry } from '../state/entry.ts'
import type { StateSnapshot } from '../state/sections.ts'
import { type Steps, allSteps } from '../state/steps.ts'
import type { Place } from '../ports/log.ts'
import type { Clock } from '../ports/clock.ts'
import type { Row, Store } from '../ports/store.ts'

/** An event and its position in the log. */
export interface Input<Event> {
  readonly event: Event
  readonly topic: string
  readonly place: Place
  /** When the log stored the event (ingestion time), milliseconds since 1970. */
  readonly loggedAt: number
}

/** The outcome of one input. An exception is not an outcome: it means "retry". */
export type Outcome<Out> =
  | { readonly kind: 'emit'; readonly events: readonly Out[] }
  /** Expected; counted. */
  | { readonly kind: 'skip'; readonly reason: string }
  /** Written to the dead letters with its bytes. */
  | { readonly kind: 'reject'; readonly reason: string; readonly cause?: unknown; readonly fault?: 'producer' }

/**
 * The outcome of a stateless stage. It may emit a lazy sequence of events, each created while it is written. Creating
 * an event must not throw.
 */
export type StageOutcome<Out> = Outcome<Out> | { readonly kind: 'emit'; readonly events: Iterable<Out> }
export const emit = <Out>(...events: readonly Out[]): Outcome<Out> => ({ kind: 'emit', events })
/** For one input with many outputs: at most `Limits.partRecords` of them are in memory at once. */
export const emitEach = <Out>(events: Iterable<Out>): StageOutcome<Out> => ({ kind: 'emit', events })
export const skip = (reason: string): Outcome<never> => ({ kind: 'skip', reason })
/**
 * The producer violated a published rule. The input is rejected, and does not count towards `reject-flood`, since our
 * code is not at fault.
 */
export const refuse = (reason: string): Outcome<never> => ({ kind: 'reject', reason, fault: 'producer' })
export const reject = (reason: string, cause?: unknown): Outcome<never> => ({ kind: 'reject', reason, cause })

/**
 * Maps events to one outcome each, in input order. Pure except for its ports; may be called again with the same batch.
 */
export interface Stage<In, Out> {
  /** The last part of the name of the topic it writes; also its consumer group. */
  readonly name: string
  /** Part of every event id. Raise it when the same input may give a different output. */
  readonly version: string
  readonly reads: Topic<In>
  readonly writes: Topic<Out>
  handle(inputs: readonly Input<In>[]): Promise<readonly StageOutcome<Out>[]>
}

/**
 * The state of a stage. `evolve` is the only function that changes state, both live and when it is restored from the
 * changelog, so a restarted stage has the same state. It is total: it never rejects an update, and may own and mutate
 * what it returns. The changelog is compacted, so the state must be a function of the newest entry of each key, in any
 * order.
 */
export interface Memory<State, Remembered> {
  /** The compacted changelog, `<stage>.memory`: one small record per key. */
  readonly changelog: Topic<Remembered>
  empty(): State
  evolve(state: State, entry: Entry<Remembered>): State
  /**
   * Builds what a decision derives from the state, which the first decision would build otherwise. Called after a
   * restore, in steps, since it takes seconds for a large state. It changes no decision.
   */
  buildIndexes?(state: State): Steps<void>
  /** Without it, the newest record of each key is copied to local disk instead. */
  readonly snapshot?: StateSnapshot<State>
}

/** Values that a stage never forgets but does not keep in memory: on disk, by key. */
export interface StageTable<State, In, Row> {
  /** Compacted: one small record per key. */
  readonly changelog: Topic<Row>
  /** The keys whose values the decision on this input needs. */
  needed(state: State, input: Input<In>): readonly string[]
}

/** Values of a disk table by key. */
export type FoundRows<Row> = ReadonlyMap<string, Row>

/** The outcome of one input of a stateful stage, with its state updates and the rows of its disk table that it sets. */
export type Decided<Out, Remembered, Row = never> = Outcome<Out> & {
  readonly remember: readonly Entry<Remembered>[]
  readonly rows?: readonly Row[]
}

/**
 * The same for a stage whose output depends on its updated state: `outcome` is called once the state updates have been
 * applied.
 */
export interface Deferred<State, Out, Remembered, Row = never> {
  readonly kind: 'deferred'
  readonly remember: readonly Entry<Remembered>[]
  readonly rows?: readonly Row[]
  outcome(after: State): Outcome<Out>
}

export type AnyDecided<State, Out, Remembered, Row = never> =
  Decided<Out, Remembered, Row> | Deferred<State, Out, Remembered, Row>

/** A stateful stage with one writer per partition: output, changelog and offsets are written in one transaction. */
export interface MemoryStage<State, In, Out, Remembered, Row = never> {
  readonly name: string
  readonly version: string
  /** Co-partitioned: all topics have the same key and number of partitions. */
  readonly reads: readonly Topic<In>[]
  readonly writes: Topic<Out>
  /**
   * Partitions the output by its key. Only for a stage whose inputs are not all partitioned by namespace: without it,
   * an output stays in the partition of its inputs. State and offsets stay with the inputs either way, and everything
   * is written in one transaction.
   */
  readonly writesByKey?: true
  readonly memory: Memory<State, Remembered>
  readonly table?: StageTable<State, In, Row>
  /**
   * No I/O, no clock, no change of state: the state updates it returns are applied before the next input is decided.
   * `found`: the rows of its table that the input needs.
   */
  decide(state: State, input: Input<In>, found?: FoundRows<Row>): AnyDecided<State, Out, Remembered, Row>
  /** Runs `decide` in steps for an input that may take seconds. `null` if the input takes no steps: call `decide`. */
  deliberate?(state: State, input: Input<In>): Steps<AnyDecided<State, Out, Remembered, Row>> | null
  /**
   * Slow, pure work on a batch before deciding (for example, vectors of posts). Returns one result per input, in order.
   */
  prepare?(inputs: readonly Input<In>[]): Promise<readonly Input<In>[]>
}

/** A pending task, as described by the newest event about it. */
export interface Task<Event> {
  readonly input: Input<Event>
  /** When its first event was logged, milliseconds since 1970. `null` if that was before the partition was assigned. */
  readonly since: number | null
  /** When an attempt of its lane last succeeded; complete only from `since` on. 0 if none has. */
  readonly laneWentWellAt: number
}

/** The result of an attempt. An exception is not a result: it means "retry at once". */
export interface Attempted<Event> {
  /** The event that records the attempt: from now on the whole state of the task. */
  readonly event: Event
  /** Metric label; a constant. */
  readonly outcome: string
}

/** What the attempts of an effect need to know beyond their own tasks: a fold over the events of its topic. */
export interface EffectState<Event> {
  /**
   * Called with each event of the assigned partitions in log order, before the attempts that follow it. A partition that
   * is assigned again is read again, from events that were observed before.
   */
  observe(event: Event): void
  /** The events that the log stored within this time are read again after a restart, though their tasks are finished. */
  readonly retentionMs: number
}

/**
 * Does I/O for events of one topic and records each attempt in that topic as an event. The newest event about a task is
 * its whole state, so the next owner of the partition needs no other state. An attempt whose record was not written is
 * repeated.
 */
export interface Effect<Event> {
  /** Label in metrics and logs. */
  readonly name: string
  readonly group: string
  /** The topic that it reads and writes. */
  readonly follows: Topic<Event>
  /** The id of the task that an event is about. */
  about(event: Event): string
  /**
   * The progress of the task. An event with the same or less progress is a duplicate and changes nothing. More progress
   * begins a finished task again.
   */
  progress(event: Event): number
  /** Milliseconds since 1970. `null` if the task is finished. */
  dueAt(event: Event): number | null
  /** Whether the event records a success (`true`) or a failure (`false`). `null` if nothing was attempted. */
  wentWell(event: Event): boolean | null
  /** Lanes never wait for each other. A lane lies in one partition: it equals the topic's key or is derived from it. */
  lane(event: Event): string
  /** Maximum concurrent attempts per lane. After this many consecutive failures, one at a time. */
  readonly atOnce: number
  /** Maximum number of tasks of a lane that wait in memory. For each further one `tooMany` is recorded. */
  readonly mostWaiting: number
  /** Without it, an attempt needs nothing but the newest event of its task. */
  readonly state?: EffectState<Event>
  /** May write what must not be lost first. Called again if it throws. */
  tooMany(input: Input<Event>): Event | Promise<Event>
  /** The signal aborts when the partition is revoked. */
  attempt(task: Task<Event>, signal: AbortSignal): Promise<Attempted<Event>>
}

/** A dead letter as a view sees it. */
export interface DeadLetter<Event> extends Omit<Letter, 'loggedAt'> {
  /** The decoded record; `null` if its bytes cannot be decoded. */
  readonly event: Event | null
}

export interface TableRow {
  readonly table: string
  readonly row: Row
}

/** One topic's contribution to a view. */
export interface Projection<Event> {
  readonly reads: Topic<Event>
  /** `true` reads `<topic>.dead` instead; `project` then receives dead letters. */
  readonly dead: boolean
  project(input: Input<Event>): readonly TableRow[]
  /** Rows of a dead letter; defined only if `dead` is `true`. */
  letters?(input: Input<DeadLetter<Event>>): readonly TableRow[]
}

/** Rows derived from events, next to the queries that read them. One table has one source topic. */
export interface View {
  readonly name: string
  /** The longest time rows may wait to be batched, milliseconds. The default is short. */
  readonly maxWaitMs?: number
  /** Insert rows as they arrive, for views with few rows that are needed at once. More expensive under load. */
  readonly asTheyCome?: true
  readonly projections: readonly Projection<never>[]
  readonly derived?: DerivedTables | undefined
}

/** Tables that are computed from the rows of a view. Reads do not depend on when they are written. */
export interface DerivedTables {
  /** Called after the offsets of new rows are committed. Works in the background and must not throw. */
  follow(store: Store, rows: NewRows): void
  /** Computes everything again, after rows of any offset may have been replaced. */
  recompute(store: Store): Promise<void>
}

/** Rows that were inserted into all tables of a view, by the offsets of their events in one partition. */
export interface NewRows {
  readonly namespaces: readonly string[]
  readonly partition: number
  readonly from: number
  /** Inclusive. */
  readonly upTo: number
  readonly clock: Clock
  readonly logger: { readonly warn: (facts: Readonly<Record<string, unknown>>, message: string) => void }
}

export const on = <Event>(
  reads: Topic<Event>,
  project: (input: Input<Event>) => readonly TableRow[],
): Projection<never> => ({
  reads,
  dead: false,
  project,
})

export const onDead = <Event>(
  reads: Topic<Event>,
  project: (input: Input<DeadLetter<Event>>) => readonly TableRow[],
): Projection<never> => ({ reads, dead: true, project: () => [], letters: project })

/** How a stateful stage handles the events of one topic. */
export interface TopicHandler<State, Result, Row = never> {
  readonly reads: Topic<unknown>
  decide(state: State, input: Input<unknown>, found: FoundRows<Row>): Result
  deliberate?(state: State, input: Input<unknown>): Steps<Result>
}

export const onTopic = <State, Event, Result, Row = never>(
  reads: Topic<Event>,
  decide: (state: State, input: Input<Event>, found: FoundRows<Row>) => Result,
): TopicHandler<State, Result, Row> => ({ reads, decide })

/** For events whose decision may take seconds. See `MemoryStage.deliberate`. */
export const inSteps = <State, Event, Result>(
  reads: Topic<Event>,
  deliberate: (state: State, input: Input<Event>) => Steps<Result>,
): TopicHandler<State, Result> => ({
  reads,
  decide: (state: State, input: Input<Event>) => allSteps(deliberate(state, input)),
  deliberate,
})

/**
 * Builds the part of a stage that reads several topics from its handlers. A stage reads exactly the topics that have a
 * handler.
 */
export function byTopic<State, Result, Row = never>(handlers: readonly TopicHandler<State, Result, Row>[]) {
  const handlerOf = ({ topic }: Input<unknown>): TopicHandler<State, Result, Row> => {
    const handler = handlers.find(({ reads }) => reads.name === topic)
    if (handler === undefined) throw new Error(`No handler for the topic ${topic}`)
    return handler
  }
  return {
    reads: handlers.map(({ reads }) => reads),
    decide: (state: State, input: Input<unknown>, found: FoundRows<Row> = new Map<string, Row>()): Result =>
      handlerOf(input).decide(state, input, found),
    deliberate: (state: State, input: Input<unknown>): Steps<Result> | null =>
      handlerOf(input).deliberate?.(state, input) ?? null,
  }
}
