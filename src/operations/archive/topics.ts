import { topicAdmin } from '../../adapters/kafka/admin.ts'
import type { KafkaAccess } from '../../adapters/kafka/client.ts'
import type { ArchivedGroup } from './manifest.ts'
import type { Log } from '../../ports/log.ts'
import { pipeline } from '../../pipeline.ts'
import { projectPath } from '../../config/project-path.ts'
import { readTopicFiles, topicSpecs } from '../../config/topics.ts'

/** Every topic of the project, dead letters and memories included. */
export const allTopics = (): readonly string[] =>
  topicSpecs(readTopicFiles(projectPath('topics')), 'one').map(({ name }) => name)

/** Who reads topics and must go on where it was, and what else shows what it has read. */
interface ArchiveReader {
  readonly group: string
  readonly reads: readonly string[]
  readonly leads: readonly string[]
}

/** Stages and effects; views begin at the beginning. */
const readers: readonly ArchiveReader[] = [
  ...Object.entries(pipeline.stages).map(([group, { shape, reads, writes }]): ArchiveReader => {
    return { group, reads, leads: [writes, ...(shape === 'stage' ? [] : [`${group}.memory`])] }
  }),
  ...Object.values(pipeline.effects).map(({ group, follows }): ArchiveReader => ({
    group,
    reads: [follows],
    leads: [],
  })),
]

/** Whether a copy that holds these topics alone may go on where a group was: what it had read led to something that is there too. */
export const goesOnIn = (topics: readonly string[], group: string): boolean =>
  readers.some((one) => one.group === group && [...one.reads, ...one.leads].every((topic) => topics.includes(topic)))

/** How far each of them has read some topics for good; without groups that also read other topics. */
export async function groupsOf(
  log: Pick<Log, 'committed'>,
  topics: readonly string[],
): Promise<readonly ArchivedGroup[]> {
  const groups: ArchivedGroup[] = []
  for (const { group, reads } of readers.filter((one) => goesOnIn(topics, one.group))) {
    for (const topic of reads) groups.push({ group, topic, offsets: [...(await log.committed(group, topic))] })
  }
  return groups
}

const TYPE = 'message.timestamp.type'

/**
 * While it works, topics take the time that a record brings; then the log says again when it took one. Ended in between,
 * `story topics apply` (and each `story up`) puts that right.
 */
export async function takingTimes(
  access: KafkaAccess,
  topics: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const admin = await topicAdmin(access)
  try {
    const before = (await admin.existing()).filter(({ name }) => topics.includes(name))
    const set = async (type: (was: string) => string) => {
      const changes = before.map(({ name, config }) => ({
        ...{ kind: 'configure' as const, name, differences: [] },
        config: { ...config, [TYPE]: type(config[TYPE] ?? 'LogAppendTime') },
      }))
      await admin.apply(changes)
    }
    await set(() => 'CreateTime')
    await work().finally(() => set((was) => was))
  } finally {
    await admin.close()
  }
}
