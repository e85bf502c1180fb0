import type { Command } from 'commander'
import { guardedGet } from '../adapters/guarded-get.ts'
import { MAX_FEED_BYTES } from '../sources/feeds/read-feeds.ts'
import { fileFeedState } from '../sources/import-state.ts'
import { type FeedsPorts, type FeedsReport, importFeeds, tryFeeds } from '../sources/import-feeds.ts'
import { SourceTally } from '../sources/tally.ts'
import { checkedOptions, importPorts, type ImportOptions, printRefusals, withImportOptions } from './import-options.ts'
import { checkOutcome, counted, outcomeOf, reportOf, printTally } from './import-report.ts'
import type { Wiring } from '../ports/wiring.ts'

export const importRssCommand = (group: Command, wiring: Wiring): void => {
  const command = group
    .command('rss')
    .argument('<sources...>', 'URLs or files')
    .description(
      'import articles from RSS, Atom and JSON feeds once: URLs or files of feeds or OPML lists; `story feeds add` watches them',
    )
  withImportOptions(command, 'articles').action((sources: string[], options: ImportOptions) =>
    run(wiring, options, sources),
  )
}

/** A response that takes longer or is larger is not a working feed. */
const LIMITS = { timeoutMs: 30_000, maxBytes: MAX_FEED_BYTES }

async function run(wiring: Wiring, options: ImportOptions, sources: readonly string[]): Promise<void> {
  const what = { ...checkedOptions(options), sources, wait: options.wait === true }
  const startedAt = wiring.clock.now()
  const ports: FeedsPorts = {
    ...importPorts(wiring),
    get: guardedGet({ allowPrivate: wiring.config.feeds.allowPrivateAddresses, ...LIMITS }),
    state: fileFeedState(wiring.config.home, what.namespace),
  }
  const tally = new SourceTally()
  const report = options.dryRun ? await tryFeeds(what, ports, tally) : await importFeeds(what, ports, tally)
  const seconds = (wiring.clock.now() - startedAt) / 1000
  if (options.json) wiring.out.json({ ...reportOf(tally, seconds), ...report })
  else print(wiring, { tally, seconds, report })
  if (report.failed.length === report.feeds) throw new Error('no feed could be read')
  const strict = options.strict === true
  checkOutcome({ ...outcomeOf(tally), strict, emptyIsFailure: false })
  if (strict && report.failed.length > 0) throw new Error(`${counted(report.failed.length, 'feed')} failed (--strict)`)
}

interface FeedReport {
  readonly tally: SourceTally
  readonly seconds: number
  readonly report: FeedsReport
}

function print(wiring: Wiring, { tally, seconds, report }: FeedReport): void {
  const { feeds, unchanged, failed } = report
  printRefusals(
    wiring,
    failed.map(({ feed, error }) => `${feed}: ${error}`),
  )
  printTally(wiring, tally, { seconds, unit: 'item' })
  const read = feeds - unchanged - failed.length
  wiring.out.line(`${counted(feeds, 'feed')}: ${read} read, ${unchanged} unchanged, ${failed.length} failed`)
}
