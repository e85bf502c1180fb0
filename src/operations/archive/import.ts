import pMap from 'p-map'
import type { ArchivedRecord, Restorer } from '../../ports/restorer.ts'
import { type ArchivedFile, endOf, filesOf, partitionsOf, type Manifest } from './manifest.ts'
import { recordsOfFile, withSchemaId } from './record.ts'
import { stretches } from './stretches.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log, Place } from '../../ports/log.ts'
import { writeTransaction } from '../lag/positions.ts'
import type { ArchiveFolder } from './folder.ts'

export interface ArchiveImportPorts {
  readonly log: Pick<Log, 'ends' | 'writer'>
  readonly clock: Pick<Clock, 'sleep'>
  readonly folder: ArchiveFolder
  /** Registers a schema under the subject of its topic; returns its id in this registry. */
  readonly register: (topic: string, text: string) => Promise<number>
  /** Each topic that is restored concurrently has its own restorer. */
  readonly restorer: (name: string) => Promise<Restorer>
  readonly onRecords: (records: number) => void
}

const AT_ONCE = 4

/** Throws if a topic of the archive has records in the log, or a different number of partitions. */
export async function checkEmpty({ log }: Pick<ArchiveImportPorts, 'log'>, { topics }: Manifest): Promise<void> {
  for (const { topic, partitions } of topics) {
    const ends = await log.ends(topic)
    if (ends.length !== partitions) {
      throw new Error(
        `${topic} has ${ends.length} partition(s), the archive ${partitions}. Set TOPIC_PARTITIONS to the original value`,
      )
    }
    if (ends.some((end) => end > 0)) {
      throw new Error(
        `${topic} contains records. An archive can only be imported into an empty log (a fresh STORY_HOME, or new topics)`,
      )
    }
  }
}

/** Registers all schemas of the archive; returns a map from the archive's ids to those of this registry. */
export async function registerAll(
  { folder, register }: Pick<ArchiveImportPorts, 'folder' | 'register'>,
  { schemas }: Manifest,
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>()
  for (const { id, topic, path } of schemas.toSorted((a, b) => a.id - b.id)) {
    ids.set(id, await register(topic, folder.read(path).toString('utf8')))
  }
  return ids
}

/**
 * Restores every record at its original offset, several topics concurrently, then the committed offsets of the groups.
 */
export async function restore(
  ports: ArchiveImportPorts,
  manifest: Manifest,
  ids: ReadonlyMap<number, number>,
): Promise<void> {
  await pMap(manifest.topics, (topic) => restoreTopic(ports, { ...manifest, topics: [topic] }, ids), {
    concurrency: AT_ONCE,
  })
  await restoreGroups(ports, manifest)
}

async function restoreTopic(
  ports: ArchiveImportPorts,
  manifest: Manifest,
  ids: ReadonlyMap<number, number>,
): Promise<void> {
  const partitions = partitionsOf(manifest).filter((partition) => endOf(manifest, partition) !== null)
  if (partitions.length === 0) return
  const restorer = await ports.restorer(`archive-${manifest.topics[0]?.topic ?? ''}`)
  try {
    for (const partition of partitions) {
      const records = recordsOf(ports, filesOf(manifest, partition), ids)
      for (const stretch of stretches(records, endOf(manifest, partition) ?? 0)) {
        await restorer.put(partition, stretch)
      }
    }
  } finally {
    await restorer.close()
  }
}

function* recordsOf(
  ports: ArchiveImportPorts,
  files: readonly ArchivedFile[],
  ids: ReadonlyMap<number, number>,
): Iterable<readonly ArchivedRecord[]> {
  for (const { path } of files) {
    for (const block of recordsOfFile(ports.folder.read(path))) {
      yield block.map((record) => ({ ...record, value: withSchemaId(record.value, ids) }))
      ports.onRecords(block.length)
    }
  }
}

/**
 * Restores the committed offsets of stages and effects; views are rebuilt from the log. An archive lists a group only if
 * it has all topics of the group that the exporting version knew. An offset past the end of the archive becomes the end.
 */
async function restoreGroups({ log, clock }: ArchiveImportPorts, manifest: Manifest): Promise<void> {
  const groups = new Map<string, Place[]>()
  for (const { group, topic, offsets } of manifest.groups) {
    const next = offsets.flatMap((offset, partition): Place[] => {
      const end = endOf(manifest, { topic, partition })
      return offset === null || end === null ? [] : [{ topic, partition, offset: Math.min(offset, end) }]
    })
    groups.set(group, [...(groups.get(group) ?? []), ...next])
  }
  for (const [group, next] of groups) {
    if (next.length > 0) await withRetries(clock, () => writeTransaction(log, 'archive-groups', { group, next }))
  }
}

const MAX_TRIES = 30
const WAIT_MS = 1000

/** Retries: a broker that has never had a consumer group needs a moment before it accepts offsets. */
async function withRetries(clock: ArchiveImportPorts['clock'], work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (cause) {
      if (tries === MAX_TRIES) throw cause
      await clock.sleep(WAIT_MS)
    }
  }
}
