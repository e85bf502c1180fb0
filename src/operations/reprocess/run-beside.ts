import { beside, besideName } from '../../adapters/beside-log.ts'
import { type BesideTopics, besideTopics } from '../../adapters/kafka/admin.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Codec, Log, Place } from '../../ports/log.ts'
import { onlyMarkersLeft, positionOf, recordsBetween, writeTransaction } from '../lag/positions.ts'
import { type RuntimePorts, defaultLimits } from '../../runtime/running.ts'
import type { Progress } from '../../sources/progress.ts'
import { startStage, type StageDependencies } from '../../pipeline.ts'
import { eta, progressOf } from '../progress.ts'
import type { Reprocessed } from './stages.ts'
import { parseMoment } from '../../domain/intake/articles.ts'
import type { ProducedBy } from '../../events/envelope.ts'
import { derivedId } from '../../events/ids.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import type { Wiring } from '../../ports/wiring.ts'

/** The dependencies of a shadow run. */
export interface RunBesidePorts {
  readonly log: Log
  readonly codec: Codec
  readonly clock: Clock
  readonly topics: Pick<BesideTopics, 'make' | 'isAtWork' | 'there' | 'drop'>
  readonly dependencies: StageDependencies
  readonly running: Omit<RuntimePorts, 'log' | 'codec' | 'onCrash'>
  readonly progress: Progress
}

export interface ShadowRun {
  readonly stage: Reprocessed
  /** Version label of the results; `null` for that of the code. */
  readonly version: string | null
  /** `null` for the beginning of the log. */
  readonly from: BeginAt | null
}

const POLL_MS = 300
/** Longer than the session timeout after which a killed consumer leaves its group. */
const KILLED_MS = 50_000
/** A smaller lag may consist of transaction markers only, which can only be checked by reading the log. */
const MAY_BE_MARKERS = 1_000

/** A new version that runs beside the live one and has read what the log had at its start. */
export interface RunningShadow {
  /** Aborts if the new version has failed. */
  readonly signal: AbortSignal
  /** Finishes the records in progress. Throws if the new version has failed. */
  stop(): Promise<void>
}

/**
 * Runs the new version in shadow topics, and `work` as soon as it has read the current content of the log. Resumes
 * where an earlier run ended or was killed. Throws if another process is running it.
 */
export async function whileBeside<Result>(
  { stage, version, from }: ShadowRun,
  ports: RunBesidePorts,
  work: (shadow: RunningShadow) => Promise<Result>,
): Promise<Result> {
  const { log, codec } = ports
  await untilAlone(stage, ports)
  await ports.topics.make(stage.writes)
  if (from !== null) await beginAt(stage, from, log)

  const shadowLog = beside(log, { state: stage.state })
  const stops = new AbortController()
  const crash: { cause: Error | null } = { cause: null }
  const consumer = await startStage(stage.name, ports.dependencies, {
    ...ports.running,
    log: shadowLog,
    codec: relabelled(codec, { topic: stage.output.name, stage: stage.name, version }),
    onCrash: (cause) => {
      crash.cause ??= cause
      stops.abort()
    },
  })
  const stopped = once(() => consumer.stop())
  const stop = async (): Promise<void> => {
    await stopped()
    if (crash.cause !== null) throw new Error(`the shadow run of ${stage.name} failed`, { cause: crash.cause })
  }
  try {
    await untilRead(stage, ports, stops.signal)
    ports.progress.end()
    if (stops.signal.aborted) await stop()
    return await work({ signal: stops.signal, stop })
  } finally {
    await stopped()
  }
}

/** The same promise at every call. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => (done ??= work())
}

async function untilAlone({ name }: Reprocessed, { topics, clock, progress }: RunBesidePorts): Promise<void> {
  const begun = clock.now()
  while (await topics.isAtWork(name)) {
    if (clock.now() - begun > KILLED_MS) {
      throw new Error(`${name} is already being reprocessed. Wait until that run ends, or stop it`)
    }
    progress.update(() => `waiting: another run of ${besideName(name)} is active or has just ended`)
    await clock.sleep(POLL_MS)
  }
}

/** Sets the start position. Only for a run that has not started, of a stage without state. */
async function beginAt(stage: Reprocessed, from: BeginAt, log: Log): Promise<void> {
  const group = besideName(stage.name)
  const [topic] = stage.reads
  if (stage.changelog !== null || topic === undefined) {
    throw new Error(`--from: ${stage.name} has state, so it always starts from the beginning`)
  }
  if ((await log.committed(group, topic)).some((offset) => offset !== null)) {
    throw new Error(
      `--from: a run of ${stage.name} has already started. Resume it without --from, or discard it with --drop`,
    )
  }
  await writeTransaction(log, `${group}-from`, { group, next: await placesFrom(log, topic, from) })
}

/** Resolves when everything that the log had at the start is processed. */
async function untilRead({ name, reads }: Reprocessed, ports: RunBesidePorts, signal: AbortSignal): Promise<void> {
  const { log, clock, progress } = ports
  const group = besideName(name)
  const { ends, next: first } = await positionOf(reads, group, log)
  const begun = clock.now()
  const whole = recordsBetween(first, ends)
  for (let before = -1; !signal.aborted;) {
    const { next } = await positionOf(reads, group, log)
    const lag = recordsBetween(next, ends)
    // without progress, the rest may be transaction markers only
    if (lag === 0 || (lag === before && lag < MAY_BE_MARKERS && (await onlyMarkersLeft({ next, ends }, log)))) return
    before = lag
    progress.update(() => eta({ done: whole - lag, whole, elapsedMs: clock.now() - begun, of: 'records' }))
    await clock.sleep(POLL_MS, signal)
  }
}

/** Where a run begins: at the same offset in every partition, or at the first record logged at or after a time. */
export type BeginAt = { readonly offset: number } | { readonly time: number }

/** Parses an offset (`1200`) or an ISO 8601 time. Throws if the text is neither. */
export function fromOf(text: string): BeginAt {
  if (/^\d+$/.test(text)) return { offset: Number(text) }
  const time = parseMoment(text)
  if (time === null) throw new Error(`--from ${text}: expected an offset (1200) or a time (2026-11-22T10:00:00Z)`)
  return { time }
}

/** The first offset to read, by partition. */
async function placesFrom(log: Log, topic: string, from: BeginAt): Promise<readonly Place[]> {
  const ends = await log.ends(topic)
  const offsets = 'time' in from ? await log.since(topic, from.time) : ends.map((end) => Math.min(from.offset, end))
  return offsets.map((offset, partition) => ({ topic, partition, offset }))
}

/** Which events to relabel, and with which version. */
interface RelabelLabel {
  /** Output of the stage. */
  readonly topic: string
  readonly stage: string
  /** `null` for the version of the code. */
  readonly version: string | null
}

/** Wraps a codec: events written to `topic` get the given version, in `produced_by` and therefore in their id. */
const relabelled = (codec: Codec, label: RelabelLabel): Codec => ({
  encode: (topic, event) => codec.encode(topic, topic.name === label.topic ? stamped(event, label) : event),
  decode: (topic, value) => codec.decode(topic, value),
})

/** The id is derived from the original id, which depends on the input, so a repeated batch has the same ids. */
function stamped<Event>(event: Event, { stage, version }: RelabelLabel): Event {
  if (version === null || typeof event !== 'object' || event === null) return event
  if (!('event_id' in event) || typeof event.event_id !== 'string') return event
  const produced_by: ProducedBy = { stage, version }
  return { ...event, produced_by, event_id: derivedId(produced_by, event.event_id) }
}

/** Opens the real ports for the duration of `work`. */
export async function withPorts(
  wiring: Wiring,
  dependencies: StageDependencies,
  work: (ports: RunBesidePorts) => Promise<void>,
): Promise<void> {
  const { clock, logger, config } = wiring
  const topics = await besideTopics(config.kafka)
  try {
    await work({
      log: await wiring.log(),
      codec: await wiring.codec(),
      clock,
      topics,
      dependencies,
      running: {
        clock,
        logger,
        checkpoints: null,
        metrics: createMetrics(),
        limits: { ...defaultLimits, floodRejects: config.rejectFlood },
      },
      progress: progressOf(wiring),
    })
  } finally {
    await topics.close()
  }
}
