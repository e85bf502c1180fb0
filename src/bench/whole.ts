import { asLine, importableFile, importFile, type OwnService } from './own-service.ts'
import type { ArticleIngested } from '../events/articles.ts'
import type { BenchPart, BenchResult, BenchSetting } from './part.ts'
import { processTree, usesByRole } from './processes.ts'
import { piecesAnArticle } from './word-pieces.ts'

export const whole: BenchPart = {
  about: 'the whole service: articles and word pieces per second, CPU and peak memory of each process',
  inService: measure,
}

async function measure(setting: BenchSetting, service: OwnService): Promise<BenchResult> {
  const pieces = await piecesAnArticle(setting)
  const figure = await benchWhole(service, setting.articles)
  return { figures: { word_pieces_an_article: pieces, ...figure }, lines: table(pieces, figure) }
}

/** Imports articles into a running service and waits until all are readable. Reports CPU and memory of each process. */
export async function benchWhole(service: OwnService, articles: readonly ArticleIngested[]) {
  const file = await importableFile(service.home, articles.map(asLine))
  const before = processTree(service.pid)
  const { accepted, seconds } = await importFile(service, file, '--wait')
  const processes = usesByRole(before, processTree(service.pid)).map((use) => ({
    role: use.role,
    processes: use.processes,
    cpu_ms_an_article: use.cpuMs / accepted,
    peak_bytes: use.peakBytes,
  }))
  return {
    accepted,
    seconds_until_ready: service.secondsUntilReady,
    seconds,
    articles_a_second: accepted / seconds,
    processes: processes.sort((a, b) => (a.role < b.role ? -1 : 1)),
    peak_bytes: processes.reduce((sum, { peak_bytes }) => sum + peak_bytes, 0),
  }
}

const MB = 1024 * 1024

const table = (pieces: number, whole: Awaited<ReturnType<typeof benchWhole>>): readonly string[] => [
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
