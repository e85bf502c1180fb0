import { beside, besideName } from '../../adapters/beside-log.ts'
import type { BesideTopics } from '../../adapters/kafka/admin.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Codec, Log } from '../../ports/log.ts'
import { placesFrom, type BeginAt } from './begin-at.ts'
import { endsOf, isRead, lagOf } from './lag.ts'
import { relabelled } from './relabel.ts'
import type { RuntimePorts } from '../../runtime/running.ts'
import type { Progress } from '../../sources/progress.ts'
import { startStage, type StageDependencies } from '../../pipeline.ts'
import { eta } from '../eta.ts'
import type { Reprocessed } from './stages.ts'

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
  const writer = await log.writer(`${group}-from`)
  await writer.write([], { group, next: await placesFrom(log, topic, from) })
  await writer.close()
}

/** Until everything is read that the log held at the beginning. */
async function untilRead({ name, reads }: Reprocessed, ports: RunBesidePorts, signal: AbortSignal): Promise<void> {
  const { log, clock, progress } = ports
  const reading = { group: besideName(name), topics: reads }
  const ends = await endsOf(log, reads)
  const begun = clock.now()
  const whole = await lagOf(log, reading, ends)
  for (let before = -1; !signal.aborted;) {
    const lag = await lagOf(log, reading, ends)
    // what does not move any more may be read to its end
    if (lag === 0 || (lag === before && lag < MAY_BE_MARKERS && (await isRead(log, reading, ends)))) return
    before = lag
    progress.update(() => eta({ done: whole - lag, whole, elapsedMs: clock.now() - begun, of: 'records' }))
    await clock.sleep(POLL_MS, signal)
  }
}
