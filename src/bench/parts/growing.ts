import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KafkaLog } from '../../adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../adapters/registry/codec.ts'
import { benchGrowing, type GrowingFigure } from '../growing/growing-bench.ts'
import { slowModel } from '../growing/slow-model.ts'
import { openEngines } from '../../config/kafka.ts'
import { anyFreePort } from '../../engines/free-port.ts'
import { startEngines } from '../../engines/start-engines.ts'
import { thisCli } from '../../wiring/up/service.ts'
import { prepare } from '../../wiring/up/steps.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'

export const growing: BenchPart = {
  says: 'articles per second with 1, 2 and 4 processes of every stage, twelve namespaces and a slow model',
  alone: measure,
}

async function measure({ wiring, articles }: BenchSetting): Promise<BenchResult> {
  await wiring.close() // no model takes the cores of what is measured
  const home = await mkdtemp(join(tmpdir(), 'story-bench-'))
  const ports = { kafka: await anyFreePort(), registry: await anyFreePort(), clickhouse: await anyFreePort() }
  const onProgress = (line: string): void => wiring.out.progress(line)
  const engines = await startEngines({ home, cache: wiring.config.cache, ports, onProgress })
  const log = new KafkaLog({ brokers: engines.brokers, clientId: 'bench' })
  const model = await slowModel()
  try {
    await prepare(engines, { topics: { partitions: 'production' } })
    const { command, args } = thisCli(wiring.environment)
    const environment = {
      ...wiring.environment,
      ...openEngines,
      ...{ STORY_HOME: home, KAFKA_BROKERS: engines.brokers.join(','), REGISTRY_URL: engines.registryUrl },
      ...{ TOPIC_PARTITIONS: 'production', LOG_LEVEL: 'error', METRICS_PORT: '' },
      ...{ ENCODER_ENDPOINT_URL: model.encoder, TAGGER_ENDPOINT_URL: model.tagger },
    }
    const codec = new RegistryCodec({ url: engines.registryUrl })
    const program = { command: [command, ...args] as const, environment }
    const figures = await benchGrowing({ log, codec, program, articles, onProgress })
    return { figures, lines: figures.map(line) }
  } finally {
    await model.close()
    await log.close()
    await engines.stop()
    await rm(home, { recursive: true, force: true })
  }
}

const line = (f: GrowingFigure): string =>
  `  ${f.processes} process(es)  ${f.articles_per_second.toFixed(1).padStart(6)} articles a second, ` +
  `${f.times_one.toFixed(2)} times one; ${f.cores.toFixed(2)} cores; scored twice: ${f.scored_twice}`
