import type { Command } from 'commander'
import type { Wiring } from '../ports/wiring.ts'
import { exportCommand, type ExportOptions, importCommand, verifyCommand } from '../operations/archive/commands.ts'
import type { CommandOptions } from '../operations/options.ts'

export const archiveCommand = (program: Command, wiring: Wiring): void => {
  const archive = program.command('archive').description('export the log to Avro files and import it again')
  archive
    .command('export')
    .description('export new records to an archive; an interrupted export resumes where it stopped')
    .argument('[dir-or-topics...]', 'archive folder (unless --to is given), followed by topics to limit the export to')
    .option('--all', 'export every topic, including dead letters and state (default if no topic is given)')
    .option('--to <dir>', 'archive folder')
    .option('--from <offset|time>', 'start of each partition: an offset, a date or an age (7d)')
    .option('--until <offset|time>', 'end of each partition: an offset, a date or an age (7d)')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'print how much would be exported, write nothing')
    .action((words: string[], options: ExportOptions) => exportCommand(wiring, words, options))
  archive
    .command('verify')
    .description('verify checksums, counts, offsets and schemas of an archive')
    .argument('<dir>', 'archive folder')
    .option('--json', 'print one JSON object')
    .action((dir: string, options: { readonly json?: true }) => verifyCommand(wiring, dir, options))
  archive
    .command('import')
    .description('import an archive into an empty log; records keep their offsets and timestamps')
    .argument('<dir>', 'archive folder')
    .option('--json', 'print one JSON object')
    .option('--dry-run', 'verify the archive and check that the log is empty, write nothing')
    .action((dir: string, options: CommandOptions) => importCommand(wiring, dir, options))
}
