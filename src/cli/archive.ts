import type { Command } from 'commander'
import type { Wiring } from '../ports/wiring.ts'
import { exportCommand, type ExportOptions } from '../operations/archive/export-command.ts'
import { importCommand } from '../operations/archive/import-command.ts'
import { openArchive } from '../operations/archive/folder.ts'
import { saying } from '../operations/archive/saying.ts'
import { verify } from '../operations/archive/verify.ts'

export const archiveCommand = (program: Command, wiring: Wiring): void => {
  const archive = program.command('archive').description('the log as Avro files in a folder, and back')
  archive
    .command('export')
    .description('add to an archive what the log has got since; killed, it goes on where it was')
    .argument('[dir-or-topics...]', 'the folder of the archive, unless --to names it, and topics: these alone')
    .option('--all', 'every topic, dead letters and state included: a backup; so it is where no topic is named')
    .option('--to <dir>', 'the folder of the archive')
    .option('--from <offset|time>', 'where the archive of a partition begins: an offset, a date, or how long ago (7d)')
    .option('--until <offset|time>', 'only up to there')
    .option('--json', 'one JSON object')
    .option('--dry-run', 'only say how much')
    .action((words: string[], options: ExportOptions) => exportCommand(wiring, words, options))
  archive
    .command('verify')
    .description('read the whole of an archive: checksums, counts, offsets, schemas')
    .argument('<dir>', 'its folder')
    .option('--json', 'one JSON object')
    .action((dir: string, { json }: { readonly json?: true }) => {
      verifyCommand(wiring, dir, json === true ? 'json' : 'line')
    })
  archive
    .command('import')
    .description('put an archive into an empty log: every record at the offset and with the time it had')
    .argument('<dir>', 'its folder')
    .option('--json', 'one JSON object')
    .option('--dry-run', 'verify it, look whether the log is empty, write nothing')
    .action(async (dir: string, options: { readonly json?: true; readonly dryRun?: true }) => {
      await importCommand(wiring, dir, options)
    })
}

function verifyCommand(wiring: Wiring, dir: string, as: 'json' | 'line'): void {
  const { folder, manifest } = openArchive(dir)
  const say = saying(wiring, { whole: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0), of: 'bytes' })
  const { problems, ...found } = verify(folder, manifest, say.done)
  say.end()
  if (as === 'json') wiring.out.json({ ...found, problems })
  else wiring.out.line(`${found.records} records in ${found.files} files, ${found.bytes} bytes`)
  if (problems.length > 0) throw new Error(`${dir} is damaged\n${problems.join('\n')}`)
}
