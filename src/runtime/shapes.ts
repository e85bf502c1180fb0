import type { Letter } from './dead-letter.ts'
import type { Topic } from '../events/topic.ts'
import type { Entry } from '../state/entry.ts'
import { type Steps, allSteps } from '../state/steps.ts'
import type { Place } from '../ports/log.ts'
import type { Row } from '../ports/store.ts'

/** An event and where the log keeps it. */
export interface Input<Event> {
  readonly event: Event
  readonly topic: string
  readonly place: Place
  /** When the log took it, milliseconds since 1970: the arrival. */
  readonly loggedAt: number
}

/** What became of one input. A throw is none of these: it means "try again". */
export type Outcome<Out> =
  | { readonly kind: 'emit'; readonly events: readonly Out[] }
  /** Expected; counted. */
  | { readonly kind: 'skip'; readonly reason: string }
  /** Goes to the dead letters with its bytes. */
  | { readonly kind: 'reject'; readonly reason: string; readonly cause?: unknown; readonly fault?: 'producer' }

/** What a stage without memory decides: it may emit what is made one by one while it is written. Making it must not throw. */
export type StageOutcome<Out> = Outcome<Out> | { readonly kind: 'emit'; readonly events: Iterable<Out> }
export const emit = <Out>(...events: readonly Out[]): Outcome<Out> => ({ kind: 'emit', events })
/** For one input with many outputs: no more than `Limits.partRecords` of them are in memory at once. */
export const emitEach = <Out>(events: Iterable<Out>): StageOutcome<Out> => ({ kind: 'emit', events })
export const skip = (reason: string): Outcome<never> => ({ kind: 'skip', reason })
/** The producer broke a published rule: set aside, and however many there are, no sign that our own code is at fault. */
export const refuse = (reason: string): Outcome<never> => ({ kind: 'reject', reason, fault: 'producer' })
export const reject = (reason: string, cause?: unknown): Outcome<never> => ({ kind: 'reject', reason, cause })

/** Events in, one outcome each, in the order of the input. Pure but for its ports; may be called again with the same batch. */
export interface Stage<In, Out> {
  /** The last part of the topic it writes; also its consumer group. */
  readonly name: string
  /** Part of every event id: raise it when the same input may give another output. */
  readonly version: string
  readonly reads: Topic<In>
  readonly writes: Topic<Out>
  handle(inputs: readonly Input<In>[]): Promise<readonly StageOutcome<Out>[]>
}

/**
 * How a stage remembers. `evolve` is the only way the state changes, live and when it is restored from the changelog,
 * so that a restarted stage is the same stage. It is total: it never refuses, and may own and mutate what it returns.
 * The changelog is compacted, so the state must follow from the newest entry of each key, whatever their order.
 */
export interface Memory<State, Remembered> {
  /** The compacted changelog, `<stage>.memory`: one small record per remembered thing. */
  readonly changelog: Topic<Remembered>
  empty(): State
  evolve(state: State, entry: Entry<Remembered>): State
}

/** What became of one input of a stage with memory, and what that makes it remember or forget. */
export type Decided<Out, Remembered> = Outcome<Out> & { readonly remember: readonly Entry<Remembered>[] }

/** The same for a stage that reports on its memory: `outcome` is called once its state updates have been applied. */
export interface Deferred<State, Out, Remembered> {
  readonly kind: 'deferred'
  readonly remember: readonly Entry<Remembered>[]
  outcome(after: State): Outcome<Out>
}

/** One writer a partition: its output, its changelog and what it has read are one transaction. */
export interface MemoryStage<State, In, Out, Remembered> {
  readonly name: string
  readonly version: string
  /** Co-partitioned: all with the same key and number of partitions. */
  readonly reads: readonly Topic<In>[]
  readonly writes: Topic<Out>
  /**
   * Its output goes where its key says, like anybody's. Only for a stage whose inputs do not all lie beside the namespace:
   * without it an output stays in the partition of its inputs. Memory and offsets stay with the inputs either way, and all
   * of it is one transaction.
   */
  readonly writesByKey?: true
  readonly memory: Memory<State, Remembered>
  /** No I/O, no clock, no change of state: what it remembers is folded in before the next input is decided. */
  decide(state: State, input: Input<In>): Decided<Out, Remembered> | Deferred<State, Out, Remembered>
  /** What `decide` says, in steps, of an input that may take seconds; null: it takes none, decide it. */
  deliberate?(state: State, input: Input<In>): Steps<Decided<Out, Remembered> | Deferred<State, Out, Remembered>> | null
  /** Slow, pure work on a batch before deciding (vectors of posts, say), one result an input, in order. */
  prepare?(inputs: readonly Input<In>[]): Promise<readonly Input<In>[]>
}

/** Something that is to be done, as the newest event about it says. */
export interface Task<Event> {
  readonly input: Input<Event>
  /** When the log took its beginning, milliseconds since 1970; null: that was before this process took over. */
  readonly since: number | null
  /** When something of its lane last went well, complete from `since` on; 0: never. */
  readonly laneWentWellAt: number
}

/** What came of an attempt. A throw is none of these: it means "try again at once". */
export interface Attempted<Event> {
  /** Records it: the whole of the state from now on. */
  readonly event: Event
  /** Metric label, a constant. */
  readonly outcome: string
}

/**
 * Does I/O for events of one topic, and records each attempt there as an event. The newest event about a thing is the whole
 * of its state, so that the next owner of the partition needs no other state; an attempt whose record was not written is made again.
 */
export interface Effect<Event> {
  /** Its label in metrics and logs. */
  readonly name: string
  readonly group: string
  /** Read and written. */
  readonly follows: Topic<Event>
  /** The id of the thing it is about. */
  about(event: Event): string
  /** How far the thing has got: an event that says less, or of as much again, is a repeat and changes nothing. */
  progress(event: Event): number
  /** Milliseconds since 1970; null: the thing is done, for good. */
  dueAt(event: Event): number | null
  /** Whether it says that something went well; badly where it does not. Null: neither, nothing was tried. */
  wentWell(event: Event): boolean | null
  /** Lanes never wait for each other. A lane lies in one partition: it is the topic's key, or follows from it. */
  lane(event: Event): string
  /** So many attempts of a lane at once; one, while as many in a row went badly. */
  readonly atOnce: number
  /** So many things of a lane may wait in memory; of each further one `tooMany` is recorded. */
  readonly mostWaiting: number
  tooMany(input: Input<Event>): Event
  /** The signal says that the thing is not ours any more. */
  attempt(task: Task<Event>, signal: AbortSignal): Promise<Attempted<Event>>
}

/** A dead letter as a view sees it. */
export interface DeadLetter<Event> extends Omit<Letter, 'loggedAt'> {
  /** The record decoded, when its bytes allow it. */
  readonly event: Event | null
}

export interface TableRow {
  readonly table: string
  readonly row: Row
}

/** One topic's part in a view. */
export interface Projection<Event> {
  readonly reads: Topic<Event>
  /** True: reads `<topic>.dead` instead; `project` then gets dead letters. */
  readonly dead: boolean
  project(input: Input<Event>): readonly TableRow[]
  /** What a dead letter becomes; there exactly where `dead` is true. */
  letters?(input: Input<DeadLetter<Event>>): readonly TableRow[]
}

/** Rows made of events, beside the queries that read them. One table has one source topic. */
export interface View {
  readonly name: string
  /** How long its rows may wait for company, milliseconds; a short while where nothing is said. */
  readonly maxWaitMs?: number
  /** Somebody waits for each of its rows and there are few: inserted as they come. Dearer where many come, cheaper where none do. */
  readonly asTheyCome?: true
  readonly projections: readonly Projection<never>[]
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

/** What a stage with memory does with the events of one topic. */
export interface TopicHandler<State, Result> {
  readonly reads: Topic<unknown>
  decide(state: State, input: Input<unknown>): Result
  deliberate?(state: State, input: Input<unknown>): Steps<Result>
}

export const onTopic = <State, Event, Result>(
  reads: Topic<Event>,
  decide: (state: State, input: Input<Event>) => Result,
): TopicHandler<State, Result> => ({ reads, decide })

/** For events whose decision may take seconds: see `MemoryStage.deliberate`. */
export const inSteps = <State, Event, Result>(
  reads: Topic<Event>,
  deliberate: (state: State, input: Input<Event>) => Steps<Result>,
): TopicHandler<State, Result> => ({
  reads,
  decide: (state: State, input: Input<Event>) => allSteps(deliberate(state, input)),
  deliberate,
})

/** The part of a stage that reads several topics: it reads those it has a handler for, so that none can be forgotten. */
export function byTopic<State, Result>(handlers: readonly TopicHandler<State, Result>[]) {
  const handlerOf = ({ topic }: Input<unknown>): TopicHandler<State, Result> => {
    const handler = handlers.find(({ reads }) => reads.name === topic)
    if (handler === undefined) throw new Error(`No handler for the topic ${topic}`)
    return handler
  }
  return {
    reads: handlers.map(({ reads }) => reads),
    decide: (state: State, input: Input<unknown>): Result => handlerOf(input).decide(state, input),
    deliberate: (state: State, input: Input<unknown>): Steps<Result> | null =>
      handlerOf(input).deliberate?.(state, input) ?? null,
  }
}
