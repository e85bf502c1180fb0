import { topicAdmin } from '../../adapters/kafka/admin.ts'
import type { KafkaAccess } from '../../adapters/kafka/client.ts'
import type { ArchivedGroup } from './manifest.ts'
import type { Log } from '../../ports/log.ts'
import { pipeline } from '../../pipeline.ts'
import { projectPath } from '../../config/project-path.ts'
import { readTopicFiles, topicSpecs } from '../../config/topics.ts'

/** Every topic of the project, including dead letters and state changelogs. */
export const allTopics = (): readonly string[] =>
  topicSpecs(readTopicFiles(projectPath('topics')), 'one').map(({ name }) => name)

/** A consumer group whose offsets are restored, the topics it reads, and the topics that contain its results. */
interface ArchiveReader {
  readonly group: string
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

/** Stages and effects. Views are not included: they are rebuilt from the beginning. */
const readers: readonly ArchiveReader[] = [
  ...Object.entries(pipeline.stages).map(([group, { reads, writes, state }]): ArchiveReader => {
    return { group, reads, writes: [writes, ...state] }
  }),
  ...Object.values(pipeline.effects).map(({ group, follows }): ArchiveReader => ({
    group,
    reads: [follows],
    writes: [],
  })),
]

/**
 * Whether a copy with only these topics can restore the offsets of a group: it must have both its inputs and its
 * outputs.
 */
const canRestoreOffsets = (topics: readonly string[], group: string): boolean =>
  readers.some((one) => one.group === group && [...one.reads, ...one.writes].every((topic) => topics.includes(topic)))

/** The committed offsets of each group whose topics are all included. */
export async function groupsOf(
  log: Pick<Log, 'committed'>,
  topics: readonly string[],
): Promise<readonly ArchivedGroup[]> {
  const groups: ArchivedGroup[] = []
  for (const { group, reads } of readers.filter((one) => canRestoreOffsets(topics, one.group))) {
    for (const topic of reads) groups.push({ group, topic, offsets: [...(await log.committed(group, topic))] })
  }
  return groups
}

const TYPE = 'message.timestamp.type'

/**
 * During `work`, topics keep the timestamp of each record (`CreateTime`); afterwards the previous setting is restored.
 * After a crash, `story topics apply` (also run by each `story up`) restores it.
 */
export async function withRecordTimestamps(
  access: KafkaAccess,
  topics: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const admin = await topicAdmin(access)
  try {
    const before = (await admin.existing()).filter(({ name }) => topics.includes(name))
    const set = async (type: (before: string) => string) => {
      const changes = before.map(({ name, config }) => ({
        ...{ kind: 'configure' as const, name, differences: [] },
        config: { ...config, [TYPE]: type(config[TYPE] ?? 'LogAppendTime') },
      }))
      await admin.apply(changes)
    }
    await set(() => 'CreateTime')
    await work().finally(() => set((previous) => previous))
  } finally {
    await admin.close()
  }
}
