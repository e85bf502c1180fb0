import type { Command } from 'commander'
import { knownColumns, parseColumnMap } from '../sources/columns.ts'
import { type FilesImport, importFiles, tryFiles } from '../sources/import-files.ts'
import { checkedOptions, importPorts, type ImportOptions, withImportOptions } from './import-options.ts'
import { importPostsCommand } from './import-posts.ts'
import { checkHeaders, checkOutcome, outcomeOf, reportOf, printTally } from './import-report.ts'
import { importRssCommand } from './import-rss.ts'
import { importSampleCommand } from './import-sample.ts'
import { importTextCommand } from './import-text.ts'
import { importWarcCommand } from './import-warc.ts'
import type { Wiring } from '../ports/wiring.ts'

export const importCommand = (program: Command, wiring: Wiring): void => {
  const group = program.command('import').description('publish articles or posts to the log')
  for (const format of ['jsonl', 'csv'] as const) {
    const command = group
      .command(format)
      .argument('<files...>', 'files to import')
      .description(`import articles from ${format.toUpperCase()} files (also .gz; - reads standard input)`)
      .addHelpText('after', FIELDS_HELP[format])
    if (format === 'csv')
      command.option(
        '--separator <char>',
        'column separator: one character, or tab (default: detected from the header)',
      )
    withImportOptions(command, 'articles')
      .option('--map <column=field>', 'map columns to fields: --map body=text,headline=title', collected)
      .option('--restart', 'start from the beginning instead of resuming an interrupted import')
      .action((files: string[], options: ImportOptions) => run(wiring, options, { files, format }))
  }
  importRssCommand(group, wiring)
  importTextCommand(group, wiring)
  importWarcCommand(group, wiring)
  importPostsCommand(group, wiring)
  importSampleCommand(group, wiring)
}

const REQUIRED_HELP = `
Fields: url, title, source, author, published_date, text. Only text is required (100 to 200,000 characters);
published_date is ISO 8601 (2026-11-20, 2026-11-20T08:30:00Z). Other fields are ignored.
`

const FIELDS_HELP = {
  jsonl: `${REQUIRED_HELP}Each line is a JSON object with these keys. Use --map for other keys.\n`,
  csv: `${REQUIRED_HELP}The first line names the columns. Also recognised: ${knownColumns()}.\nUse --map for other columns.\n`,
} as const

/** Collects a repeatable option. A variadic option would also consume the files. */
const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Parses a separator; `tab` and `\t` are accepted. */
function separatorFrom(text: string | undefined): string | null {
  if (text === undefined) return null
  const separator = /^(tab|\\t)$/i.test(text) ? '\t' : text
  if (separator.length !== 1 || /["\r\n]/.test(separator))
    throw new Error(`--separator ${text}: expected one character, or tab`)
  return separator
}

type ImportSource = Pick<FilesImport, 'files' | 'format'>

async function run(wiring: Wiring, options: ImportOptions, source: ImportSource): Promise<void> {
  const what: FilesImport = {
    ...source,
    ...checkedOptions(options),
    restart: options.restart === true,
    wait: options.wait === true,
    map: parseColumnMap(options.map ?? []),
    separator: separatorFrom(options.separator),
  }
  const startedAt = wiring.clock.now()
  const ports = importPorts(wiring)
  const tally = options.dryRun ? await tryFiles(what, ports) : await importFiles(what, ports)
  const seconds = (wiring.clock.now() - startedAt) / 1000
  if (options.json) wiring.out.json(reportOf(tally, seconds))
  else printTally(wiring, tally, { seconds, unit: 'line' })
  checkHeaders(tally)
  checkOutcome({ ...outcomeOf(tally), strict: options.strict === true, emptyIsFailure: true })
}
