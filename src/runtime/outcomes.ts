import type { Headers, LogRecord, OutRecord } from '../ports/log.ts'
import type { RecordPart } from './consume-parts.ts'
import { deadLetter } from './dead-letter.ts'
import { propagatedHeaders, type ReadBatch, type Malformed } from './read-inputs.ts'
import { GivenUp } from './retry.ts'
import type { RuntimePorts, Limits } from './running.ts'
import type { StageOutcome } from './shapes.ts'

/** A stage rejects most of its inputs. This is more likely our bug than bad data. */
class RejectFlood extends GivenUp {
  override readonly name = 'RejectFlood'
}

export type FloodGate = ReturnType<typeof floodGate>

/**
 * Watches the decisions of a stage, so that a bad deployment stops instead of draining a topic into the dead letters.
 * Undecodable records do not count.
 */
export function floodGate(stage: string, { floodRejects, floodWindow }: Limits) {
  let recent: readonly boolean[] = []
  const windowWith = (outcomes: readonly StageOutcome<unknown>[]): readonly boolean[] =>
    [...recent, ...outcomes.map(isOurFault)].slice(-floodWindow)
  return {
    /** Throws if these outcomes reach the flood threshold. Call before anything is written. */
    check(outcomes: readonly StageOutcome<unknown>[]): void {
      const window = windowWith(outcomes)
      const rejects = window.filter(Boolean).length
      if (floodRejects === 0 || rejects < floodRejects || rejects * 2 <= window.length) return
      throw new RejectFlood(`${stage} rejected ${rejects} of its last ${window.length} inputs and has stopped`)
    },
    /** Call once the outcomes are written. */
    remember(outcomes: readonly StageOutcome<unknown>[]): void {
      recent = windowWith(outcomes)
    },
  }
}

/** Inputs that violate a published rule are the producer's fault and do not count. */
const isOurFault = (outcome: StageOutcome<unknown>): boolean =>
  outcome.kind === 'reject' && outcome.fault !== 'producer'

export interface Judgement<Out> {
  readonly inputs: ReadBatch<unknown>
  /** One for each `inputs.read`. */
  readonly outcomes: readonly StageOutcome<Out>[]
}

export interface Emitted<Out> {
  readonly event: Out
  /** Headers that the output record takes from its input. */
  readonly headers: Headers
}

/** The events that a part emits, in order. */
export function* emittedOf<Out>({ inputs, outcomes }: Judgement<Out>): Generator<Emitted<Out>> {
  for (const [i, { record }] of inputs.read.entries()) {
    const outcome = outcomes[i]
    if (outcome?.kind !== 'emit') continue
    const headers = propagatedHeaders(record)
    for (const event of outcome.events) yield { event, headers }
  }
}

/** The same in chunks of `size`: at least one chunk, which is empty if nothing is emitted. */
export function* chunksEmitted<Out>(judgement: Judgement<Out>, size: number): Generator<readonly Emitted<Out>[]> {
  let chunk: Emitted<Out>[] = []
  for (const emitted of emittedOf(judgement)) {
    if (chunk.length === size) {
      yield chunk
      chunk = []
    }
    chunk.push(emitted)
  }
  yield chunk
}

/** The dead letters of a part, in log order: undecodable records and rejected inputs. */
export function lettersOf<Out>(stage: string, { inputs, outcomes }: Judgement<Out>): readonly OutRecord[] {
  const refused = inputs.read.flatMap(({ record }, i): Malformed[] => {
    const outcome = outcomes[i]
    return outcome?.kind === 'reject' ? [{ record, reason: outcome.reason, cause: outcome.cause }] : []
  })
  return [...inputs.malformed, ...refused]
    .sort((a, b) => a.record.offset - b.record.offset)
    .map(({ record, reason, cause }) => deadLetter(record, { stage, reason, cause }))
}

/** Records that crash the process: they become dead letters without being decoded. */
export const untouched = (records: readonly LogRecord[]): ReadBatch<never> => ({
  read: [],
  malformed: records.map((record) => ({ record, reason: 'process_crashed' })),
  tombstones: 0,
})

/** Counts the outcomes of a part and logs them in one line. */
export function report<Out>(
  part: RecordPart,
  judgement: Judgement<Out>,
  stage: { name: string; running: RuntimePorts },
): void {
  const { metrics, logger } = stage.running
  const tally = new Map<string, number>()
  const count = (outcome: string, reason: string, by = 1) => {
    if (by === 0) return
    metrics.count('story_inputs_total', { stage: stage.name, outcome, reason }, by)
    if (outcome === 'reject' || outcome === 'malformed') {
      metrics.count('story_dead_letters_total', { stage: stage.name, reason }, by)
    }
    tally.set(outcome, (tally.get(outcome) ?? 0) + by)
  }
  for (const outcome of judgement.outcomes) count(outcome.kind, outcome.kind === 'emit' ? '' : outcome.reason)
  for (const { reason } of judgement.inputs.malformed) count('malformed', reason)
  count('skip', 'tombstone', judgement.inputs.tombstones)
  const { topic, partition, next } = part
  logger.info({ stage: stage.name, topic, partition, next, ...Object.fromEntries(tally) }, 'part done')
}
