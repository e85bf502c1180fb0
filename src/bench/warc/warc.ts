import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { thisCli, type Cli } from '../../wiring/up/service.ts'
import type { BenchPart, BenchResult, BenchSetting } from '../part.ts'
import { processTree, sumOf } from '../processes.ts'
import { generatedPage, writtenPage, writtenRecord, writtenRequest } from './archive-records.ts'

export const warc: BenchPart = {
  about: 'dry run of `import warc` on an archive of generated pages, one per --articles: one worker, then one per CPU',
  alone: measure,
}

const DAY = '2026-05-03'

async function measure({ wiring, requested, articles }: BenchSetting): Promise<BenchResult> {
  await wiring.close() // no model competes for the cores
  const folder = await mkdtemp(join(tmpdir(), 'story-bench-'))
  try {
    const file = join(folder, 'generated.warc.gz')
    await pipeline(Readable.from(archiveOf(articles, requested)), createWriteStream(file))
    const { size } = await stat(file)
    const cli = thisCli({ ...wiring.environment, STORY_HOME: folder })
    const one = await importFigure(cli, file, { pages: requested, workers: 1 })
    const all = await importFigure(cli, file, { pages: requested, workers: availableParallelism() })
    const ratio = all.pages_per_second / one.pages_per_second
    return {
      figures: { pages: requested, archive_bytes: size, one_worker: one, all_workers: all, ratio },
      lines: [
        `  ${requested} pages, ${(size / 1e6).toFixed(1)} MB compressed`,
        ...[one, all].map(lineOf),
        `  ${ratio.toFixed(2)} times the speed of one worker`,
      ],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Each page with its request, as in CC-NEWS. Articles that are used again have another number in their text. */
function* archiveOf(articles: BenchSetting['articles'], pages: number): Generator<Buffer> {
  const crawledAt = `${DAY}T12:00:00Z`
  yield gzipSync(writtenRecord({ type: 'warcinfo', headers: { 'WARC-Date': crawledAt }, block: 'software: generated' }))
  for (let number = 0; number < pages; number++) {
    const { title, text } = articles[number % articles.length] ?? { title: null, text: '' }
    const url = `https://news${number % 50}.example/${DAY}/report-${number}`
    const page = { number, title: `${title ?? 'A report'}, part ${number}`, text, publishedAt: `${DAY}T08:00:00Z` }
    yield gzipSync(writtenRequest(url, crawledAt))
    yield gzipSync(writtenPage({ url, crawledAt, body: generatedPage(page) }))
  }
}

const Report = z.object({ accepted: z.number(), records: z.number(), seconds: z.number() })

const POLL_MS = 50

/** Runs the import as a process of its own, to measure its memory. */
async function importFigure(cli: Cli, file: string, { pages, workers }: { pages: number; workers: number }) {
  const args = [...cli.args, 'import', 'warc', file, '--dry-run', '--json', '--workers', String(workers)]
  const running = promisify(execFile)(cli.command, args, { env: cli.environment })
  let peak = 0
  const poll = setInterval(() => {
    peak = Math.max(peak, sumOf(processTree(running.child.pid ?? -1), 'peakBytes'))
  }, POLL_MS)
  try {
    const { accepted, records, seconds } = Report.parse(JSON.parse((await running).stdout))
    return { workers, accepted, records, seconds, pages_per_second: pages / seconds, peak_bytes: peak }
  } finally {
    clearInterval(poll)
  }
}

const lineOf = ({
  workers,
  pages_per_second,
  peak_bytes,
  accepted,
}: Awaited<ReturnType<typeof importFigure>>): string =>
  `  ${String(workers).padStart(3)} workers ${pages_per_second.toFixed(1).padStart(8)} pages/s, ${accepted} articles, peak ${(peak_bytes / 1e6).toFixed(0)} MB`
