import type { Command } from 'commander'
import { importArticles, tryArticles } from '../sources/import-articles.ts'
import { noCheckpoint } from '../sources/import-state.ts'
import { startImport } from '../sources/settle-stories.ts'
import { SourceTally } from '../sources/tally.ts'
import { textFiles, textRecords } from '../sources/text-files.ts'
import { checkedOptions, importPorts, type ImportOptions, withImportOptions } from './import-options.ts'
import { checkOutcome, outcomeOf, printTally, reportOf } from './import-report.ts'
import type { Wiring } from '../ports/wiring.ts'

interface ImportTextOptions extends ImportOptions {
  readonly source?: string
}

export const importTextCommand = (group: Command, wiring: Wiring): void => {
  const command = group
    .command('txt')
    .argument('<paths...>', 'text files, or folders with .txt files')
    .description('import articles from text files in UTF-8, one article per file')
    .option('--source <name>', 'outlet of all articles')
    .addHelpText(
      'after',
      '\nThe first line is the title if an empty line follows it. Articles have no URL and no date: their id is that of\n' +
        'their text, and their time is that of the import.',
    )
  withImportOptions(command, 'articles').action((paths: string[], options: ImportTextOptions) =>
    run(wiring, options, paths),
  )
}

async function run(wiring: Wiring, options: ImportTextOptions, paths: readonly string[]): Promise<void> {
  const startedAt = wiring.clock.now()
  const { namespace, rate } = checkedOptions(options)
  const files = await textFiles(paths)
  const tally = new SourceTally()
  const source = {
    ...{ namespace, rate, producer: 'import-txt', file: null, checkpoint: noCheckpoint },
    records: textRecords(files, options.source ?? null),
  }
  if (options.dryRun) await tryArticles(source, tally)
  else await publish(wiring, { source, files: files.length, wait: options.wait === true, tally })
  const seconds = (wiring.clock.now() - startedAt) / 1000
  if (options.json) wiring.out.json(reportOf(tally, seconds))
  else printTally(wiring, tally, { seconds, unit: 'item' })
  checkOutcome({ ...outcomeOf(tally), strict: options.strict === true, emptyIsFailure: true })
}

interface TextPublishing {
  readonly source: Parameters<typeof importArticles>[0]
  readonly files: number
  readonly wait: boolean
  readonly tally: SourceTally
}

async function publish(wiring: Wiring, { source, files, wait, tally }: TextPublishing): Promise<void> {
  const ports = importPorts(wiring)
  const { log, codec, end } = await startImport(ports, { namespace: source.namespace, wait })
  const { clock, progress } = ports
  const onUnavailable = (): void => progress.print('Kafka is not reachable, retrying')
  const onProgress = (): void => progress.update(() => `${tally.accepted} of ${files} files accepted`)
  await importArticles(source, { log, codec, clock, onUnavailable, onProgress }, tally)
  await end(tally)
}
