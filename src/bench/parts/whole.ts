import type { OwnService } from '../own-service.ts'
import { benchWhole, type WholeFigure } from '../whole-bench.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'
import { piecesAnArticle } from './stages.ts'

export const whole: BenchPart = {
  says: 'the whole service: articles and word pieces per second, CPU and peak memory of each process',
  inService: measure,
}

async function measure(setting: BenchSetting, service: OwnService): Promise<BenchResult> {
  const pieces = await piecesAnArticle(setting)
  const figure = await benchWhole(service, setting.articles)
  return { figures: { word_pieces_an_article: pieces, ...figure }, lines: table(pieces, figure) }
}

const MB = 1024 * 1024

const table = (pieces: number, whole: WholeFigure): readonly string[] => [
  `  ready after          ${whole.seconds_until_ready.toFixed(1)} s`,
  `  articles a second    ${whole.articles_a_second.toFixed(1)}   (${whole.accepted} in ${whole.seconds.toFixed(1)} s, until readable)`,
  `  word pieces a second ${(whole.articles_a_second * pieces).toFixed(0)}`,
  '  process          CPU ms an article   peak memory MB',
  ...whole.processes.map(
    (p) =>
      `  ${`${p.role} x${p.processes}`.padEnd(16)} ${p.cpu_ms_an_article.toFixed(1).padStart(12)} ${(p.peak_bytes / MB).toFixed(0).padStart(16)}`,
  ),
  `  ${'all'.padEnd(29)} ${(whole.peak_bytes / MB).toFixed(0).padStart(16)}`,
]
