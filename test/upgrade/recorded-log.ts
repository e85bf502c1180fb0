import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MemoryLog } from '../../src/adapters/memory-log.ts'
import { openArchive } from '../../src/operations/archive/folder.ts'
import { registerAll, restore } from '../../src/operations/archive/import.ts'
import { parseManifest, type Manifest } from '../../src/operations/archive/manifest.ts'
import { recordsOfFile } from '../../src/operations/archive/record.ts'
import { pipeline } from '../../src/pipeline.ts'
import type { ArchivedRecord, Restorer } from '../../src/ports/restorer.ts'
import type { ReadText } from '../../src/stages/enriched/observed-posts.ts'
import { readPacked } from './archive-file.ts'
import type { RecordedSchema } from './codec.ts'
import { FOLDER } from './files.ts'
import { readAsRecorded } from './post-readings.ts'
import { changelogOf, type Stateful } from './stages.ts'

/** What the version before has written. */
export interface RecordedLog {
  readonly folder: ReturnType<typeof openArchive>['folder']
  /** The log, changelogs and committed offsets after two thirds of the inputs. */
  readonly middle: Manifest
  /** The same after all inputs, without a disturbance. */
  readonly whole: Manifest
  readonly schemas: readonly RecordedSchema[]
  /** What the models said about posts. */
  readonly read: (texts: readonly string[]) => Promise<readonly ReadText[]>
  readonly remove: () => void
}

/** Unpacks the archive into a temporary folder. */
export function openRecorded(): RecordedLog {
  const dir = mkdtempSync(join(tmpdir(), 'recorded-log-'))
  for (const [name, content] of readPacked(join(FOLDER, 'log.br'))) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), content)
  }
  const { folder, manifest } = openArchive(dir)
  return {
    folder,
    middle: parseManifest(folder.read('middle.json').toString('utf8')),
    whole: manifest,
    schemas: manifest.schemas.map(({ id, topic, path }) => ({ id, topic, text: folder.read(path).toString('utf8') })),
    read: readAsRecorded(folder.read('post-readings.json')),
    remove: () => rmSync(dir, { recursive: true }),
  }
}

/** The records of a topic that a manifest lists. */
export const recordsOf = ({ folder }: RecordedLog, { files }: Manifest, topic: string): readonly ArchivedRecord[] =>
  files.filter((file) => file.topic === topic).flatMap(({ path }) => [...recordsOfFile(folder.read(path))].flat())

/** The log in which a stage continues: of what it writes only the first two thirds, of everything else all. */
export const inTheMiddleOf = (recorded: RecordedLog, stage: Stateful): Manifest => ({
  ...recorded.whole,
  files: withoutResultsOf(recorded, stage).concat(
    recorded.middle.files.filter(({ topic }) => isResultOf(stage, topic)),
  ),
  groups: recorded.middle.groups,
})

/** The log in which a stage begins: it has written nothing and committed nothing. */
export const atTheBeginningOf = (recorded: RecordedLog, stage: Stateful): Manifest => ({
  ...recorded.whole,
  files: withoutResultsOf(recorded, stage),
  groups: [],
})

const withoutResultsOf = ({ whole }: RecordedLog, stage: Stateful): Manifest['files'] =>
  whole.files.filter(({ topic }) => !isResultOf(stage, topic))

const isResultOf = (stage: Stateful, topic: string): boolean =>
  topic === pipeline.stages[stage].writes || topic === changelogOf(stage)

/** A log in memory with the records and offsets of a manifest, restored by the import of archives. */
export async function importedLog({ folder, schemas }: RecordedLog, manifest: Manifest): Promise<MemoryLog> {
  const log = new MemoryLog({ now: () => endOf(manifest) })
  const ports = {
    ...{ log, folder, clock: { sleep: async () => undefined }, onRecords: () => undefined },
    register: async (topic: string) => schemas.find((one) => one.topic === topic)?.id ?? 0,
    restorer: async () => restorerInto(log),
  }
  await restore(ports, manifest, await registerAll(ports, manifest))
  return log
}

/** The time of the newest record, milliseconds since 1970. */
export const endOf = ({ files }: Manifest): number => Math.max(...files.map((file) => file.last_timestamp ?? 0))

/** Restores records like a broker whose topics keep the timestamps of records. */
const restorerInto = (log: MemoryLog): Restorer => ({
  put: async ({ topic, partition }, stretch) => {
    const held = log.partition(topic, partition)
    if (stretch.kind === 'nothing') held.end += stretch.offsets
    if (stretch.kind === 'tombstone') held.end += 1
    if (!('records' in stretch)) return
    for (const { key, value, headers, timestamp } of stretch.records) {
      held.records.push({ topic, partition, offset: held.end++, key, value, headers, loggedAt: timestamp })
    }
    if (stretch.kind === 'committed') held.end += 1
  },
  close: async () => undefined,
})
