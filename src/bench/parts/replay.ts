import type { OwnService } from '../own-service.ts'
import { benchReplay, type ReplayFigure } from '../replay-bench.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'

export const replay: BenchPart = {
  says: 'rebuild of all views beside the running service, compared with the import',
  inService: measure,
}

async function measure({ articles }: BenchSetting, service: OwnService): Promise<BenchResult> {
  const figure = await benchReplay(service, articles)
  return { figures: figure, lines: table(figure) }
}

const table = (figure: ReplayFigure): readonly string[] => [
  `  live, models and all  ${figure.live_events_a_second.toFixed(0).padStart(8)} events a second (${figure.events} of ${figure.articles} articles in ${figure.live_seconds.toFixed(1)} s)`,
  `  rebuild               ${figure.rebuild_events_a_second.toFixed(0).padStart(8)} events a second (${figure.events} in ${figure.rebuild_seconds.toFixed(1)} s)`,
  `  so many times faster  ${figure.speedup.toFixed(1).padStart(8)}`,
  `  hashes                ${figure.same ? 'the same' : 'DIFFERENT'}`,
]
