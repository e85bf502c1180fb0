import { beside, besideName } from '../../adapters/beside-log.ts'
import { type BesideTopics, besideTopics } from '../../adapters/kafka/admin.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Codec, Log, Place } from '../../ports/log.ts'
import { nothingBehind, positionOf, recordsBetween, writeOnce } from '../lag/positions.ts'
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

/** What a run of a new version needs. */
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
  /** Null: as the code calls itself. */
  readonly version: string | null
  /** Null: the beginning of the log. */
  readonly from: BeginAt | null
}

const POLL_MS = 300
/** Longer than a consumer that was killed counts as a member of its group. */
const KILLED_MS = 50_000
/** Fewer records to go than this may be markers, which only a look at the log can distinguish from records. */
const MAY_BE_MARKERS = 1_000

/**
 * Runs the new version beside the old one until it has read what the log holds now; goes on where an earlier run ended or
 * was killed. Throws when somebody else is at it.
 */
export async function runBeside({ stage, version, from }: ShadowRun, ports: RunBesidePorts): Promise<void> {
  const { log, codec } = ports
  await untilAlone(stage, ports)
  await ports.topics.make(stage.writes)
  if (from !== null) await beginAt(stage, from, log)

  const aside = beside(log, { changelog: stage.changelog ?? '' })
  const stops = new AbortController()
  const crash: { cause: Error | null } = { cause: null }
  const consumer = await startStage(stage.name, ports.dependencies, {
    ...ports.running,
    log: aside,
    codec: relabelled(codec, { topic: stage.output.name, stage: stage.name, version }),
    onCrash: (cause) => {
      crash.cause ??= cause
      stops.abort()
    },
  })
  try {
    await untilRead(stage, ports, stops.signal)
  } finally {
    await consumer.stop()
    ports.progress.end()
  }
  if (crash.cause !== null) throw new Error(`the shadow run of ${stage.name} failed`, { cause: crash.cause })
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

/** Only at the beginning of a run, and only for a stage whose results do not rest on what came before. */
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
  await writeOnce(log, `${group}-from`, { group, next: await placesFrom(log, topic, from) })
}

/** Until everything is read that the log held at the beginning. */
async function untilRead({ name, reads }: Reprocessed, ports: RunBesidePorts, signal: AbortSignal): Promise<void> {
  const { log, clock, progress } = ports
  const group = besideName(name)
  const { ends, next: first } = await positionOf(reads, group, log)
  const begun = clock.now()
  const whole = recordsBetween(first, ends)
  for (let before = -1; !signal.aborted;) {
    const { next } = await positionOf(reads, group, log)
    const lag = recordsBetween(next, ends)
    // what does not move any more may be read to its end
    if (lag === 0 || (lag === before && lag < MAY_BE_MARKERS && (await nothingBehind({ next, ends }, log)))) return
    before = lag
    progress.update(() => eta({ done: whole - lag, whole, elapsedMs: clock.now() - begun, of: 'records' }))
    await clock.sleep(POLL_MS, signal)
  }
}

/** Where a run begins: the same offset of every partition, or the first record that the log took at that time or later. */
export type BeginAt = { readonly offset: number } | { readonly time: number }

/** `1200`, or a time as ISO 8601. Throws a sentence. */
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

/** Which events are to say that another version made them. */
interface RelabelLabel {
  /** Output of the stage. */
  readonly topic: string
  readonly stage: string
  /** Null: what the code itself says. */
  readonly version: string | null
}

/** The same codec, but what goes to `topic` carries the wanted version, in its `produced_by` and so in its event id. */
const relabelled = (codec: Codec, label: RelabelLabel): Codec => ({
  encode: (topic, event) => codec.encode(topic, topic.name === label.topic ? stamped(event, label) : event),
  decode: (topic, value) => codec.decode(topic, value),
})

/** The id follows from the one that the code gave, which follows from the input: a repeated batch has the same again. */
function stamped<Event>(event: Event, { stage, version }: RelabelLabel): Event {
  if (version === null || typeof event !== 'object' || event === null) return event
  if (!('event_id' in event) || typeof event.event_id !== 'string') return event
  const produced_by: ProducedBy = { stage, version }
  return { ...event, produced_by, event_id: derivedId(produced_by, event.event_id) }
}

/** The real ports, for as long as the work takes. */
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
        metrics: createMetrics(),
        limits: { ...defaultLimits, floodRejects: config.rejectFlood },
      },
      progress: progressOf(wiring),
    })
  } finally {
    await topics.close()
  }
}
