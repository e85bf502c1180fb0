import { pino } from 'pino'
import { systemClock } from '../../adapters/clock.ts'
import { KafkaLog } from '../../adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../adapters/registry/codec.ts'
import { deliveredParts } from '../../wiring/delivery.ts'
import { loadConfig } from '../../config/config.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { runEffect } from '../../runtime/run-effect.ts'
import { runStage } from '../../runtime/run-stage.ts'
import { defaultLimits } from '../../runtime/running.ts'
import { dispatching } from '../../stages/delivered/effect.ts'
import { delivered } from '../../stages/delivered/stage.ts'

/** The role `delivered` without models and commands, as a process to be killed. Argument: its environment as JSON. */
const config = loadConfig(JSON.parse(process.argv[2] ?? '{}') as NodeJS.ProcessEnv)
const logger = pino({ level: config.logLevel }, pino.destination(2))
const log = new KafkaLog({ ...config.kafka, clientId: 'story' })
const codec = new RegistryCodec(config.registry)
const running = {
  ...{ log, codec, clock: systemClock, logger, checkpoints: null, metrics: createMetrics(), limits: defaultLimits },
  onCrash: (cause: Error) => {
    logger.fatal({ err: cause }, 'cannot go on')
    process.exit(1)
  },
}
const parts = deliveredParts({
  ...{ config, clock: systemClock, logger },
  log: () => Promise.resolve(log),
  codec: () => Promise.resolve(codec),
})
await Promise.all([
  runStage(delivered(await parts.delivered()), running),
  runEffect(dispatching(await parts.dispatching()), running),
])
