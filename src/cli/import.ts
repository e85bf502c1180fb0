import type { Command } from 'commander'
import { type FilesImport, importFiles, tryFiles } from '../sources/import-files.ts'
import { checkedOptions, importPorts, type ImportOptions, withImportOptions } from './import-options.ts'
import { importPostsCommand } from './import-posts.ts'
import { reportOf, sayTally } from './import-report.ts'
import { importRssCommand } from './import-rss.ts'
import type { Wiring } from './wiring.ts'

export const importCommand = (program: Command, wiring: Wiring): void => {
  const group = program.command('import').description('publish articles or posts to the log')
  for (const format of ['jsonl', 'csv'] as const) {
    const command = group
      .command(`${format} <files...>`)
      .description(`articles from ${format.toUpperCase()} files (.gz too; - is standard input)`)
    withImportOptions(command, 'articles')
      .option('--restart', 'begin at the beginning, even where an import was killed')
      .action(async (files: string[], options: ImportOptions) => await run(wiring, options, { files, format }))
  }
  importRssCommand(group, wiring)
  importPostsCommand(group, wiring)
}

type Source = Pick<FilesImport, 'files' | 'format'>

async function run(wiring: Wiring, options: ImportOptions, source: Source): Promise<void> {
  const what: FilesImport = {
    ...source,
    ...checkedOptions(options),
    restart: options.restart === true,
    wait: options.wait === true,
  }
  const startedAt = wiring.clock.now()
  const ports = importPorts(wiring)
  const tally = options.dryRun ? await tryFiles(what, ports) : await importFiles(what, ports)
  const seconds = (wiring.clock.now() - startedAt) / 1000
  if (options.json) wiring.out.json(reportOf(tally, seconds))
  else sayTally(wiring, tally, seconds)
}
