import type { ArticleIngested } from '../events/articles.ts'
import { costHistory, historyTable, measuredCommit, recordCost, type Cost } from './cost-history.ts'
import { encoderLimit } from './encoder-limit.ts'
import { asLine, importableFile, importFile, withWiringOf, type OwnService } from './own-service.ts'
import type { BenchPart, BenchResult, BenchSetting } from './part.ts'
import { processTree, usesByRole } from './processes.ts'
import { bytesPerArticle, bytesTable, totalBytes } from './stored-bytes.ts'
import { piecesAnArticle } from './word-pieces.ts'

export const whole: BenchPart = {
  about:
    'the whole service: articles per second, CPU compared with the encoder alone, memory by process, bytes by topic and table',
  inService: measure,
}

async function measure(setting: BenchSetting, service: OwnService): Promise<BenchResult> {
  const commit = setting.record ? await measuredCommit() : null
  const word_pieces_per_article = await piecesAnArticle(setting)
  const figure = await benchWhole(service, setting.articles)
  const bytes = await withWiringOf(service, async (wiring) =>
    bytesPerArticle({ home: service.home, store: await wiring.store() }, figure.accepted),
  )
  const encoder_limit_ms = await encoderLimit(setting, word_pieces_per_article)
  const figures = {
    word_pieces_per_article,
    ...figure,
    /** CPU milliseconds of the published encoder alone for the word pieces of an article, in full batches. */
    encoder_limit_ms,
    /** How many times as much the whole service takes. */
    encoder_limit_ratio: figure.cpu_ms_per_article / encoder_limit_ms,
    ...bytes,
  }
  if (commit !== null) await recordCost(costOf(figures), { commit, now: setting.wiring.clock.now() })
  const history = await costHistory()
  return { figures: { ...figures, history }, lines: [...table(figures), ...historyTable(history)] }
}

/** Imports articles into a running service and waits until all are readable. Reports CPU and memory of each process. */
export async function benchWhole(service: OwnService, articles: readonly ArticleIngested[]) {
  const file = await importableFile(service.home, articles.map(asLine))
  const before = processTree(service.pid)
  const { accepted, seconds } = await importFile(service, file, '--wait')
  const processes = usesByRole(before, processTree(service.pid)).map((use) => ({
    role: use.role,
    processes: use.processes,
    cpu_ms_per_article: use.cpuMs / accepted,
    peak_bytes: use.peakBytes,
  }))
  return {
    accepted,
    seconds_until_ready: service.secondsUntilReady,
    seconds,
    articles_per_s: accepted / seconds,
    /** Of all processes, engines included. */
    cpu_ms_per_article: processes.reduce((sum, { cpu_ms_per_article: ms }) => sum + ms, 0),
    processes: processes.sort((a, b) => (a.role < b.role ? -1 : 1)),
    peak_bytes: processes.reduce((sum, { peak_bytes }) => sum + peak_bytes, 0),
  }
}

const MB = 1024 * 1024

type WholeFigures = Awaited<ReturnType<typeof benchWhole>> &
  Awaited<ReturnType<typeof bytesPerArticle>> & {
    readonly word_pieces_per_article: number
    readonly encoder_limit_ms: number
    readonly encoder_limit_ratio: number
  }

const costOf = (figures: WholeFigures): Cost => ({
  articles: figures.accepted,
  word_pieces_per_article: figures.word_pieces_per_article,
  articles_per_s: figures.articles_per_s,
  cpu_ms_per_article: figures.cpu_ms_per_article,
  encoder_limit_ratio: figures.encoder_limit_ratio,
  log_bytes_per_article: totalBytes(figures.topics),
  store_bytes_per_article: totalBytes(figures.tables),
  peak_bytes: figures.peak_bytes,
})

const table = (f: WholeFigures): readonly string[] => [
  `  ready after          ${f.seconds_until_ready.toFixed(1)} s`,
  `  articles a second    ${f.articles_per_s.toFixed(1)}   (${f.accepted} in ${f.seconds.toFixed(1)} s, until readable)`,
  `  word pieces a second ${(f.articles_per_s * f.word_pieces_per_article).toFixed(0)}`,
  `  CPU ms an article    ${f.cpu_ms_per_article.toFixed(1)}, ${f.encoder_limit_ratio.toFixed(2)} times the encoder alone (${f.encoder_limit_ms.toFixed(1)})`,
  '  process          CPU ms an article   peak memory MB',
  ...f.processes.map(
    (p) =>
      `  ${`${p.role} x${p.processes}`.padEnd(16)} ${p.cpu_ms_per_article.toFixed(1).padStart(12)} ${(p.peak_bytes / MB).toFixed(0).padStart(16)}`,
  ),
  `  ${'all'.padEnd(16)} ${f.cpu_ms_per_article.toFixed(1).padStart(12)} ${(f.peak_bytes / MB).toFixed(0).padStart(16)}`,
  ...bytesTable('topics', f.topics),
  ...bytesTable('tables', f.tables),
]
