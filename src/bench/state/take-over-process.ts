import { pino } from 'pino'
import { systemClock } from '../../adapters/clock.ts'
import { KafkaLog } from '../../adapters/kafka/kafka-log.ts'
import { lmdbCheckpoints } from '../../adapters/lmdb/lmdb-checkpoints.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { loadConfig } from '../../config/config.ts'
import { createLifecycle } from '../../runtime/lifecycle.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { runMemoryStage } from '../../runtime/run-memory-stage.ts'
import { defaultLimits, type RuntimePorts } from '../../runtime/running.ts'
import { clustered } from '../../stages/clustered/stage.ts'
import { clusteredParts } from '../../wiring/stages.ts'

/**
 * The role `clustered` without models and commands, as a process whose start is measured. Argument: its environment as
 * JSON; `STORY_HOME` is its data folder.
 */
const config = loadConfig(JSON.parse(process.argv[2] ?? '{}') as NodeJS.ProcessEnv)
const logger = pino({ level: config.logLevel }, pino.destination(2))
const log = new KafkaLog({ ...config.kafka, clientId: 'story' })
const lifecycle = createLifecycle({
  ...{ logger, clock: systemClock, graceMs: 30_000 },
  exit: (code) => process.exit(code),
})
const running: RuntimePorts = {
  ...{ log, codec: new PlainCodec(), clock: systemClock, logger, metrics: createMetrics(), limits: defaultLimits },
  checkpoints: config.stateFolder === null ? null : lmdbCheckpoints(config.stateFolder),
  onCrash: (cause) => lifecycle.onCrash(cause),
}
process.on('SIGTERM', () => lifecycle.onSignal('SIGTERM'))
lifecycle.opened('log', () => log.close())
const consumer = await runMemoryStage(clustered(clusteredParts({ config })), running)
lifecycle.opened('clustered', () => consumer.stop())
