import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { MOMENTS, parseMoment } from '../domain/intake/articles.ts'
import { parsedUrl } from '../events/canonical-url.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { ArchiveFilter } from '../sources/warc/archive-filter.ts'
import { failuresIn } from '../sources/warc/archive-reason.ts'
import type { ArchiveTally } from '../sources/warc/archive-tally.ts'
import type { ArchivesImport, ArchivesPorts } from '../sources/warc/import-archives.ts'
import { checkedOptions, importPorts, type ImportOptions, printRefusals, withImportOptions } from './import-options.ts'
import { counted } from './import-report.ts'

interface WarcOptions extends ImportOptions {
  readonly workers?: string
  readonly since?: string
  readonly until?: string
  readonly domain?: readonly string[]
}

export const importWarcCommand = (group: Command, wiring: Wiring): void => {
  const command = group
    .command('warc')
    .argument('<files...>', 'WARC files (also .gz; - reads standard input)')
    .description('import the articles of web archives, such as CC-NEWS')
    .addHelpText('after', HELP)
  withImportOptions(command, 'articles')
    .option('--restart', 'start from the beginning instead of resuming an interrupted import')
    .option('--workers <n>', 'number of threads that extract articles (default: one per CPU)')
    .option(
      '--since <time>',
      'only articles published at this ISO 8601 time or later; without a date, the crawl counts',
    )
    .option('--until <time>', 'only articles published before this time')
    .option('--domain <domain>', 'only pages of this domain and its subdomains; repeatable', collected)
    .action((files: string[], options: WarcOptions) => run(wiring, options, files))
}

const HELP = `
Example:
  $ story import warc CC-NEWS-20260503.warc.gz --since 2026-05-01 --domain news.example --domain times.example

Every HTML page with status 200 is a candidate. Records that become no article are counted by reason; in --json as
skipped: {reason: count}. --strict exits with 1 if a record could not be read (malformed_record, extraction_failed,
extraction_timeout). A damaged file is imported up to its damage; the others go on, and the exit code is 1.
`

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

async function run(wiring: Wiring, options: WarcOptions, files: readonly string[]): Promise<void> {
  const what: ArchivesImport = {
    ...checkedOptions(options),
    files: [...new Set(files)],
    restart: options.restart === true,
    wait: options.wait === true,
    filter: filterOf(options),
  }
  const startedAt = wiring.clock.now()
  const tally = await imported(wiring, what, options)
  const seconds = (wiring.clock.now() - startedAt) / 1000
  if (options.json) wiring.out.json(archiveReport(tally, seconds))
  else print(wiring, tally, seconds)
  checkArchives(tally, options.strict === true)
}

/** The extraction is loaded here, on first use: the help does not need it. */
async function imported(wiring: Wiring, what: ArchivesImport, options: WarcOptions): Promise<ArchiveTally> {
  const { pageWorkers } = await import('../adapters/page-workers.ts')
  const { importArchives, tryArchives } = await import('../sources/warc/import-archives.ts')
  const extractor = pageWorkers({ workers: workersOf(options.workers) })
  const ports: ArchivesPorts = { ...importPorts(wiring), extractor }
  try {
    return options.dryRun ? await tryArchives(what, ports) : await importArchives(what, ports)
  } finally {
    await extractor.close()
  }
}

function workersOf(text: string | undefined): number {
  const workers = text === undefined ? availableParallelism() : Number(text)
  if (!Number.isInteger(workers) || workers < 1)
    throw new Error(`--workers ${text ?? ''}: expected a whole number, 1 or more`)
  return workers
}

function filterOf({ since, until, domain = [] }: WarcOptions): ArchiveFilter {
  const filter = { since: timeOf('--since', since), until: timeOf('--until', until), domains: domain.map(domainOf) }
  if (filter.since !== null && filter.until !== null && filter.since >= filter.until)
    throw new Error('--since has to be before --until')
  return filter
}

function timeOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const ms = parseMoment(text)
  if (ms === null)
    throw new Error(`${option} ${text}: expected an ISO 8601 date or time (2026-11-20) within ${MOMENTS}`)
  return ms
}

/** As addresses have it: in lower case, other letters in Punycode. */
function domainOf(text: string): string {
  const url = parsedUrl(`https://${text.replace(/^\*?\./, '')}`)
  if (url?.href !== `https://${url?.hostname ?? ''}/`)
    throw new Error(`--domain ${text}: expected a domain, such as news.example`)
  return url.hostname
}

const archiveReport = (tally: ArchiveTally, seconds: number) => ({
  records: tally.records,
  accepted: tally.accepted,
  articles: tally.articles,
  new: tally.added,
  revisions: tally.revisions,
  repeats: tally.repeats,
  skipped: Object.fromEntries(tally.skipped),
  refused_later: tally.refusedLater,
  failed: tally.failed,
  seconds,
})

function print(wiring: Wiring, tally: ArchiveTally, seconds: number): void {
  const later = tally.refusedLater.map(({ article_id, reason }) => `${article_id}: ${reason} (refused by a stage)`)
  printRefusals(wiring, [...tally.failed.map(({ file, error }) => `${file}: ${error}`), ...later])
  const { records, accepted, added, revisions, repeats, skipped } = tally
  const known =
    added === null ? '' : ` (${added} new, ${counted(revisions, 'revision')}, ${counted(repeats, 'repeat')})`
  const rate = Math.round(records / Math.max(seconds, 0.001))
  wiring.out.line(`${counted(records, 'record')}: ${accepted} accepted${known}, ${seconds.toFixed(1)} s, ${rate}/s`)
  for (const [reason, count] of skipped) wiring.out.line(`  ${String(count).padStart(9)} ${reason}`)
}

/** Determines the exit code: throws an error if it is 1. */
function checkArchives({ failed, accepted, records, skipped }: ArchiveTally, strict: boolean): void {
  if (failed.length > 0) throw new Error(`${counted(failed.length, 'file')} damaged: imported up to the damage`)
  if (records === 0) throw new Error('nothing was accepted: no records found')
  if (accepted === 0) throw new Error(`nothing was accepted of ${counted(records, 'record')}`)
  const failures = failuresIn(skipped)
  if (strict && failures > 0) throw new Error(`${counted(failures, 'record')} could not be read (--strict)`)
}
