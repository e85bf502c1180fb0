import { KafkaLog } from '../../adapters/kafka/kafka-log.ts'
import type { OwnService } from '../own-service.ts'
import { benchPoison, type PoisonFigure } from '../poison-bench.ts'
import { loadConfig } from '../../config/config.ts'
import { ms, type BenchResult, type BenchPart, type BenchSetting } from './part.ts'

export const poison: BenchPart = {
  says: 'the whole service with 1 % unreadable records, compared with none',
  inService: measure,
}

async function measure({ wiring, articles }: BenchSetting, service: OwnService): Promise<BenchResult> {
  const { brokers } = loadConfig(service.environment).kafka
  const log = new KafkaLog({ brokers, clientId: 'story-bench' })
  try {
    const figure = await benchPoison(service, { articles, log, onProgress: (line) => wiring.out.progress(line) })
    return { figures: figure, lines: table(figure) }
  } finally {
    await log.close()
  }
}

const table = ({ articles, poison, clean_ms, poisoned_ms, ratio }: PoisonFigure): readonly string[] => [
  `  ${articles} articles a round`,
  `  CPU ms a good article, clean            ${ms(clean_ms)}`,
  `  CPU ms a good article, ${String(poison).padStart(3)} poisonous    ${ms(poisoned_ms)}`,
  `  throughput with poison over without     ${ms(ratio)}`,
]
