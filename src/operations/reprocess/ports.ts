import { besideTopics } from '../../adapters/kafka/admin.ts'
import type { StageDependencies } from '../../pipeline.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { defaultLimits } from '../../runtime/running.ts'
import { progressOn } from '../../sources/progress.ts'
import type { Wiring } from '../../ports/wiring.ts'
import type { RunBesidePorts } from './run-beside.ts'

/** The real ports, for as long as the work takes. */
export async function withPorts(
  wiring: Wiring,
  dependencies: StageDependencies,
  work: (ports: RunBesidePorts) => Promise<void>,
): Promise<void> {
  const { clock, logger, config, out } = wiring
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
      progress: progressOn({ live: process.stderr.isTTY, say: (text) => out.progress(text) }, clock),
    })
  } finally {
    await topics.close()
  }
}
