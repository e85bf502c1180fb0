import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KafkaLog } from '../../adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../adapters/registry/codec.ts'
import {
  benchKilled,
  benchNeighbours,
  type Delays,
  type KilledFigure,
  type NeighbourFigure,
} from '../webhooks/webhooks-bench.ts'
import { anyFreePort } from '../../engines/free-port.ts'
import { startEngines } from '../../engines/start-engines.ts'
import { prepare } from '../../wiring/up/steps.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'

const PER_SECOND = 10
const ROUNDS = { rounds: 7, seconds: 10 } as const
const KILLS = { kills: 8, everySeconds: 10 } as const

export const webhooks: BenchPart = {
  says: `deliveries to a healthy webhook endpoint, alone and with failing ones; receivers that fail 3 in 10, with a dispatcher killed every ${KILLS.everySeconds} s`,
  alone: measure,
}

/** Enough of them, and soon, that nothing is given up while we look on. */
const RETRY_SECONDS = ['0', ...Array.from({ length: 19 }, () => '1')].join(',')

async function measure({ wiring }: BenchSetting): Promise<BenchResult> {
  await wiring.close() // no model takes the cores of what is measured
  const home = await mkdtemp(join(tmpdir(), 'story-bench-'))
  const ports = { kafka: await anyFreePort(), registry: await anyFreePort(), clickhouse: await anyFreePort() }
  const onProgress = (line: string): void => wiring.out.progress(line)
  const engines = await startEngines({ home, cache: wiring.config.cache, ports, onProgress })
  const log = new KafkaLog({ brokers: engines.brokers, clientId: 'bench' })
  try {
    await prepare(engines, wiring.config)
    const codec = new RegistryCodec({ url: engines.registryUrl })
    const secretsKey = randomUUID()
    const environment = {
      ...{ KAFKA_BROKERS: engines.brokers.join(','), REGISTRY_URL: engines.registryUrl, SECRETS_KEY: secretsKey },
      ...{ WEBHOOKS_ALLOW_LOOPBACK: '1', LOG_LEVEL: 'error', STORY_HOME: home },
    }
    const setting = { environment, perSecond: PER_SECOND }
    const hurried = { ...setting, environment: { ...environment, WEBHOOKS_RETRY_SECONDS: RETRY_SECONDS } }
    const worldOf = (namespace: string) => ({ log, codec, secretsKey, namespace })
    onProgress('alone and beside bad neighbours ...')
    const neighbours = await benchNeighbours({ ...setting, world: worldOf('bench-neighbours') }, ROUNDS)
    onProgress(`${KILLS.kills} kills ...`)
    const killed = await benchKilled({ ...hurried, world: worldOf('bench-killed') }, KILLS)
    return { figures: { neighbours, killed }, lines: [...neighbourLines(neighbours), ...killedLines(killed)] }
  } finally {
    await log.close()
    await engines.stop()
    await rm(home, { recursive: true, force: true })
  }
}

const neighbourLines = ({ alone, beside, ratio }: NeighbourFigure): readonly string[] => [
  '  healthy endpoint              p50        p95',
  delayLine('alone', alone),
  delayLine('beside bad ones', beside),
  `    ratio of the p95   ${ratio.toFixed(2)}`,
]

const delayLine = (what: string, { deliveries, p50_ms, p95_ms }: Delays): string =>
  `    ${what.padEnd(18)} ${p50_ms.toFixed(0).padStart(7)} ms ${p95_ms.toFixed(0).padStart(7)} ms   (${deliveries} deliveries)`

const killedLines = (f: KilledFigure): readonly string[] => [
  `  dispatcher killed ${f.kills} times, receivers fail 3 in 10`,
  `    deliveries         ${f.deliveries} of ${f.changes} changes; never taken: ${f.missing}; recorded as delivered: ${f.recorded}`,
  `    requests           ${f.requests}, of them repeats of what was taken: ${f.repeats}; under a wrong id: ${f.wrong_ids}`,
  `    all delivered      ${f.seconds_after.toFixed(1)} s after the last change`,
]
