import { basename } from 'node:path'
import type { FilesPorts } from '../import-files.ts'
import { checkPaths, fingerprint, openPacked, type OpenSource } from '../open-source.ts'
import type { PageExtractor } from '../pages/extract-page.ts'
import { bar } from '../progress.ts'
import { startImport } from '../settle-stories.ts'
import { archiveCheckpoint, noArchiveCheckpoint, type ArchiveCheckpoint } from './archive-checkpoint.ts'
import type { ArchiveFilter } from './archive-filter.ts'
import { ArchiveTally } from './archive-tally.ts'
import { gunzipMembers } from './gunzip-members.ts'
import { importArchive, tryArchive, type ArchiveSource } from './import-archive.ts'
import { SeenArticles } from './seen-articles.ts'

export interface ArchivesImport {
  /** Paths of WARC files, or `-` for standard input. */
  readonly files: readonly string[]
  readonly namespace: string
  /** Articles per second; `null` for no limit. */
  readonly rate: number | null
  /** Ignore the checkpoint of a killed import. */
  readonly restart: boolean
  readonly wait: boolean
  readonly filter: ArchiveFilter
}

export interface ArchivesPorts extends FilesPorts {
  readonly extractor: PageExtractor
}

/**
 * Imports archives one after another. Those that were imported when an import was killed are not read again. A damaged
 * archive is imported up to its damage.
 */
export async function importArchives(what: ArchivesImport, ports: ArchivesPorts): Promise<ArchiveTally> {
  await checkPaths(what.files, 'warc.gz')
  const { log, codec, end } = await startImport(ports, what)
  const tally = new ArchiveTally({ keepsContents: what.wait })
  const checkpoints = await Promise.all(what.files.map((file) => checkpointOf(file, what, ports.home)))
  const seen = new SeenArticles()
  for (const [index, file] of what.files.entries()) {
    const checkpoint = checkpoints[index] ?? noArchiveCheckpoint
    const { source, say } = archiveAt(file, { what, ports, seen, tally })
    const { clock, progress } = ports
    const onUnavailable = (): void => progress.print(`${say()}; Kafka is not reachable, retrying`)
    const out = { log, codec, clock, onUnavailable, onProgress: () => progress.update(say) }
    const damage = await importArchive({ ...source, rate: what.rate, checkpoint }, out, tally)
    if (damage !== null) tally.failed.push({ file, error: damage })
  }
  await end(tally)
  checkpoints.forEach((checkpoint) => checkpoint.clear())
  return tally
}

/** A dry run: counts what an import would accept, and publishes nothing. */
export async function tryArchives(
  what: ArchivesImport,
  ports: Pick<ArchivesPorts, 'stdin' | 'extractor' | 'progress' | 'clock'>,
): Promise<ArchiveTally> {
  await checkPaths(what.files, 'warc.gz')
  const tally = new ArchiveTally({ keepsContents: false })
  const seen = new SeenArticles()
  for (const file of what.files) {
    const { source, say } = archiveAt(file, { what, ports, seen, tally })
    const damage = await tryArchive(source, () => ports.progress.update(say), tally)
    if (damage !== null) tally.failed.push({ file, error: damage })
  }
  ports.progress.end()
  return tally
}

interface ArchiveAtOptions {
  readonly what: ArchivesImport
  readonly ports: Pick<ArchivesPorts, 'stdin' | 'extractor' | 'clock'>
  readonly seen: SeenArticles
  readonly tally: ArchiveTally
}

function archiveAt(file: string, { what, ports, seen, tally }: ArchiveAtOptions) {
  const { stdin, extractor, clock } = ports
  let opened: OpenSource | null = null
  let begun = { at: 0, records: 0 }
  const open = async (): Promise<AsyncIterable<Buffer>> => {
    opened = await openPacked(file, stdin)
    begun = { at: clock.now(), records: tally.records }
    return gunzipMembers(opened.bytes)
  }
  const source: ArchiveSource = { open, extractor, seen, namespace: what.namespace, filter: what.filter }
  const say = (): string => {
    const { records, accepted } = tally
    const rate = Math.round((1000 * (records - begun.records)) / Math.max(1, clock.now() - begun.at))
    return `${opened === null ? '' : bar(opened.done(), opened.size)}${basename(file)}: ${records} records, ${accepted} accepted, ${rate} records/s`
  }
  return { source, say }
}

async function checkpointOf(
  file: string,
  { namespace, restart, filter }: ArchivesImport,
  home: string,
): Promise<ArchiveCheckpoint> {
  const identity = await fingerprint(file)
  if (identity === null) return noArchiveCheckpoint
  const checkpoint = archiveCheckpoint(home, { fingerprint: identity, namespace, filter })
  if (restart) checkpoint.clear()
  return checkpoint
}
