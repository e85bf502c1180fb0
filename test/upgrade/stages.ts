import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import type { MemoryLog } from '../../src/adapters/memory-log.ts'
import { clusteringModel, readStanceModel } from '../../src/adapters/model-files.ts'
import { LIFECYCLE } from '../../src/domain/lifecycle/lifecycle.ts'
import { pipeline, startStage, type PipelineStage, type StageDependencies } from '../../src/pipeline.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Codec, Consumer } from '../../src/ports/log.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { defaultLimits, type RuntimePorts } from '../../src/runtime/running.ts'
import type { ReadText } from '../../src/stages/enriched/observed-posts.ts'

/** The stages with state, in the order of the flow. */
export const STATEFUL = ['clustered', 'enriched', 'linked', 'transitioned', 'detected', 'changed'] as const
export type Stateful = (typeof STATEFUL)[number]

/** Few enough that articles are evicted within the recorded log. */
const BUDGET = 150
const WEEK_MS = 7 * 86_400_000

/** What the stateful stages were recorded with; a test has to start them with the same. */
export const statefulDependencies = (
  read: (texts: readonly string[]) => Promise<readonly ReadText[]>,
): Pick<StageDependencies, Stateful> => ({
  clustered: async () => ({ ...clusteringModel(), budget: BUDGET, texts: BUDGET }),
  enriched: async () => ({ read, stance: readStanceModel(), budget: BUDGET, textMs: WEEK_MS }),
  linked: async () => ({ budget: BUDGET }),
  transitioned: async () => ({ numbers: LIFECYCLE, budget: BUDGET }),
  detected: async () => ({ budget: BUDGET }),
  changed: async () => ({ budget: BUDGET }),
})

export const changelogOf = (stage: Stateful): string => `${stage}.memory`

export interface MemoryRun {
  readonly log: MemoryLog
  readonly codec: Codec
  /** Milliseconds since 1970, later than every record of the log, so that no stage waits for one. */
  readonly now: () => number
}

/** The runtime over a log in memory; throws from `crash` what has ended a stage. */
export function memoryRuntime({ log, codec, now }: MemoryRun): {
  readonly ports: RuntimePorts
  readonly crash: () => void
} {
  const crashes: Error[] = []
  const clock: Clock = { now, sleep: async () => setImmediate() }
  return {
    ports: {
      ...{ log, codec, clock, limits: defaultLimits },
      logger: pino({ level: 'silent' }),
      checkpoints: null,
      metrics: createMetrics(),
      onCrash: (cause) => crashes.push(cause),
    },
    crash: () => {
      if (crashes[0] !== undefined) throw crashes[0]
    },
  }
}

/** Runs some stages until they have read everything, then stops them. */
export async function runToEnd(
  run: MemoryRun,
  names: readonly Stateful[],
  dependencies: Pick<StageDependencies, Stateful>,
): Promise<void> {
  const { ports, crash } = memoryRuntime(run)
  const consumers: Consumer[] = []
  for (const name of names) consumers.push(await startStage(name, dependencies, ports))
  await untilIdle(run.log, names, crash)
  await Promise.all(consumers.map((consumer) => consumer.stop()))
}

/** Until some stages have committed every record of their inputs. */
export async function untilIdle(log: MemoryLog, names: readonly PipelineStage[], crash: () => void): Promise<void> {
  while (names.some((name) => isBehind(log, name))) {
    crash()
    await setImmediate()
  }
}

const isBehind = (log: MemoryLog, name: PipelineStage): boolean =>
  pipeline.stages[name].reads.some((topic) => {
    const last = log.partition(topic, 0).records.at(-1)
    return last !== undefined && (log.commitOf(name, topic, 0)?.offset ?? 0) <= last.offset
  })
